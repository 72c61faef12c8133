/* os.h on 64-bit Linux with glibc. */
#include "os/os.h"

#include <dlfcn.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__)
#    include <cpuid.h>
#endif

#include "base/atomic.h"
#include "base/compiler.h"
#include "base/config.h"
#include "os/cpus.h"

#define NS_PER_S UINT64_C(1000000000)

/* With a 32-bit long, struct timespec may not be SYS_futex's. */
_Static_assert(sizeof(long) == 8, "linux.c supports 64-bit systems only");
_Static_assert(sizeof(pthread_t) <= sizeof(uintptr_t), "a thread handle holds a pthread_t");

/* ---- vector registers ---- */

/* Clears the upper halves after the thread may have lost the CPU. While one is not cleared, each SSE instruction waits for
 * the register's last value. A system that restores all registers of a thread leaves them set, in a program without AVX
 * forever (bench/decisions.md#regions). Cost: a branch and an instruction. */
#if defined(__x86_64__)
#    define SSE_AND_AVX 6u /* in the mask of registers that the system saves */

enum { UNKNOWN, HAS_NONE, HAS_SOME };

static struct bz_a32 upper_halves; /* one of these. Any thread writes the same value, any reads it */

BZ_COLD static uint32_t detect(void) {
    unsigned a, b, c = 0, d, saved = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) && c & bit_OSXSAVE && c & bit_AVX)
        __asm__("xgetbv" : "=a"(saved), "=d"(d) : "c"(0));
    uint32_t found = (saved & SSE_AND_AVX) == SSE_AND_AVX ? HAS_SOME : HAS_NONE;
    bz_store_relaxed(&upper_halves, found); /* relaxed: a number alone */
    return found;
}

