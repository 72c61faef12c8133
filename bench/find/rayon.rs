//! The first match, by position_first.
#[path = "../harness.rs"]
mod harness;

use rayon::prelude::*;

const WANTED: u32 = 7;
const STEPS: u64 = 80;

fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e3779b97f4a7c15);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58476d1ce4e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d049bb133111eb);
    x ^ x >> 31
}

/// Dependent multiplications: LLVM would find a formula that skips most of them.
fn work(mut x: u64, steps: u64) -> u64 {
    for _ in 0..steps {
        x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        unsafe { std::arch::asm!("/* {0} */", inout(reg) x, options(pure, nomem, nostack, preserves_flags)) };
    }
    x
}

fn places(size: usize) -> [(&'static str, usize); 3] {
    [("early", size / 16), ("middle", size / 2 + size / 64), ("none", size)]
}

fn main() {
    let size = 1 << 22;
    let mut numbers: Vec<u32> = (0..size).map(|i| mix(i as u64) as u32 | 8).collect();
    for (place, at) in places(size) {
        if at < size {
            numbers[at] = WANTED;
        }
        let search = || numbers.par_iter().position_first(|&x| x == WANTED).unwrap_or(size) as u64;
        harness::measure(&format!("find.cheap.{place}"), search, at as u64, at as f64);
        if at < size {
            numbers[at] = 8;
        }
    }
    let size = 1 << 14;
    for (place, at) in places(size) {
        let is_it = |i: usize| work(i as u64, STEPS) == 0 || i == at;
        let search = || (0..size).into_par_iter().position_first(is_it).unwrap_or(size) as u64;
        harness::measure(&format!("find.costly.{place}"), search, at as u64, at as f64);
    }
}
