// flags: -rdynamic
// threads: 2
// env: OMP_CANCELLATION=true OMP_MAX_TASK_PRIORITY=5 OMP_MAX_ACTIVE_LEVELS=4
// beyond libgomp: it ends where a thread cannot be had
// Memory that runs out, or a thread that cannot be had, at each place where the runtime asks for one: a process that uses
// every construct goes on rightly or ends with one line that says why. Each place once in a process of its own.
#define _GNU_SOURCE
#include "check.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "../sanitized.h"
#include "child.h"

enum { ALARM_SECONDS = 20, SIZE = 64, LARGE = 3000 };

/* ---- what fails ---- */

static int asked;          /* allocations and threads so far */
static int fail_from = -1; /* those numbers fail; -1: none */
static int fail_to = -1;

__attribute__((unused)) static int fails(void) {
    int number = __atomic_fetch_add(&asked, 1, __ATOMIC_RELAXED);
    int yes = number >= fail_from && number < fail_to;
    if (yes)
        errno = ENOMEM;
    return yes;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* A sanitizer has its own in their places. */
#if !SANITIZED

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

/* ---- what asks ---- */

static void regions(void) {
    int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
    {
        sum += omp_get_num_threads() >= 1;
#pragma omp parallel num_threads(2)
        {
#pragma omp barrier
        }
    }
    CHECK(sum >= 1 && sum <= 3);
#pragma omp parallel num_threads(9)
    {}
}

static void loops(void) {
    long sum = 0, last = -1;
    static int order;
    order = 0;
#pragma omp parallel num_threads(3)
    {
#pragma omp for schedule(dynamic, 3) reduction(+ : sum)
        for (int i = 0; i < SIZE; i++)
            sum += i;
#pragma omp for schedule(guided) reduction(+ : sum) nowait
        for (int i = 0; i < SIZE; i++)
            sum += i;
#pragma omp for schedule(static, 2) ordered
        for (int i = 0; i < SIZE; i++) {
#pragma omp ordered
            CHECK_EQ(order++, i);
        }
#pragma omp for schedule(dynamic) lastprivate(conditional : last)
        for (int i = 0; i < SIZE; i++)
            if (i % 7 == 0)
                last = i;
#pragma omp sections reduction(+ : sum)
        {
#pragma omp section
            sum++;
#pragma omp section
            sum++;
        }
    }
    CHECK_EQ(sum, SIZE * (SIZE - 1) + 2);
    CHECK_EQ(last, (SIZE - 1) / 7 * 7);
}

static void doacross(void) {
    static int seen[SIZE][4];
#pragma omp parallel for schedule(dynamic) ordered(2) num_threads(3)
    for (int i = 1; i < SIZE; i++)
        for (int j = 1; j < 4; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
            seen[i][j] = seen[i - 1][j] + seen[i][j - 1] + 1;
#pragma omp ordered depend(source)
        }
    CHECK(seen[SIZE - 1][3] > 0);
}

static void single(void) {
    int copied = 0, sum = 0;
#pragma omp parallel num_threads(3) firstprivate(copied) reduction(+ : sum)
    {
#pragma omp single copyprivate(copied)
        copied = 7;
        sum += copied == 7;
#pragma omp critical(named)
        sum += 0;
    }
    CHECK(sum >= 1);
}

struct large {
    char bytes[LARGE];
};

static void tasks(void) {
    int done = 0;
    struct large large;
    memset(&large, 1, sizeof large);
#pragma omp parallel num_threads(3)
#pragma omp single
    {
        for (int i = 0; i < 40; i++) {
#pragma omp task
            count_up(&done);
#pragma omp task firstprivate(large)
            CHECK_EQ(large.bytes[i], 1);
            int variable[i + 1];
            variable[i] = i;
#pragma omp task firstprivate(variable) priority(i % 3)
            CHECK_EQ(variable[i], i);
#pragma omp task untied
            {
#pragma omp task if (0)
                {
#pragma omp task
                    count_up(&done);
                }
#pragma omp taskyield
            }
        }
#pragma omp taskwait
#pragma omp task
        {
            omp_set_num_threads(2);
            CHECK_EQ(omp_get_max_threads(), 2);
#pragma omp task
            omp_set_num_threads(3);
        }
    }
    CHECK_EQ(done, 80);
}

static void depend(void) {
    int at[SIZE] = {0}, exclusive = 0;
    omp_depend_t object;
#pragma omp depobj(object) depend(inout : at[0])
#pragma omp parallel num_threads(3)
#pragma omp single
    {
        for (int i = 0; i + 1 < SIZE; i++) {
#pragma omp task depend(in : at[i]) depend(out : at[i + 1])
            at[i + 1] = at[i] + 1;
#pragma omp task depend(mutexinoutset : exclusive)
            exclusive++;
        }
#pragma omp task depend(iterator(int k = 0 : SIZE), in : at[k])
        CHECK_EQ(at[SIZE - 1], SIZE - 1);
#pragma omp task depend(depobj : object) if (0)
        at[0] = 0;
#pragma omp taskwait depend(in : exclusive)
        CHECK_EQ(exclusive, SIZE - 1);
    }
#pragma omp depobj(object) destroy
}

static void groups(void) {
    long sum = 0, total = 0;
#pragma omp parallel num_threads(3) reduction(task, + : total)
    {
#pragma omp single
        {
#pragma omp taskgroup task_reduction(+ : sum)
            {
                for (int i = 0; i < SIZE; i++) {
#pragma omp task in_reduction(+ : sum)
                    sum += i;
                }
            }
#pragma omp taskloop reduction(+ : sum) grainsize(2)
            for (int i = 0; i < SIZE; i++)
                sum += i;
            struct large large;
            memset(&large, 1, sizeof large);
#pragma omp taskloop num_tasks(5) firstprivate(large)
            for (int i = 0; i < SIZE; i++)
                CHECK_EQ(large.bytes[i], 1);
#pragma omp task in_reduction(+ : total)
            total++;
        }
    }
    CHECK_EQ(sum, SIZE * (SIZE - 1));
    CHECK_EQ(total, 1);
}

static void detached(void) {
    int done = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
    {
        omp_event_handle_t event;
#pragma omp task detach(event) depend(out : done)
        done = 1;
#pragma omp task depend(in : done)
        CHECK_EQ(done, 1);
        omp_fulfill_event(event);
    }
}

static void cancelled(void) {
    int done = 0;
#pragma omp parallel num_threads(3)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < SIZE; i++) {
            if (i == SIZE / 2) {
#pragma omp cancel for
            }
            count_up(&done);
        }
#pragma omp single
#pragma omp taskgroup
        for (int i = 0; i < SIZE; i++) {
#pragma omp task
            {
#pragma omp cancel taskgroup
            }
        }
    }
    CHECK(done <= SIZE);
}

