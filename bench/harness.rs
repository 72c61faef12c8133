//! What the programs for Rayon share: harness.h's measurement, with the same arguments and lines.
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

/// Whether argument 2 is "large": then programs that can measure their large sizes, and nothing else.
pub fn large() -> bool {
    std::env::args().nth(2).as_deref() == Some("large")
}

extern "C" {
    fn clock_gettime(clock: i32, time: *mut [i64; 2]) -> i32;
}

/// CPU time of all threads, in ns, read as harness.h does: what comes before the time begins decides how warm it begins.
fn cpu() -> f64 {
    const CLOCK_PROCESS_CPUTIME_ID: i32 = 2;
    let mut time = [0i64; 2]; // seconds and nanoseconds, on Linux with 64 bits
    assert_eq!(unsafe { clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &mut time) }, 0);
    time[0] as f64 * 1e9 + time[1] as f64
}

/// What has more units than these needs no warm-up.
const LONG: f64 = 2e7;

/// How many measurements share the milliseconds in argument 1.
static SHARES: AtomicU64 = AtomicU64::new(1);

pub fn share_budget(shares: u64) {
    SHARES.store(shares, Ordering::Relaxed);
}

/// Runs the work once to warm up, then until the milliseconds in argument 1 are over, and checks what it returns. Prints
/// NAME, the median of its time, and NAME.cpu, the CPU time of all threads, averaged.
pub fn measure(name: &str, work: impl Fn() -> u64, expected: u64, units: f64) {
    measure_on(name, &mut (), |_| work(), |_, result| result, expected, units);
}

/// The same for work that changes something; `result` says what came out, outside of the time.
pub fn measure_on<S>(
    name: &str, state: &mut S, work: impl Fn(&mut S) -> u64, result: impl Fn(&S, u64) -> u64, expected: u64, units: f64,
) {
    measure_prepared(name, state, |_| (), work, result, expected, units);
}

/// The same; `prepare` brings the data to where they begin, outside of the time.
pub fn measure_prepared<S>(
    name: &str, state: &mut S, prepare: impl Fn(&mut S), work: impl Fn(&mut S) -> u64, result: impl Fn(&S, u64) -> u64,
    expected: u64, units: f64,
) {
    let budget = Duration::from_millis(number(1, 200)) / SHARES.load(Ordering::Relaxed) as u32;
    let mut cpu_time = 0.0;
    let mut check = || {
        prepare(state);
        let (cpu_start, start) = (cpu(), Instant::now());
        let returned = work(state);
        let time = start.elapsed().as_secs_f64() * 1e9;
        cpu_time += cpu() - cpu_start;
        let result = result(state, returned);
        if result != expected {
            eprintln!("{name}: wrong result {result}, expected {expected}");
            std::process::exit(1);
        }
        (time, cpu_time)
    };
    let warm_up = if units > LONG { 0.0 } else { check().1 };
    let (mut times, begin, mut cpu_total) = (Vec::new(), Instant::now(), warm_up);
    let least = |runs: usize| runs == 0 || (runs < 3 && begin.elapsed().as_secs_f64() < 1.0);
    while least(times.len()) || begin.elapsed() < budget {
        let (time, total) = check();
        times.push(time);
        cpu_total = total;
    }
    let cpu_time = (cpu_total - warm_up) / times.len() as f64;
    times.sort_by(f64::total_cmp);
    let median = (times[(times.len() - 1) / 2] + times[times.len() / 2]) / 2.0;
    println!("{name} {:.6} ns", median / units);
    println!("{name}.cpu {:.6} ns", cpu_time / units);
}
