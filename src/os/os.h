/* os.h: what Blitz needs from the operating system, as one contract. linux.c implements it; a port to another
 * system is another file beside it. Nothing outside src/os/ calls a futex, makes a thread or asks for a page size
 * directly, and nothing in here knows of workers, jobs or pools.
 *
 * Conventions
 *   - A function that can fail returns 0 or a positive errno value and never prints or aborts.
 *   - Every function may be called from any thread unless it says otherwise.
 *   - The functions of the wait path (futex, clock, yield, membarrier) leave the caller's errno as it was: they run
 *     inside constructs that the user sees as plain statements. */
#ifndef BZ_OS_OS_H
#define BZ_OS_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* Futex: sleep on a 32-bit word. */

/* Sleep while *word holds expected. Returns when another thread wakes the word, at once when *word differs from
 * expected (compared by the kernel, atomically against bz_os_futex_wake), and now and then for no reason: the caller
 * looks at its condition again in a loop. A signal handler that runs meanwhile does not end the wait. Gives no
 * memory ordering: the caller's own loads of the word do.
 * The word must be readable until the call returns, 4-byte aligned, and not shared between processes.
 * Cost: one system call. */
void bz_os_futex_wait(uint32_t *word, uint32_t expected);

/* The same with a name: `bits`, not 0. bz_os_futex_wake_all_as wakes it if they have a bit in common. */
void bz_os_futex_wait_as(uint32_t *word, uint32_t expected, uint32_t bits);

/* As bz_os_futex_wait, but the thread does not go on on that CPU, where whoever wakes it is expected to be busy, if it
 * has no pin and may run on another one. It has the same CPUs as before when the call returns, or those that somebody
 * else has given to it meanwhile (bz_cpus_return). UINT_MAX: it may go on anywhere. Not for the initial thread, which
 * others ask for the CPUs of the process. Cost: four system calls more, 4 to 5 us of CPU time, half of it after the
 * wake. */
void bz_os_futex_wait_off(uint32_t *word, uint32_t expected, unsigned cpu);

/* The calling thread goes on on another CPU than these (a set of os/cpus.h), among which is the one on which it is, and
 * keeps the CPUs that it may have. False: it has a pin, or may not run elsewhere. Not for the initial thread, as above.
 * Cost: four system calls and the move, some 20 us. */
bool bz_os_move_off(const uint64_t *cpus);

/* As bz_os_futex_wait, but no longer than until bz_os_now_ns() reaches deadline_ns (nanoseconds, absolute;
 * UINT64_MAX is as good as never). Returns ETIMEDOUT when the deadline passed, as soon after it as the system can have
 * it rather than when it suits it (on Linux up to 50 us later), else 0. Cost: four system calls. */
int bz_os_futex_wait_until(uint32_t *word, uint32_t expected, uint64_t deadline_ns);

/* Wake up to count threads that sleep on word (INT_MAX: all). Only the address is used: the memory may have been
 * freed or unmapped by then, which is what lets a latch be set whose owner has already gone on. At worst such a late
 * wake is a spurious one for whoever sleeps there now.
 * Cost: one system call, also when nobody sleeps. */
void bz_os_futex_wake(uint32_t *word, int count);

/* The same for all whose names have a bit in common with `bits`, and for all who sleep without a name. */
void bz_os_futex_wake_all_as(uint32_t *word, uint32_t bits);

/* Time and the CPU. */

/* Nanoseconds on a clock that never steps back and does not count suspension. Cost: about 20 ns, no system call. */
uint64_t bz_os_now_ns(void);

/* A reader of the same clock, in its own units, as it was at the system's last tick, up to 10 ms ago; or as it is now, where
 * that is cheaper: some sandboxes answer one of the two without a system call. Takes CLOCK_MONOTONIC_COARSE. Cost: some
 * microseconds; a reading takes 3 ns. */
typedef int bz_os_tick_reader(clockid_t clock, struct timespec *time);
bz_os_tick_reader *bz_os_find_tick_reader(void);

/* The CPU that the calling thread is on at the moment; UINT_MAX if the system does not say. Cost: some nanoseconds, no
 * system call. */
unsigned bz_os_cpu(void);

