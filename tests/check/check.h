/* The checker: the interface for tests, and that between its own files. README.md explains how it works. */
#ifndef CHECK_H
#define CHECK_H

#include "base/atomic.h"

enum { CHECK_THREADS = 5 }; /* 0: begins and ends the test; the others are checked */

/* One test: `begin` first, then the bodies at the same time, `end` after all have ended. */
struct check_test {
    const char *name;
    void (*begin)(void);
    void (*body[CHECK_THREADS - 1])(void); /* NULL: the test has fewer threads */
    void (*end)(void);
    int bound;    /* maximum of preemptions, and of old values, in a run; -1: any number */
    int spurious; /* futex waits, and rounds of a spin, that may return spuriously */
};

/* Runs the tests that the arguments select (report.c). */
int check_main(int argc, char **argv, const struct check_test *tests, size_t count);

/* Reports that the run is wrong; does not return. */
_Noreturn void check_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define check_that(x) ((x) ? (void)0 : check_fail("%s:%d: not so: %s", __FILE__, __LINE__, #x))

/* The calling thread. */
int check_self(void);
/* Memory that ends with the run. No thread may touch it after check_gone. */
void *check_new(size_t size);
void check_gone(void *memory);
/* Declares thread-local memory of the sources: each thread has its own, initially zero. For `begin`. */
void check_own(void *memory, size_t size);

/* ---- search.c ---- */

/* Called before an access to a shared word, or a fence (NULL): chooses the thread that goes on. */
void check_point(const void *word, bool writes);
/* Chooses one of n ways to go on. */
unsigned check_choose(unsigned n);
/* The same for the values that a load may see, or the places of a store: the first one is the newest. */
unsigned check_choose_value(unsigned n);
/* The calling thread waits: for news, or until check_ready. True: that came before the end of its time. */
enum check_wait { CHECK_RELAXES, CHECK_SLEEPS, CHECK_SLEEPS_TIMED };
bool check_block(enum check_wait wait);
void check_ready(int thread);
bool check_is_running(void);
bool check_is_own(uintptr_t address);
/* Adds to the thread's history: equal histories are equal states. */
void check_note(int thread, uint64_t what);

struct check_outcome {
    bool failed, unfinished; /* a run failed; the limit of runs was reached first */
    uint64_t runs, states;
    const char *test, *error; /* the test; the error of the run that failed */
};
struct check_search {
    int bound;
    uint64_t random, seed, most; /* random runs, 0: all; the first one; the maximum */
    const char *replay;
    bool quiet;
};
struct check_outcome check_search(const struct check_test *test, const struct check_search *how);

/* ---- memory.c: the values that a load may see ---- */

void check_memory_reset(void);
void check_memory_start(int thread);
void check_memory_join(void);
uint64_t check_memory_hash(void);
void check_barrier_all(void);
/* The kernel's read of a word before a sleep, and the wake. */
uint64_t check_futex_value(const uint32_t *word);
void check_futex_published(const uint32_t *word);
/* Whether a word has a newer value than the thread has read since it last relaxed. */
bool check_has_news(int thread);

/* ---- race.c: plain accesses, and freed memory ---- */

void check_race_reset(void);
void check_race_undo(void);
void check_touch(uintptr_t address, size_t size, bool write, bool atomic, const void *where);
/* The threads' clocks, as known to `thread`. */
const uint32_t *check_clocks(int thread);

/* ---- system.c ---- */

void check_system_reset(const struct check_test *test);
uint64_t check_system_hash(void);
/* Whether a wait returns spuriously here. */
bool check_ends_early(void);

/* ---- report.c ---- */

extern uint64_t check_test_bit; /* of the current test, in check_site.tests */
void check_log_reset(void);
void check_keep_site(struct check_site *site);
void check_log(const struct check_site *site, const char *what, const void *word, uint64_t before,
               uint64_t after);
void check_log_print(void);

static inline uint64_t check_mix(uint64_t hash, uint64_t x) {
    hash = (hash ^ x) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

#endif
