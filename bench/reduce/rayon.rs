//! The sum of elements of some cost, by a parallel iterator.
#[path = "../harness.rs"]
mod harness;
#[path = "../for/range.rs"]
mod range;

use rayon::prelude::*;

fn main() {
    range::each("reduce", |name, range, expected| {
        let sum = || (0..range.size).into_par_iter().map(|i| range.element(i)).reduce(|| 0, u64::wrapping_add);
        harness::measure(name, sum, expected, range.size as f64);
    });
}
