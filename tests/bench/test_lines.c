/* The model of caches (bench/lines/caches.h) on accesses with known results. */
#include "caches.h"

#include <stdio.h>
#include <stdlib.h>

/* Four cores, two sockets: 0 and 1, 2 and 3. Cores in turn read (r) or write (w) a line. */
struct step {
    unsigned core;
    char access;
    uint64_t line;
    enum caches_kind kind;
    bool far;
    unsigned dropped;
};

static const struct step trace[] = {
    /* A line that one core has for itself: read, written, then both without a transfer. */
    {0, 'r', 7, CACHES_MEMORY, false, 0},
    {0, 'r', 7, CACHES_HIT, false, 0},
    {0, 'w', 7, CACHES_HIT, false, 0}, /* exclusive to modified */
    {0, 'r', 7, CACHES_HIT, false, 0},
    /* others read it: from the nearest */
    {2, 'r', 7, CACHES_FETCH, true, 0},
    {3, 'r', 7, CACHES_FETCH, false, 0},
    {1, 'r', 7, CACHES_FETCH, false, 0},
    {0, 'r', 7, CACHES_HIT, false, 0},
    /* one that has it writes: three lose it, two of them far away */
    {1, 'w', 7, CACHES_CLAIM, true, 3},
    {1, 'w', 7, CACHES_HIT, false, 0},
    /* A spinning reader: one transfer for each change, however often it polls. */
    {0, 'r', 7, CACHES_FETCH, false, 0},
    {0, 'r', 7, CACHES_HIT, false, 0},
    {0, 'r', 7, CACHES_HIT, false, 0},
    {1, 'w', 7, CACHES_CLAIM, false, 1},
    {0, 'r', 7, CACHES_FETCH, false, 0},
    /* one that does not have it writes */
    {3, 'w', 7, CACHES_FETCH, true, 2},
    {2, 'w', 7, CACHES_FETCH, false, 1},
    /* another line has nothing to do with it */
    {0, 'w', 8, CACHES_MEMORY, false, 0},
    {2, 'w', 7, CACHES_HIT, false, 0},
    {0, 'w', 8, CACHES_HIT, false, 0},
    {2, 'w', 8, CACHES_FETCH, true, 1},
};

static void fail(const char *what, size_t at) {
    printf("%s, %zu\n", what, at);
    exit(1);
}

static void check_trace(void) {
    struct caches *caches = caches_new(4, 2);
    for (size_t i = 0; i < sizeof trace / sizeof *trace; i++) {
        const struct step *step = &trace[i];
        struct caches_answer answer = caches_access(caches, step->core, step->line, step->access == 'w');
        if (answer.kind != step->kind || answer.far != step->far || answer.dropped != step->dropped ||
            answer.line->number != step->line)
            fail("a step of the trace", i);
    }
    caches_free(caches);
}

static void count_line(struct caches_line *line, void *arg) {
    (void)line;
    ++*(size_t *)arg;
}

/* More lines than the table has room for at first, and then each again, by another core. */
static void check_many_lines(void) {
    enum { LINES = 20000, STRIDE = 4097 };
    struct caches *caches = caches_new(CACHES_CORES_MAX, 1);
    size_t lines = 0;
    for (uint64_t i = 0; i < LINES; i++)
        if (caches_access(caches, 0, i * STRIDE, true).kind != CACHES_MEMORY)
            fail("a new line is there", i);
    for (uint64_t i = 0; i < LINES; i++)
        if (caches_access(caches, CACHES_CORES_MAX - 1, i * STRIDE, false).kind != CACHES_FETCH)
            fail("a line is lost", i);
    caches_each(caches, count_line, &lines);
    if (lines != LINES)
        fail("a visit has missed lines", lines);
    caches_free(caches);
}

/* A central barrier of n: each adds, the last one writes, all others read. n fetches to add, none to write, n - 1 to read;
 * and before the next one n - 1 claims and fetches again. */
static void check_barrier(void) {
    enum { CORES = 8, MEETINGS = 5 };
    struct caches *caches = caches_new(CORES, 2);
    unsigned transfers = 0;
    for (unsigned k = 0; k < MEETINGS; k++) {
        for (unsigned core = 0; core < CORES; core++)
            transfers += caches_is_transfer(caches_access(caches, core, 1, true).kind);
        (void)caches_access(caches, CORES - 1, 1, true);
        for (unsigned core = 0; core + 1 < CORES; core++)
            transfers += caches_is_transfer(caches_access(caches, core, 1, false).kind);
    }
    /* the very first addition comes from memory */
    if (transfers != MEETINGS * (CORES + CORES - 1) - 1)
        fail("transfers of a barrier", transfers);
    caches_free(caches);
}

static void check_limits(void) {
    if (caches_new(0, 1) || caches_new(CACHES_CORES_MAX + 1, 1) || caches_new(4, 0) || caches_new(4, 5))
        fail("a machine that there cannot be", 0);
    struct caches *caches = caches_new(5, 2);
    if (caches_socket(caches, 0) != 0 || caches_socket(caches, 2) != 0 || caches_socket(caches, 3) != 1 ||
        caches_socket(caches, 4) != 1)
        fail("a core's socket", 0);
    caches_free(caches);
}

int main(void) {
    check_trace();
    check_many_lines();
    check_barrier();
    check_limits();
    return 0;
}