/* Let another runnable thread have this CPU; returns at once when there is none. Whoever yields again and again lets every
 * thread run at last: one of a real-time policy, whose yields are for threads of its own priority only, sleeps for a moment
 * now and then. So no loop of yields waits forever for a thread that has no CPU. Cost: one system call. */
void bz_os_yield(void);

/* Memory barriers on other threads. */

/* Make bz_os_membarrier usable in this process; again in the child of a fork. Returns whether it is: false where the
 * kernel or a sandbox does not offer it. Cost: some microseconds, once. */
bool bz_os_membarrier_register(void);

/* Between this call's begin and its end every running thread of the process executes a full memory barrier, and so
 * does the caller; if it returns true. Only after bz_os_membarrier_register did. False: the system refuses it, as it does
 * when the process has put itself into a sandbox since. Keeps errno.
 * Cost: a system call and an interrupt on every CPU that runs a thread of the process, some microseconds. */
bool bz_os_membarrier(void);

/* Threads. */

/* A started thread, for bz_os_thread_join. Written by bz_os_thread_start only. */
struct bz_os_thread {
    uintptr_t handle;
};

/* How to start a thread. All zero: joinable, default stack, name inherited from the creator. */
struct bz_os_thread_attr {
    /* Bytes for the thread's own use; 0: as the initial thread has, 16 MiB if that has no limit. */
    size_t stack_size;
    const char *name;    /* shown by debuggers and top; cut to 15 bytes; NULL to keep the creator's */
    bool detached;       /* frees itself when it ends and must not be joined */
    bool on_creator_cpu; /* it begins on its creator's CPU */
    bool anywhere;       /* it begins where the system likes: that spares some system calls */
    /* Called on the thread if something in main ends it (pthread_exit, pthread_cancel); NULL: nothing is. */
    void (*cut_short)(void);
};

/* Start a thread that runs main(arg) and ends when it returns. attr may be NULL and is not kept.
 * No signal of the process reaches it: see signals.h.
 * It may run on the CPUs of its creator, or of the process if that is pinned, and begins on another one of them than the
 * creator's if the system lets it choose, or with `on_creator_cpu` on the same one, or with `anywhere` on any.
 * Everything before the call happens before main(arg).
 * Returns 0 and fills *t, or the error with *t untouched: EAGAIN for no room for a thread or its stack, ENOMEM,
 * EINVAL for a stack size beyond the address space. t may be NULL if the thread is detached.
 * Cost: some 10 to 60 us. */
int bz_os_thread_start(struct bz_os_thread *t, const struct bz_os_thread_attr *attr, void (*main)(void *),
                       void *arg);

/* Wait until a joinable thread has ended and free what the system keeps of it; everything it did happens before the
 * return. Once per thread, and not from that thread itself (EDEADLK). Returns 0 or an errno value. */
int bz_os_thread_join(struct bz_os_thread *t);

/* The beginning of the block in which the C library keeps the addresses of the calling thread's variables; NULL where that
 * is not known. glibc itself keeps only a pointer behind its first element, and leak checkers call a block that is pointed
 * to nowhere else "possibly lost". To be kept, not to be used. Cost: a few ns. */
void *bz_os_thread_tls(void);

/* Change the name of the calling thread, as in bz_os_thread_attr. Cost: one system call. */
void bz_os_thread_rename(const char *name);

/* The system's number of the calling thread, as debuggers show it; never 0. Cost: one system call. */
uint32_t bz_os_thread_id(void);

/* The C library's handle of the calling thread, as debuggers show it. Cost: a few ns. */
uintptr_t bz_os_thread_handle(void);

/* The number of the process. Cost: one system call. */
uint32_t bz_os_process_id(void);

/* How many threads the process has; 0 if that cannot be known. Cost: one system call. */
unsigned bz_os_thread_count(void);

/* The name of the machine, cut to size - 1 bytes; "" if it has none. Cost: one system call. */
void bz_os_host_name(char *name, size_t size);

/* Bytes of stack that a thread gets by default for its own use. Cost: two system calls. */
size_t bz_os_default_stack(void);

