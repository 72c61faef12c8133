//! Common parts of the programs for Rayon: harness.h's measurement, with the same arguments and lines.
#![allow(dead_code)] // no program uses all of it
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The number in argument `index`, or `fallback`; a bad one ends the program.
pub fn number(index: usize, fallback: u64) -> u64 {
    match std::env::args().nth(index) {
        None => fallback,
        Some(text) => text.parse().unwrap_or_else(|_| {
            eprintln!("argument '{text}' is no number");
            std::process::exit(2)
        }),
    }
}

/// Whether argument 2 is "large": programs with large sizes then measure these only.
pub fn large() -> bool {
    std::env::args().nth(2).as_deref() == Some("large")
}

extern "C" {
    fn clock_gettime(clock: i32, time: *mut [i64; 2]) -> i32;
}

/// CPU time of all threads, in ns, read as in harness.h: the code before the start decides how warm the caches are.
fn cpu() -> f64 {
    const CLOCK_PROCESS_CPUTIME_ID: i32 = 2;
    let mut time = [0i64; 2]; // seconds and nanoseconds, on Linux with 64 bits
    assert_eq!(unsafe { clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &mut time) }, 0);
    time[0] as f64 * 1e9 + time[1] as f64
}

/// Work of more units needs no warm-up.
const LONG: f64 = 2e7;

/// The number of runs wanted on a whole core, and the multiple of the milliseconds that they may take.
const LEAST: usize = 3;
const PATIENCE: u32 = 3;

/// How many measurements share the milliseconds in argument 1.
static SHARES: AtomicU64 = AtomicU64::new(1);

pub fn share_budget(shares: u64) {
    SHARES.store(shares, Ordering::Relaxed);
}

/// Whether this CPU's core has no other user now, as in harness.h.
fn core_is_whole() -> bool {
    static LEAST_NS: AtomicU64 = AtomicU64::new(u64::MAX);
    let (mut a, mut b, mut c, mut d) = (0u64, 0u64, 0u64, 0u64);
    let start = Instant::now();
    for _ in 0..1000 {
        for _ in 0..2 {
            (a, b, c, d) = (a.wrapping_add(1), b.wrapping_add(1), c.wrapping_add(1), d.wrapping_add(1));
            unsafe {
                std::arch::asm!("/* {0} {1} {2} {3} */", inout(reg) a, inout(reg) b, inout(reg) c, inout(reg) d,
                    options(nomem, nostack, preserves_flags))
            };
        }
    }
    let time = start.elapsed().as_nanos() as u64;
    let least = LEAST_NS.fetch_min(time, Ordering::Relaxed).min(time);
    time * 10 < least * 12
}

/// The median of the wall times and the mean of the CPU times, in ns.
fn of(samples: &mut Vec<(f64, f64)>) -> (f64, f64) {
    samples.sort_by(|x, y| x.0.total_cmp(&y.0));
    let median = (samples[(samples.len() - 1) / 2].0 + samples[samples.len() / 2].0) / 2.0;
    (median, samples.iter().map(|x| x.1).sum::<f64>() / samples.len() as f64)
}

/// Whether NAME must be measured, as in harness.h.
fn is_wanted(name: &str) -> bool {
    let plain = name.split(".by_").next();
    std::env::var("HARNESS_ONLY").map_or(true, |only| only.split(' ').any(|one| Some(one) == plain))
}

/// Runs the work once to warm up, then until the milliseconds in argument 1 are over, and checks its result. Prints
/// NAME, the median of its time, and NAME.cpu, the CPU time of all threads, averaged; harness.h describes which runs
/// count.
pub fn measure(name: &str, work: impl Fn() -> u64, expected: u64, units: f64) {
    measure_on(name, &mut (), |_| work(), |_, result| result, expected, units);
}

/// The same for work that changes data; `result` returns the result, outside of the time.
pub fn measure_on<S>(
    name: &str, state: &mut S, work: impl Fn(&mut S) -> u64, result: impl Fn(&S, u64) -> u64, expected: u64, units: f64,
) {
    measure_prepared(name, state, |_| (), work, result, expected, units);
}

/// The same; `prepare` sets the data to their initial state, outside of the time.
pub fn measure_prepared<S>(
    name: &str, state: &mut S, prepare: impl Fn(&mut S), work: impl Fn(&mut S) -> u64, result: impl Fn(&S, u64) -> u64,
    expected: u64, units: f64,
) {
    if !is_wanted(name) {
        return;
    }
    let budget = Duration::from_millis(number(1, 200)) / SHARES.load(Ordering::Relaxed) as u32;
    let mut run = || {
        prepare(state);
        let is_whole = core_is_whole();
        let (cpu_start, start) = (cpu(), Instant::now());
        let returned = work(state);
        let time = start.elapsed().as_secs_f64() * 1e9;
        let sample = (time, cpu() - cpu_start);
        let is_whole = core_is_whole() && is_whole;
        let result = result(state, returned);
        if result != expected {
            eprintln!("{name}: wrong result {result}, expected {expected}");
            std::process::exit(1);
        }
        (sample, is_whole)
    };
    if units <= LONG {
        run(); // warms up
    }
    let (mut all, mut whole, begin) = (Vec::new(), Vec::new(), Instant::now());
    let least = |runs: usize| runs < 1 || (runs < LEAST && begin.elapsed().as_secs_f64() < 1.0);
    let budget_of = |whole: usize| if whole < LEAST { budget * PATIENCE } else { budget };
    while least(all.len()) || begin.elapsed() < budget_of(whole.len()) {
        let (sample, is_whole) = run();
        all.push(sample);
        if is_whole {
            whole.push(sample);
        }
    }
    let (wall, cpu) = of(if whole.len() < LEAST { &mut all } else { &mut whole });
    println!("{name} {:.6} ns", wall / units);
    println!("{name}.cpu {:.6} ns", cpu / units);
}