static void clear_upper_halves(void) {
    uint32_t has = bz_load_relaxed(&upper_halves); /* relaxed: as above */
    if (bz_unlikely(has == UNKNOWN))
        has = detect();
    if (has == HAS_SOME)
        __asm__ volatile("vzeroupper" ::
                             : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
                               "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

#else

static void clear_upper_halves(void) {
}

#endif

/* ---- futexes ---- */

/* A system call that keeps errno. Returns 0 or an errno value. */
static int quiet_call(long number, long a, long b, long c, long d, long bits) {
    BZ_KEEP_ERRNO;
    return syscall(number, a, b, c, d, NULL, bits) < 0 ? errno : 0;
}

/* FUTEX_WAIT_BITSET takes an absolute timeout (NULL: none), so that a wait resumed after a signal ends no later. */
static int futex_wait(uint32_t *word, uint32_t expected, const struct timespec *timeout, uint32_t bits) {
    int rc;
    do {
        rc = quiet_call(SYS_futex, (long)word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, expected,
                        (long)timeout, bits);
    } while (rc == EINTR);
    clear_upper_halves();
    return rc;
}

void bz_os_futex_wait(uint32_t *word, uint32_t expected) {
    (void)futex_wait(word, expected, NULL, FUTEX_BITSET_MATCH_ANY);
}

/* Linux treats a halted virtual CPU as busy. So it wakes a thread on its waker's CPU although another one is idle, and
 * leaves it there for milliseconds (bench/decisions.md#placement). */
void bz_os_futex_wait_off(uint32_t *word, uint32_t expected, const uint64_t *cpus) {
    size_t words = bz_cpus_words();
    uint64_t *had = __builtin_alloca(2 * words * sizeof *had), *without = had + words;
    bool left = cpus && !bz_pinned && bz_cpus_leave(cpus, had, without);
    bz_os_futex_wait(word, expected);
    if (left)
        bz_cpus_return(had, without);
}

bool bz_os_move_off(const uint64_t *cpus) {
    if (bz_pinned)
        return false;
    size_t words = bz_cpus_words();
    uint64_t *had = __builtin_alloca(2 * words * sizeof *had), *without = had + words;
    bool left = bz_cpus_leave(cpus, had, without);
    if (left) {
        bz_cpus_return(had, without);
        clear_upper_halves();
    }
    return left;
}

/* Sets how late timers of the calling thread may be, in nanoseconds; returns the previous value, or -1. */
static int set_slack(unsigned long slack_ns) {
    BZ_KEEP_ERRNO;
    int before = prctl(PR_GET_TIMERSLACK, 0UL, 0UL, 0UL, 0UL);
    (void)prctl(PR_SET_TIMERSLACK, slack_ns, 0UL, 0UL, 0UL);
    return before;
}

int bz_os_futex_wait_until(uint32_t *word, uint32_t expected, uint64_t deadline_ns, uint32_t bits) {
    struct timespec deadline = {
        .tv_sec = (time_t)(deadline_ns / NS_PER_S),
        .tv_nsec = (long)(deadline_ns % NS_PER_S),
    };
    int slack = deadline_ns != 0 ? set_slack(1) : -1; /* 0 would mean the default */
    int error = futex_wait(word, expected, deadline_ns != 0 ? &deadline : NULL,
                           bits != 0 ? bits : FUTEX_BITSET_MATCH_ANY);
    if (slack > 0)
        (void)set_slack((unsigned long)slack);
    return error == ETIMEDOUT ? ETIMEDOUT : 0;
}

void bz_os_futex_wake(uint32_t *word, int count) {
    (void)quiet_call(SYS_futex, (long)word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, count, 0, 0);
}

void bz_os_futex_wake_all_as(uint32_t *word, uint32_t bits) {
    (void)quiet_call(SYS_futex, (long)word, FUTEX_WAKE_BITSET | FUTEX_PRIVATE_FLAG, INT_MAX, 0, bits);
}

/* ---- the CPU ---- */

unsigned bz_os_cpu(void) {
    BZ_KEEP_ERRNO;
    return (unsigned)sched_getcpu(); /* -1 if it fails */
}

void bz_os_yield(void) {
    static uint32_t never_woken;
    if (bz_unlikely(bz_cpus_sleep_is_due()))
        (void)bz_os_futex_wait_until(&never_woken, 0, bz_os_now_ns() + BZ_YIELD_SLEEP_NS, 0);
    else
        (void)sched_yield(); /* always succeeds on Linux: errno stays */
    clear_upper_halves();
}

/* ---- barriers on other threads ---- */

bool bz_os_membarrier_register(void) {
    return quiet_call(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0, 0, 0) == 0;
}

bool bz_os_membarrier(void) {
    return quiet_call(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0, 0, 0) == 0;
}

/* ---- threads ---- */

#define STACK_UNLIMITED ((size_t)16 << 20) /* bytes, where there is no limit; see bz_os_default_stack */
#define STACK_OVERHEAD ((size_t)64 * 1024) /* bytes, where the C library does not say */
#define THREAD_NAME_SIZE 16                /* the kernel's TASK_COMM_LEN, terminator included */

/* For a new thread. Written by its creator; read and freed by the thread. */
struct thread_start {
    void (*main)(void *);
    void *arg;
    void (*cut_short)(void); /* or NULL */
    size_t room;             /* bytes of stack for main */
    bool has_cpus;           /* takes `cpus`, which may not be the creator's */
    uint64_t cpus[];         /* bz_cpus_words() words */
};

static void ended_early(void *raw) {
    const struct thread_start *start = raw;
    if (start->cut_short)
        start->cut_short();
}

#define STACK_UNIT 16

static void *thread_entry(void *raw) {
    struct thread_start start = *(struct thread_start *)raw;
    /* Below its first frame lies the stack that it requested. */
    uintptr_t limit = (uintptr_t)__builtin_frame_address(0) - start.room;
    uintptr_t units = ((uintptr_t)&bz_cpus_own - limit) / STACK_UNIT;
    bz_cpus_own.stack = units < UINT32_MAX ? (uint32_t)units : UINT32_MAX;
    if (start.has_cpus)
        bz_cpus_take(((struct thread_start *)raw)->cpus);
    bz_free(raw);
    pthread_cleanup_push(ended_early, &start);
    start.main(start.arg);
    pthread_cleanup_pop(0);
    return NULL;
}

static struct thread_start *thread_start_new(const struct bz_os_thread_attr *attr, void (*main)(void *),
                                             void *arg) {
    struct thread_start *start = bz_alloc(sizeof *start + bz_cpus_words() * sizeof *start->cpus);
    if (!start)
        return NULL;
    *start = (struct thread_start){.main = main, .arg = arg, .cut_short = attr->cut_short};
    /* It does not inherit the creator's pin. */
    if (bz_pinned || !attr->anywhere)
        start->has_cpus = (bz_pinned ? bz_cpus_of_process(start->cpus) : bz_cpus_of_thread(start->cpus)) == 0;
    return start;
}

/* What the C library needs of a stack. Written by the constructor, since a search takes the loader's lock; read by all. */
static size_t (*stack_overhead)(const pthread_attr_t *attr);

__attribute__((constructor)) static void find_stack_overhead(void) {
    *(void **)&stack_overhead = dlsym(RTLD_DEFAULT, "__pthread_get_minstack");
}

/* That of the initial thread. Without a limit the C library takes 2 MiB, less than usual limits. */
size_t bz_os_default_stack(void) {
    pthread_attr_t attr;
    size_t size = 0;
    struct rlimit limit;
    if (pthread_attr_init(&attr) == 0) {
        (void)pthread_attr_getstacksize(&attr, &size);
        (void)pthread_attr_destroy(&attr);
    }
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY && size < STACK_UNLIMITED)
        size = STACK_UNLIMITED;
    return size;
}

/* The thread begins on another CPU than its creator's, or on that one, and first takes all its CPUs
 * (bench/decisions.md#placement). */
static void choose_cpu(pthread_attr_t *attr, struct thread_start *start, bool on_creator_cpu) {
    size_t words = bz_cpus_words();
    int here = sched_getcpu();
    if (!start->has_cpus || here < 0 || (size_t)here / BZ_CPUS_WORD_BITS >= words)
        return;
    uint64_t *chosen = __builtin_alloca(words * sizeof *chosen);
    if (on_creator_cpu) {
        memset(chosen, 0, words * sizeof *chosen);
        bz_cpus_add(chosen, (unsigned)here);
    } else {
        memcpy(chosen, start->cpus, words * sizeof *chosen);
        bz_cpus_remove(chosen, (unsigned)here);
    }
    if (bz_cpus_next(chosen, words, 0) != UINT_MAX) /* no memory for it: it begins anywhere */
        (void)pthread_attr_setaffinity_np(attr, words * sizeof *chosen, (cpu_set_t *)chosen);
}

/* pthread_create; again without a chosen CPU if that is refused. */
static int create(pthread_attr_t *attr, struct thread_start *start) {
    pthread_t handle;
    int rc = pthread_create(&handle, attr, thread_entry, start);
    if (rc != 0 && rc != EAGAIN && start->has_cpus) {
        (void)pthread_attr_setaffinity_np(attr, 0, (cpu_set_t *)start->cpus);
        rc = pthread_create(&handle, attr, thread_entry, start);
    }
    return rc;
}

/* With `size` bytes of stack for the thread's own use; 0: the default. */
static int create_with_stack(pthread_attr_t *attr, size_t size, struct thread_start *start) {
    size_t page = bz_os_page_size();
    start->room = size != 0 ? size : bz_os_default_stack();
    if (start->room > SIZE_MAX / 4)
        return EINVAL;
    size = start->room + (stack_overhead ? stack_overhead(attr) : STACK_OVERHEAD);
    int rc = pthread_attr_setstacksize(attr, (size + page - 1) & ~(page - 1));
    return rc == 0 ? create(attr, start) : rc;
}

int bz_os_thread_start(const struct bz_os_thread_attr *attr, void (*main)(void *), void *arg) {
    pthread_attr_t pattr;
    int rc = pthread_attr_init(&pattr);
    if (rc != 0)
        return rc;
    (void)pthread_attr_setdetachstate(&pattr, PTHREAD_CREATE_DETACHED);
    struct thread_start *start = thread_start_new(attr, main, arg);
    rc = ENOMEM;
    if (start) {
        choose_cpu(&pattr, start, attr->on_creator_cpu);
        rc = create_with_stack(&pattr, attr->stack_size, start);
    }
    (void)pthread_attr_destroy(&pattr);
    if (rc != 0)
        bz_free(start);
    return rc;
}

int bz_os_cancel_hold(void) {
    int held = PTHREAD_CANCEL_ENABLE;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &held);
    return held;
}

