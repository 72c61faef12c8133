/* See first_mask.h. Only an ifunc's resolver runs that early. The C library may not be relocated yet, so the resolver
 * makes the system call itself, and the kernel writes to our memory. */
#include "omp/icv/first_mask.h"

#include <string.h>
#include <sys/syscall.h>

#include "omp/base/export.h"
#include "runtime.h"

/* Room for 16384 CPUs; with more, nothing is remembered. */
#define FIRST_WORDS 256

/* Written while the library is relocated, constant from then on. */
static uint64_t first_mask[FIRST_WORDS];
static long first_bytes; /* of first_mask that the kernel wrote; 0 or less: none */

static inline long ask_kernel(void *set, long bytes) {
#if defined(__x86_64__)
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"((long)SYS_sched_getaffinity), "D"(0L), "S"(bytes), "d"(set)
                     : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = SYS_sched_getaffinity;
    register long x0 __asm__("x0") = 0;
    register long x1 __asm__("x1") = bytes;
    register void *x2 __asm__("x2") = set;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
    return x0;
#else
    (void)set, (void)bytes;
    return 0;
#endif
}

static void nothing(void) {
}

typedef void function(void);

__attribute__((used, no_sanitize("address", "thread", "undefined"), no_stack_protector)) static function *
resolve(void) {
    first_bytes = ask_kernel(first_mask, sizeof first_mask);
    return nothing;
}

/* Not static: clang would export it. */
BOMP_HIDDEN void bomp_first_mask_asked_for(void) __attribute__((ifunc("resolve")));

/* What makes the loader ask. */
__attribute__((used)) static function *const reason = bomp_first_mask_asked_for;

bool bomp_libgomp_is_loaded(void) {
    return bz_os_is_loaded_too("libgomp", &first_bytes);
}

static bool is_remembered(size_t bytes) {
    return first_bytes > 0 && bytes <= sizeof first_mask;
}

int bomp_process_cpus(uint64_t *set) {
    bool known = is_remembered(bz_cpus_words() * sizeof *set);
    return known && !bz_cpus_kept() && bomp_libgomp_is_loaded() ? bomp_first_cpus(set)
                                                                : bz_cpus_of_process(set);
}

int bomp_first_cpus(uint64_t *set) {
    size_t bytes = bz_cpus_words() * sizeof *set;
    if (!is_remembered(bytes))
        return bz_cpus_of_process(set);
    memcpy(set, first_mask, bytes);
    return 0;
}
