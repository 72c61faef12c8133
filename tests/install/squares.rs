// rustc squares.rs -L PREFIX/lib -l blitz -C link-arg=-Wl,-rpath,PREFIX/lib
use std::ffi::{c_int, c_void};

type Body = extern "C" fn(usize, usize, *mut c_void) -> c_int;
extern "C" {
    fn blitz_for(lo: usize, hi: usize, grain: usize, body: Body, context: *mut c_void) -> c_int;
}

extern "C" fn square(lo: usize, hi: usize, numbers: *mut c_void) -> c_int {
    for i in lo..hi {
        unsafe { *numbers.cast::<usize>().add(i) = i * i };
    }
    0
}

fn main() {
    let mut numbers = vec![0usize; 10000];
    let status = unsafe { blitz_for(0, numbers.len(), 0, square, numbers.as_mut_ptr().cast()) };
    assert!(status == 0 && numbers.iter().enumerate().all(|(i, &n)| n == i * i));
}
