//! A loop over elements of some cost, by a parallel iterator.
#[path = "../harness.rs"]
mod harness;
#[path = "range.rs"]
mod range;

use rayon::prelude::*;

fn main() {
    range::each("for", |name, range, expected| {
        let units = range.size as f64;
        let mut state = (vec![0u64; range.size], 0u64); // the output, and the number of the run
        let work = |(out, run): &mut (Vec<u64>, u64)| {
            *run += 1;
            let number = *run;
            out.par_iter_mut().enumerate().for_each(|(i, x)| *x = range.element(i).wrapping_add(number));
            0
        };
        let written = |(out, run): &(Vec<u64>, u64), _| out.iter().fold(0u64, |sum, x| sum.wrapping_add(x.wrapping_sub(*run)));
        harness::measure_on(name, &mut state, work, written, expected, units);
    });
}
