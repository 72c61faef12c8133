//! par_sort and par_sort_unstable, on what workload.h makes.
#[path = "../harness.rs"]
mod harness;

use rayon::prelude::*;

#[derive(Clone, Copy)]
struct Pair {
    key: u64,
    value: u64,
}

/// A good hash of 64 bits (Steele, Lea and Flood, OOPSLA 2014).
fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e3779b97f4a7c15);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58476d1ce4e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d049bb133111eb);
    x ^ x >> 31
}

const ORDERS: [&str; 6] = ["random", "sorted", "reversed", "equal", "few", "killer"];

fn number(order: usize, i: usize, n: usize) -> u64 {
    match order {
        0 => mix(i as u64) >> 33,
        1 => i as u64,
        2 => (n - i) as u64,
        4 => mix(i as u64) >> 60,
        5 if i >= n / 2 => 2 * (i + 1 - n / 2) as u64,
        5 if i % 2 == 1 => (n / 2 + i) as u64,
        5 => i as u64 + 1,
        _ => 7,
    }
}

/// A sum that is right only for the input's elements in order; 0 if they are not.
fn proof<T: Copy>(array: &[T], n: usize, parts: impl Fn(T) -> (u64, u64), ordered: bool, stable: bool) -> u64 {
    let (mut sum, mut last) = (1u64, (0, 0));
    for (i, &x) in array.iter().enumerate() {
        let (key, value) = parts(x);
        if ordered && i % n > 0 && (key < last.0 || (stable && key == last.0 && value < last.1)) {
            return 0;
        }
        last = (key, value);
        sum = sum.wrapping_add(mix(key ^ value << 32));
    }
    sum
}

fn measure<T: Copy + Send>(
    what: &str, n: usize, input: &[T], work: impl Fn(&mut [T]), parts: impl Fn(T) -> (u64, u64) + Copy, stable: bool,
) {
    let expected = proof(input, n, parts, false, false);
    let mut array = input.to_vec();
    let kind = if stable { "stable" } else { "sort" };
    harness::measure_prepared(
        &format!("{kind}.{what}"), &mut array, |array| array.copy_from_slice(input),
        |array| {
            array.chunks_mut(n).for_each(&work);
            0
        },
        |array, _| proof(array, n, parts, true, stable), expected, input.len() as f64,
    );
}

/// The orders that are for int64 alone, and large arrays.
fn longs(order: usize, n: usize, size: &str) {
    let longs: Vec<i64> = (0..n).map(|i| number(order, i, n) as i64).collect();
    let name = format!("int64.{}.{size}", ORDERS[order]);
    measure(&name, n, &longs, |a| a.par_sort_unstable(), |x| (x as u64, 0), false);
    if order == 0 && n <= 10_000_000 {
        measure(&name, n, &longs, |a| a.par_sort(), |x| (x as u64, 0), true);
    }
}

fn each(order: usize, n: usize, size: &str) {
    if order == 5 {
        return longs(order, n, size);
    }
    let name = |type_name: &str| format!("{type_name}.{}.{size}", ORDERS[order]);
    let all = if n < 10000 { 100000 / n * n } else { n }; // many short arrays
    let numbers = || (0..all).map(|i| number(order, if order == 0 || order == 4 { i } else { i % n }, n));
    let ints: Vec<i32> = numbers().map(|x| x as i32).collect();
    measure(&name("int32"), n, &ints, |a| a.par_sort_unstable(), |x| (x as u64, 0), false);
    measure(&name("int32"), n, &ints, |a| a.par_sort(), |x| (x as u64, 0), true);
    drop(ints);
    let longs: Vec<i64> = numbers().map(|x| x as i64).collect();
    measure(&name("int64"), n, &longs, |a| a.par_sort_unstable(), |x| (x as u64, 0), false);
    measure(&name("int64"), n, &longs, |a| a.par_sort(), |x| (x as u64, 0), true);
    drop(longs);
    let by_value = |a: &f64, b: &f64| a.partial_cmp(b).unwrap();
    let doubles: Vec<f64> = numbers().map(|x| x as f64).collect();
    measure(&name("double"), n, &doubles, |a| a.par_sort_unstable_by(by_value), |x| (x as u64, 0), false);
    measure(&name("double"), n, &doubles, |a| a.par_sort_by(by_value), |x| (x as u64, 0), true);
    drop(doubles);
    let pairs: Vec<Pair> = numbers().enumerate().map(|(i, key)| Pair { key, value: i as u64 }).collect();
    measure(&name("pair"), n, &pairs, |a| a.par_sort_unstable_by_key(|x| x.key), |x| (x.key, x.value), false);
    measure(&name("pair"), n, &pairs, |a| a.par_sort_by_key(|x| x.key), |x| (x.key, x.value), true);
}

fn main() {
    harness::share_budget(4); // there are many
    if harness::large() {
        longs(0, 10_000_000, "1e7");
        return longs(0, 100_000_000, "1e8");
    }
    let only = harness::number(2, 0) as usize;
    for order in 0..ORDERS.len() {
        if only > 0 {
            each(order, only, &only.to_string());
        } else {
            for &power in if order == 0 { &[3, 6, 5][..] } else { &[5] } {
                each(order, 10usize.pow(power), &format!("1e{power}"));
            }
        }
    }
}