void bz_os_cancel_allow(int held) {
    (void)pthread_setcancelstate(held, NULL);
}

void *bz_os_thread_tls(void) {
#if defined __GLIBC__ && defined __x86_64__
    return ((void ***)pthread_self())[1] - 2; /* the descriptor begins with the thread pointer's own words */
#elif defined __GLIBC__ && defined __aarch64__
    return *(void ***)__builtin_thread_pointer() - 2;
#else
    return NULL;
#endif
}

void bz_os_thread_rename(const char *name) {
    char cut[THREAD_NAME_SIZE] = "";
    strncpy(cut, name, THREAD_NAME_SIZE - 1);
    (void)pthread_setname_np(pthread_self(), cut);
}

uint32_t bz_os_thread_id(void) {
    return (uint32_t)syscall(SYS_gettid);
}

uintptr_t bz_os_thread_handle(void) {
    return (uintptr_t)pthread_self();
}

uint32_t bz_os_process_id(void) {
    return (uint32_t)getpid();
}

unsigned bz_os_thread_count(void) {
    BZ_KEEP_ERRNO;
    struct stat tasks; /* a folder has a link for each folder in it, and two more */
    bool known = stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink > 2;
    return known ? (unsigned)tasks.st_nlink - 2 : 0;
}

void bz_os_host_name(char *name, size_t size) {
    name[0] = '\0';
    (void)gethostname(name, size);
    name[size - 1] = '\0';
}

