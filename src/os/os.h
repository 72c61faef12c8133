/* What Blitz needs from the operating system.
 *
 * Unless a comment says otherwise:
 *   - A function that can fail returns 0 or a positive errno value; it never prints or aborts.
 *   - Any thread may call it. It costs at most one system call.
 *   - Futexes, clocks, yields and barriers keep errno: they run inside the program's plain statements. */
#ifndef BZ_OS_OS_H
#define BZ_OS_OS_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* Restores errno at the end of the block. */
#define BZ_KEEP_ERRNO __attribute__((cleanup(bz_reset_errno), unused)) const int kept_errno = errno
static inline void bz_reset_errno(const int *kept) {
    errno = *kept;
}

/* ---- futexes: a thread sleeps on a 32-bit word ---- */

/* Sleeps while *word holds `expected`, which the kernel compares atomically with bz_os_futex_wake. May return early, but
 * not after a signal handler. Orders no memory. The word stays readable until the call returns. */
void bz_os_futex_wait(uint32_t *word, uint32_t expected);

/* The same until bz_os_now_ns() reaches deadline_ns: then ETIMEDOUT, else 0. Deadline 0: none. `bits` are for
 * bz_os_futex_wake_all_as; 0: all. Cost with a deadline: four system calls. */
int bz_os_futex_wait_until(uint32_t *word, uint32_t expected, uint64_t deadline_ns, uint32_t bits);

/* bz_os_futex_wait of a thread that then resumes on none of these CPUs, unless it is pinned or may run nowhere else; NULL:
 * on any. Not for the initial thread, whose mask is that of the process. Cost: four more system calls, 4 to 5 us. */
void bz_os_futex_wait_off(uint32_t *word, uint32_t expected, const uint64_t *cpus);

/* Moves the calling thread, not the initial one, off these CPUs; its mask stays. False: it is pinned, or may run nowhere
 * else. Cost: four system calls and the move, some 20 us. */
bool bz_os_move_off(const uint64_t *cpus);

/* Wakes up to `count` threads that sleep on the word (INT_MAX: all). The memory may be gone: a thread that sleeps on newer
 * memory there wakes early. */
void bz_os_futex_wake(uint32_t *word, int count);

/* Wakes the sleepers that have one of these bits, and those without bits. */
void bz_os_futex_wake_all_as(uint32_t *word, uint32_t bits);

/* ---- clocks and the CPU ---- */

/* Nanoseconds on a monotonic clock. Cost: about 20 ns, no system call. */
uint64_t bz_os_now_ns(void);

/* The same as of the system's last tick, up to 10 ms ago, or as of now where that costs less, which
 * bz_os_choose_tick_clock() finds out. Cost: 9 ns. */
uint64_t bz_os_tick_ns(void);
void bz_os_choose_tick_clock(void);

/* The calling thread's present CPU; UINT_MAX: unknown. */
unsigned bz_os_cpu(void);

/* A real-time thread sleeps now and then. */
void bz_os_yield(void);

/* ---- barriers on other threads ---- */

/* Prepares the process, and the child of a fork again. False: the system refuses. */
bool bz_os_membarrier_register(void);

/* After bz_os_membarrier_register. True: each thread of the process has passed a full fence during the call. False: the
 * system refuses. Cost: an interrupt of each CPU that runs one of them, some microseconds. */
bool bz_os_membarrier(void);

/* ---- threads ---- */

/* All zero: default stack, on another CPU. */
struct bz_os_thread_attr {
    /* Bytes for the thread's own use; 0: those of the initial thread, 16 MiB if these are not limited. */
    size_t stack_size;
    /* It begins on its creator's CPU. */
    bool on_creator_cpu;
    /* It begins where the system puts it; saves system calls. */
    bool anywhere;
    /* Called on the thread if pthread_exit or pthread_cancel ends main; or NULL. */
    void (*cut_short)(void);
};

