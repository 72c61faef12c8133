//! Common parts of `for` and `reduce`: workload.h for Rayon, with the same elements, names and arguments.
use super::harness;

#[derive(Clone, Copy)]
pub struct Range {
    pub size: usize,
    bits: u32,
    steps: u64,
    shape: usize,
}

const SHAPES: [&str; 3] = ["even", "ramp", "block"];
const GRAINS: [(&str, u32, u64); 4] = [("0.01us", 16, 7), ("0.1us", 14, 75), ("1us", 11, 750), ("10us", 8, 7500)];

/// Dependent multiplications: LLVM would find a formula that skips most of them.
fn work(mut x: u64, steps: u64) -> u64 {
    for _ in 0..steps {
        x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        unsafe { std::arch::asm!("/* {0} */", inout(reg) x, options(pure, nomem, nostack, preserves_flags)) };
    }
    finish(x)
}

/// x, when it and all before it have been computed: see harness_finish in harness.h.
fn finish(mut x: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    unsafe { std::arch::asm!("lfence /* {0} */", inout(reg) x, options(nomem, nostack, preserves_flags)) };
    #[cfg(target_arch = "aarch64")]
    unsafe { std::arch::asm!("dsb sy", "isb /* {0} */", inout(reg) x, options(nomem, nostack, preserves_flags)) };
    x
}

impl Range {
    /// Not inlined, as range_element of workload.h.
    #[inline(never)]
    pub fn element(&self, i: usize) -> u64 {
        let steps = match self.shape {
            1 => (self.steps * 2 * i as u64) >> self.bits,
            2 => (if i >> (self.bits - 4) == 8 { 256 } else { 16 }) * self.steps / 31,
            _ => self.steps,
        };
        work(i as u64, steps)
    }
}

/// Calls f(name, range, sum of all elements) for all shapes and grains.
pub fn each(workload: &str, mut f: impl FnMut(&str, Range, u64)) {
    harness::share_budget(4); // a row of grains takes as long as one measurement of others
    for (shape, shape_name) in SHAPES.iter().enumerate() {
        for (grain, bits, steps) in GRAINS {
            let range = Range { size: 1 << bits, bits, steps, shape };
            let expected = (0..range.size).fold(0, |sum: u64, i| sum.wrapping_add(range.element(i)));
            f(&format!("{workload}.{shape_name}.{grain}"), range, expected);
        }
    }
}