/* The calling thread's first stack. False: the system does not say. */
static bool find_stack(uintptr_t *low, size_t *size, size_t *guard) {
    pthread_attr_t attr;
    void *address = NULL;
    if (pthread_getattr_np(pthread_self(), &attr) != 0)
        return false;
    (void)pthread_attr_getstack(&attr, &address, size);
    (void)pthread_attr_getguardsize(&attr, guard);
    (void)pthread_attr_destroy(&attr);
    *low = (uintptr_t)address;
    return true;
}

#define STACK_UNKNOWN_ROOM ((uintptr_t)64 * 1024)

uintptr_t bz_os_stack_limit(void) {
    uintptr_t low;
    size_t size, guard, page = bz_os_page_size();
    if (bz_cpus_own.stack != 0)
        return (uintptr_t)&bz_cpus_own - (uintptr_t)bz_cpus_own.stack * STACK_UNIT;
    if (!find_stack(&low, &size, &guard))
        return (uintptr_t)__builtin_frame_address(0) - STACK_UNKNOWN_ROOM;
    return low + (guard > page ? guard : page);
}

bool bz_os_stack_holds(uintptr_t address) {
    uintptr_t low;
    size_t size, guard;
    return find_stack(&low, &size, &guard) && address - low < size;
}

void *bz_os_stack_new(size_t size) {
    size_t guard = bz_os_page_size();
    char *low = mmap(NULL, guard + size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (low == MAP_FAILED)
        return NULL;
    if (mprotect(low, guard, PROT_NONE) != 0) {
        (void)munmap(low, guard + size);
        return NULL;
    }
    return low + guard;
}

void bz_os_stack_free(void *stack, size_t size) {
    size_t guard = bz_os_page_size();
    (void)munmap((char *)stack - guard, guard + size);
}

size_t bz_os_page_size(void) {
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* ---- events of threads and of the process ---- */

/* Always the same. Written by callers of bz_os_at_thread_exit, read by their ends. */
static struct { void (*v)(void *); } thread_exit_fn;

/* Holds each thread's arg. Written under pthread_once, read after it. */
static pthread_key_t thread_exit_key;
static pthread_once_t thread_exit_once = PTHREAD_ONCE_INIT;
static int thread_exit_error;

static void thread_ended(void *arg) {
    bz_load_relaxed (&thread_exit_fn)(arg); /* relaxed: this thread has written it */
}

static void thread_exit_key_create(void) {
    thread_exit_error = pthread_key_create(&thread_exit_key, thread_ended);
}

int bz_os_at_thread_exit(void (*fn)(void *), void *arg) {
    (void)pthread_once(&thread_exit_once, thread_exit_key_create);
    if (thread_exit_error != 0)
        return thread_exit_error;
    bz_store_relaxed(&thread_exit_fn, fn); /* relaxed: see thread_ended */
    return pthread_setspecific(thread_exit_key, arg);
}

void *bz_os_thread_exit_arg(void) {
    (void)pthread_once(&thread_exit_once, thread_exit_key_create);
    return thread_exit_error == 0 ? pthread_getspecific(thread_exit_key) : NULL;
}

/* pthread_atfork is a stub behind all code of a library, which only calls this: without it, a start reads fewer pages. */
extern int __register_atfork(void (*)(void), void (*)(void), void (*)(void), void *library);
extern void *__dso_handle __attribute__((visibility("hidden")));

int bz_os_at_fork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
    return __register_atfork(prepare, parent, child, __dso_handle);
}

const char *bz_os_getenv(const char *name) {
    return secure_getenv(name);
}

char **bz_os_environment(void) {
    static char *none[] = {NULL};
    return environ && getauxval(AT_SECURE) == 0 ? environ : none;
}
