//! Fibonacci with a join for every call that is no leaf and no cut-off. Arguments: MS, N. Threads: RAYON_NUM_THREADS.
#[path = "../harness.rs"]
mod harness;

fn fib(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (x, y) = rayon::join(|| fib(n - 1), || fib(n - 2));
    x + y
}

fn main() {
    let n = harness::number(2, 36);
    let expected = (0..n).fold((0, 1), |(now, next), _| (next, now + next)).0;
    harness::measure("fib.native", || fib(n), expected, 1.0);
}