/* The lowest address that the calling thread's stack may grow down to, a guard page kept clear. For the initial
 * thread this follows from the stack limit of the process. When the system does not say, 64 KiB below the caller.
 * A thread that has switched to a stack of its own making gets the bound of its first one.
 * Cost: many microseconds and memory of malloc for the initial thread (it reads a file), memory for other host threads,
 * some ns for those of bz_os_thread_start: callers keep the answer. */
uintptr_t bz_os_stack_limit(void);

/* Whether the address is in the stack that the calling thread began on. Cost: as bz_os_stack_limit. */
bool bz_os_stack_holds(uintptr_t address);

/* A stack besides those of threads: its lowest usable address, just above a guard page; `size` bytes are a multiple of the
 * page size. NULL: no memory. Only what is used of it takes memory. Cost: two system calls. */
void *bz_os_stack_new(size_t size);
void bz_os_stack_free(void *stack, size_t size);

/* While the calling thread does what may be a cancellation point (pthread_cancel): reads, writes and opens files, prints,
 * pauses. It is not cancelled before it has released what it held, or it would be gone with our locks, counts and memory.
 * Pairs nest. Futexes, yields, the clock and all else in this header are no cancellation points. Cost: some ns each. */
int bz_os_cancel_hold(void);
void bz_os_cancel_allow(int held);

/* Memory. */

/* The runtime's own memory, not malloc's: the C library would give each thread that used it 64 MiB of the addresses that
 * the process may have. Under a sanitizer it is malloc's. What the program asks for as its own comes from malloc. */

/* Blocks of bz_os_alloc and bz_os_room are aligned to this: one cache line. */
#define BZ_OS_ALLOC_ALIGN 64

/* size bytes of memory, zeroed or not. size 0 gives a valid block too. Returns NULL when there is no memory. Freed by
 * bz_os_free from any thread. Keep errno. Cost: some 10 ns, and a memset; a system call where it has no block left. */
void *bz_os_alloc(size_t size);
void *bz_os_room(size_t size);

/* The block is to be written from its beginning to its end, soon: the system gives it all of its memory now, and not for
 * each page when that is written to first. Keeps errno. Cost: a system call, and half of what each page costs then. */
void bz_os_touch(void *block, size_t size);

/* Give back such a block; size as it was asked for. NULL does nothing. Cost: some 10 ns. */
void bz_os_free(void *block, size_t size);

/* malloc, calloc, realloc and free, in that memory: blocks that know their size, aligned to 16. */
void *bz_alloc(size_t size);
void *bz_alloc_zero(size_t count, size_t size);
void *bz_realloc(void *block, size_t size);
void bz_free(void *block);

/* bz_free of a block that the program has worked on: a sanitizer hears that this is over. */
void bz_free_used(void *block);

/* Bytes in a page: a power of two. Cost: a few ns. */
size_t bz_os_page_size(void);

/* Events in the life of threads and of the process. */

/* Have fn(arg) called on the calling thread when it ends, by returning, by pthread_exit or by cancellation; not when
 * the process exits under it. One fn per process and one arg per thread: calling again replaces arg, NULL takes the
 * call back. fn runs among the destructors of thread-specific data, after those of C++ thread_local objects; if one
 * that runs later calls this again, fn is called again.
 * Returns 0, ENOMEM, EAGAIN when the process has no thread-specific key left, or EBUSY for a second, different fn.
 * Cost: a few ns after the first call. */
int bz_os_at_thread_exit(void (*fn)(void *), void *arg);

/* The arg that bz_os_at_thread_exit has for the calling thread; NULL: none, or its fn is running or has run. */
void *bz_os_thread_exit_arg(void);

/* Have prepare called before each fork() of the process, parent after it in the parent and child after it in the
 * child, whose only thread is the one that forked. Any may be NULL. For good: it cannot be taken back.
 * Returns 0 or ENOMEM. */
int bz_os_at_fork(void (*prepare)(void), void (*parent)(void), void (*child)(void));

/* The value of an environment variable, or NULL if it is not set or the process runs with raised privileges, when
 * nothing its caller says may steer it. The string belongs to the environment. Not safe against a concurrent setenv. */
const char *bz_os_getenv(const char *name);

/* All variables, NAME=value, ended by NULL; none with raised privileges. Never NULL. Not safe either. */
char **bz_os_environment(void);

#endif
