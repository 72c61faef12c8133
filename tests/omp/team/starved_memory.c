// beyond libomp: it aborts
// flags: -rdynamic
// threads: 2
// env: OMP_CANCELLATION=true OMP_MAX_TASK_PRIORITY=5 OMP_MAX_ACTIVE_LEVELS=4
// beyond libgomp: it ends if a thread cannot be created
// Memory runs out, or a thread cannot be created, at each request of the runtime: a process that uses every construct
// goes on correctly or ends with one message that gives the reason. Each request fails once, in a child process.
#define _GNU_SOURCE
#include "../check.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "../../sanitized.h"
#include "../child.h"
#include "../constructs.h"

enum { ALARM_SECONDS = 100 };

/* ---- failing requests ---- */

static int asked;          /* requests of memory and threads so far */
static int fail_from = -1; /* requests from this number on fail; -1: none */
static int fail_to = -1;

__attribute__((unused)) static int fails(void) {
    int number = __atomic_fetch_add(&asked, 1, __ATOMIC_RELAXED);
    int yes = number >= fail_from && number < fail_to;
    if (yes)
        errno = ENOMEM;
    return yes;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* A sanitizer has its own allocator. */
#if !SANITIZED

/* Makes the runtime use malloc, as under a sanitizer. */
size_t __sanitizer_get_allocated_size(const void *block);
size_t __sanitizer_get_allocated_size(const void *block) {
    (void)block;
    return 0;
}

void *malloc(size_t size) {
    return fails() ? NULL : REAL(malloc)(size);
}
void *calloc(size_t count, size_t size) {
    return fails() ? NULL : REAL(calloc)(count, size);
}
void *realloc(void *block, size_t size) {
    return fails() ? NULL : REAL(realloc)(block, size);
}
void *aligned_alloc(size_t align, size_t size) {
    return fails() ? NULL : REAL(aligned_alloc)(align, size);
}
int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*main)(void *), void *arg) {
    return fails() ? EAGAIN : REAL(pthread_create)(thread, attr, main, arg);
}
#endif

/* ---- one process for each ---- */

/* The numbers of the requests that fail; `count` is the number of requests at the end. */
struct trial {
    int from, to, *count;
};

static void everything_of(void *arg) {
    const struct trial *trial = arg;

    fail_from = trial->from;
    fail_to = trial->to;
    asked = 0;
    everything();
    allocators();
    if (trial->count)
        *trial->count = asked;
}

/* Whether the text is clear: at most one warning of a smaller team, and the reason if the process ended. */
static int is_clear(const char *text, int status) {
    int warnings = 0, reasons = 0;
    for (const char *end; (end = strchr(text, '\n')); text = end + 1)
        if (strncmp(text, "libblitz-omp: cannot start thread ", 34) == 0)
            warnings++;
        else
            reasons += memmem(text, (size_t)(end - text), "memory", 6) ? 1 : 9;
    return *text == '\0' && warnings <= 1 && reasons == (status != 0) && status <= 1;
}

static void try(int from, int to) {
    struct trial trial = {from, to, NULL};
    int status = child_run(everything_of, &trial, ALARM_SECONDS);
    int right = WIFEXITED(status) && is_clear(child_heard, WEXITSTATUS(status));

    if (!right)
        fprintf(stderr, "from %d to %d: status %#x and: %s\n", from, to, (unsigned)status, child_heard);
    CHECK(right);
}

int main(int argc, char **argv) {
    int *count = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct trial whole = {-1, -1, count};

    CHECK_EQ(child_run(everything_of, &whole, ALARM_SECONDS), 0);
    CHECK(SANITIZED || *count > 50);
    for (int n = (int)check_arg(argc, argv, 1, 0); n < check_arg(argc, argv, 2, *count); n++) {
        try(n, n + 1);
        if (n % 16 == 0)
            try(n, INT32_MAX);
    }
    return check_done("starved_memory");
}