static void others(void) {
    int here = 0, leagues = 0;
#pragma omp target map(tofrom : here) firstprivate(leagues)
    here = 1 + leagues;
#pragma omp target map(tofrom : here) nowait
    here++;
#pragma omp taskwait
    CHECK_EQ(here, 2);
#pragma omp teams num_teams(2) reduction(+ : leagues)
    leagues++;
    CHECK(leagues >= 1);
    omp_nest_lock_t lock;
    omp_init_nest_lock(&lock);
    omp_set_nest_lock(&lock);
    omp_unset_nest_lock(&lock);
    omp_destroy_nest_lock(&lock);
    omp_alloctrait_t trait = {omp_atk_fallback, omp_atv_null_fb};
    omp_allocator_handle_t allocator = omp_init_allocator(omp_default_mem_space, 1, &trait);
    omp_free(omp_alloc(100, allocator), allocator);
    omp_destroy_allocator(allocator);
    char text[80];
    CHECK(omp_capture_affinity(text, sizeof text, "%n %A") > 0);
}

static void everything(void) {
    regions();
    loops();
    doacross();
    single();
    tasks();
    depend();
    groups();
    detached();
    cancelled();
    others();
    for (int i = 0; i < 3; i++)
        regions();
}

/* ---- one process for each ---- */

/* Where those numbers fail; `count` is what was asked for when all is over. */
struct trial {
    int from, to, *count;
};

static void everything_of(void *arg) {
    const struct trial *trial = arg;

    fail_from = trial->from;
    fail_to = trial->to;
    asked = 0;
    everything();
    if (trial->count)
        *trial->count = asked;
}

/* At most one warning of a smaller team, and if the process did not go on, the reason. */
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
