//! In one pass over an array, by parallel iterators over its elements, and over chunks that are summed up in lanes.
#[path = "../harness.rs"]
mod harness;

use rayon::prelude::*;

const LANES: usize = 8;
const CHUNK: usize = 32768;
const STEP: usize = 1021;

fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e3779b97f4a7c15);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58476d1ce4e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d049bb133111eb);
    x ^ x >> 31
}

/// The sum of f(x) over the chunk, as LLVM makes vectors of it.
fn add_lanes(chunk: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let parts = chunk.chunks_exact(LANES);
    let rest: f64 = parts.remainder().iter().sum();
    for part in parts {
        for (lane, x) in lanes.iter_mut().zip(part) {
            *lane += x;
        }
    }
    lanes.iter().sum::<f64>() + rest
}

fn greatest_lanes(chunk: &[f64]) -> f64 {
    let mut lanes = [f64::NEG_INFINITY; LANES];
    let parts = chunk.chunks_exact(LANES);
    let rest = parts.remainder().iter().fold(f64::NEG_INFINITY, |x, &y| x.max(y));
    for part in parts {
        for (lane, &x) in lanes.iter_mut().zip(part) {
            *lane = if x > *lane { x } else { *lane };
        }
    }
    lanes.iter().fold(rest, |x, &y| x.max(y))
}

fn dot_lanes(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let (whole, rest) = (a.len() / LANES * LANES, a.len() / LANES * LANES..a.len());
    for (x, y) in a[..whole].chunks_exact(LANES).zip(b[..whole].chunks_exact(LANES)) {
        for (lane, (x, y)) in lanes.iter_mut().zip(x.iter().zip(y)) {
            *lane += x * y;
        }
    }
    lanes.iter().sum::<f64>() + a[rest.clone()].iter().zip(&b[rest]).map(|(x, y)| x * y).sum::<f64>()
}

struct Arrays {
    a: Vec<f64>,
    b: Vec<f64>,
    numbers: Vec<i64>,
    out: Vec<f64>,
}

/// Each array of n elements, one after the other, up to `all`.
fn each<'a, T>(n: usize, all: usize, data: &'a [T]) -> impl Iterator<Item = &'a [T]> {
    data[..all].chunks(n)
}

fn sums(data: &Arrays, n: usize, all: usize, size: &str) {
    let expected = data.a[..all].iter().sum::<f64>() as u64;
    let by_elements = || each(n, all, &data.a).map(|a| a.par_iter().with_min_len(CHUNK).sum::<f64>() as u64).sum();
    harness::measure(&format!("array.sum.f64.{size}.by_elements"), by_elements, expected, all as f64);
    let by_chunks = || each(n, all, &data.a).map(|a| a.par_chunks(CHUNK).map(add_lanes).sum::<f64>() as u64).sum();
    harness::measure(&format!("array.sum.f64.{size}.by_chunks"), by_chunks, expected, all as f64);
}

fn others(data: &mut Arrays, n: usize, all: usize, size: &str) {
    let units = all as f64;
    let expected = data.numbers[..all].iter().sum::<i64>() as u64;
    let numbers = || each(n, all, &data.numbers).map(|x| x.par_iter().with_min_len(CHUNK).sum::<i64>() as u64).sum();
    harness::measure(&format!("array.sum.i64.{size}"), numbers, expected, units);
    let expected = each(n, all, &data.a).map(|a| a.iter().fold(0.0, |x: f64, &y| x.max(y)) as u64).sum();
    let greatest = || {
        let most = |a: &[f64]| a.par_chunks(CHUNK).map(greatest_lanes).reduce(|| f64::NEG_INFINITY, f64::max);
        each(n, all, &data.a).map(|a| most(a) as u64).sum()
    };
    harness::measure(&format!("array.max.f64.{size}"), greatest, expected, units);
    let expected = data.a[..all].iter().zip(&data.b).map(|(x, y)| x * y).sum::<f64>() as u64;
    let dot = || {
        let of = |a: &[f64], b: &[f64]| a.par_chunks(CHUNK).zip(b.par_chunks(CHUNK)).map(|(a, b)| dot_lanes(a, b)).sum::<f64>();
        each(n, all, &data.a).zip(each(n, all, &data.b)).map(|(a, b)| of(a, b) as u64).sum()
    };
    harness::measure(&format!("array.dot.f64.{size}"), dot, expected, units);
    let (a, b) = (&data.a[..all], &data.b[..all]);
    let mut state = (&mut data.out, 1); // the output, and the step between elements that are checked
    let map = |(out, _): &mut (&mut Vec<f64>, usize)| {
        for ((out, a), b) in out[..all].chunks_mut(n).zip(a.chunks(n)).zip(b.chunks(n)) {
            out.par_iter_mut().with_min_len(CHUNK).zip(a).zip(b).for_each(|((out, x), y)| *out = 2.0 * x + y);
        }
        0
    };
    let wipe = |(out, step): &mut (&mut Vec<f64>, usize)| {
        out[..all].iter_mut().step_by(*step).for_each(|x| *x = -1.0);
        *step = STEP;
    };
    let right = |(out, step): &(&mut Vec<f64>, usize), _| {
        let is_right = |i: usize| out[i] == 2.0 * a[i] + b[i];
        (0..all).step_by(*step).all(is_right) as u64
    };
    harness::measure_prepared(&format!("array.map.f64.{size}"), &mut state, wipe, map, right, 1, units);
}

fn main() {
    harness::share_budget(12); // there are many short ones
    let large = harness::large();
    let (most, usual) = if large { (100_000_000, 10_000_000) } else { (1_000_000, 1_000_000) };
    let mut data = Arrays {
        a: (0..most).map(|i| (mix(i as u64) % 1000) as f64).collect(),
        b: (0..usual).map(|i| (i % 16) as f64).collect(),
        numbers: (0..usual).map(|i| (i % 1000) as i64).collect(),
        out: vec![0.0; usual],
    };
    for power in if large { 7..9 } else { 3..7 } {
        let n = 10usize.pow(power);
        let (all, size) = (n.max(100_000), format!("1e{power}"));
        sums(&data, n, all, &size);
        if n <= usual {
            others(&mut data, n, all, &size);
        }
    }
}
