//! Tasks of a scope, joins, and a task for the pool: spawns.h says what is measured. Argument: MS.
#[path = "../harness.rs"]
mod harness;

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

const STORM: usize = 50000;
const DEPTH: u32 = 15;
const FORKS: u64 = 1 << 14;
const LINKS: u32 = 1000;
const CHAINS: u64 = 16;
const IDLE: Duration = Duration::from_millis(2);

fn leaves(depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let (left, right) = rayon::join(|| leaves(depth - 1), || leaves(depth - 1));
    left + right
}

/// Runs it in the pool, so that the joins in it are all from inside.
fn inside(work: impl FnOnce() -> u64 + Send) -> u64 {
    rayon::join(work, || ()).0
}

fn link(depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let (rest, own) = rayon::join(|| link(depth - 1), || 1);
    rest + own
}

static BEGUN: AtomicBool = AtomicBool::new(false);

fn main() {
    harness::share_budget(2); // there are many
    let wake = |_: &mut ()| {
        rayon::spawn(|| BEGUN.store(true, Ordering::Release));
        while !BEGUN.load(Ordering::Acquire) {
            std::thread::yield_now();
        }
        1
    };
    let idle = |_: &(), begun| {
        sleep(IDLE);
        BEGUN.store(false, Ordering::Relaxed);
        begun
    };
    harness::measure_on("spawns.wake", &mut (), wake, idle, 1, 1.0);
    harness::measure("spawns.joins", || leaves(DEPTH), 1 << DEPTH, ((1 << DEPTH) - 1) as f64);
    for depth in [5, 10] {
        let count = FORKS >> depth;
        let trees = || inside(|| (0..count).map(|_| leaves(depth)).sum());
        let forks = count * ((1 << depth) - 1);
        harness::measure(&format!("spawns.depth.{depth}"), trees, count << depth, forks as f64);
    }
    let chains = || inside(|| (0..CHAINS).map(|_| link(LINKS)).sum());
    harness::measure("spawns.chain", chains, CHAINS * (LINKS as u64 + 1), (CHAINS * LINKS as u64) as f64);
    let mut state = (vec![0u8; STORM], 0u8); // what the tasks raise, and how often they did
    let storm = |(done, runs): &mut (Vec<u8>, u8)| {
        *runs = runs.wrapping_add(1);
        rayon::scope(|scope| {
            for byte in done.iter_mut() {
                scope.spawn(move |_| *byte = byte.wrapping_add(1));
            }
        });
        0
    };
    let raised = |(done, runs): &(Vec<u8>, u8), _| done.iter().filter(|&byte| byte == runs).count() as u64;
    harness::measure_on("spawns.storm", &mut state, storm, raised, STORM as u64, STORM as f64);
}