/* Starts a detached thread that runs main(arg), with the CPUs of its creator, or of the process if that is pinned. Without
 * on_creator_cpu and anywhere it begins on another CPU, if possible. Returns 0, EAGAIN, ENOMEM or EINVAL (stack size).
 * Cost: 10 to 60 us. */
int bz_os_thread_start(const struct bz_os_thread_attr *attr, void (*main)(void *), void *arg);

/* glibc's block of addresses of the calling thread's variables; NULL: unknown. We keep it for leak checkers: glibc only
 * points into its middle. */
void *bz_os_thread_tls(void);

/* Renames the calling thread, for debuggers and top; cut to 15 bytes. */
void bz_os_thread_rename(const char *name);

/* The system's number of the calling thread, never 0; the C library's handle of it. */
uint32_t bz_os_thread_id(void);
uintptr_t bz_os_thread_handle(void);

/* 0: unknown. */
uint32_t bz_os_process_id(void);
unsigned bz_os_thread_count(void);

/* Cut to size - 1 bytes; "": unknown. */
void bz_os_host_name(char *name, size_t size);

/* Cost: two system calls. */
size_t bz_os_default_stack(void);

/* The lowest address that the calling thread's first stack may reach; unknown: 64 KiB below the caller. For threads of the
 * program it takes memory of malloc and many microseconds. */
uintptr_t bz_os_stack_limit(void);

/* Of the calling thread's first stack. Cost: as bz_os_stack_limit. */
bool bz_os_stack_holds(uintptr_t address);

/* An additional stack, above a guard page. `size` is a multiple of the page size. NULL: no memory. Two system calls. */
void *bz_os_stack_new(size_t size);
void bz_os_stack_free(void *stack, size_t size);

/* Around cancellation points (pthread_cancel), where an ending thread would keep our locks. */
int bz_os_cancel_hold(void);
void bz_os_cancel_allow(int held);

/* ---- memory: the runtime's own (memory.c) ---- */

/* `size` bytes, zeroed or not, aligned to a cache line; 0 gives a valid block. NULL: no memory. Keep errno. Cost: 10 ns,
 * and a system call when no block is free. */
void *bz_os_alloc(size_t size);
void *bz_os_room(size_t size);

/* Frees a block of that size, in any thread; NULL: nothing. */
void bz_os_free(void *block, size_t size);

/* malloc, calloc, realloc and free in that memory, aligned to 16. */
void *bz_alloc(size_t size);
void *bz_alloc_zero(size_t count, size_t size);
void *bz_realloc(void *block, size_t size);
void bz_free(void *block);

/* A pointer to such a block, or NULL: freed at the end of the scope. */
#define BZ_FREED __attribute__((cleanup(bz_free_variable)))
static inline void bz_free_variable(void *variable) {
    bz_free(*(void **)variable);
}

/* bz_free of a block that the program accessed: ThreadSanitizer checks these accesses against the free. */
void bz_free_used(void *block);

size_t bz_os_page_size(void);

/* ---- events of threads and of the process ---- */

/* Calls fn(arg) when the calling thread ends, not when the process exits. fn is the same for all threads; a new arg
 * replaces the thread's old one, NULL revokes it. fn runs among the destructors of thread-specific data, after those of
 * C++ thread_local objects, and again if a later one calls this. Returns 0, ENOMEM, or EAGAIN: no key is left. */
int bz_os_at_thread_exit(void (*fn)(void *), void *arg);

/* The calling thread's arg; NULL: none, or fn runs or has run. */
void *bz_os_thread_exit_arg(void);

/* As pthread_atfork. */
int bz_os_at_fork(void (*prepare)(void), void (*parent)(void), void (*child)(void));

/* NULL: not set, or the process has raised privileges. Not concurrent with setenv. */
const char *bz_os_getenv(const char *name);

/* Ended by NULL; none with raised privileges. Not concurrent with setenv. */
char **bz_os_environment(void);

#endif
