/* The checker: what tests see, and what its own files see of each other. How it works is in README.md. */
#ifndef CHECK_H
#define CHECK_H

#include "base/atomic.h"

enum { CHECK_THREADS = 5 }; /* 0: begins and ends the test; the others are checked */

/* One test: `begin` first, then the bodies at the same time, `end` when all have ended. */
struct check_test {
    const char *name;
    void (*begin)(void);
    void (*body[CHECK_THREADS - 1])(void); /* NULL: there are fewer */
    void (*end)(void);
    int bound;    /* preemptions, and old values, in a run at the most; -1: any number */
    int spurious; /* futex waits, and rounds of a spin, that may return for no reason */
};

/* Runs the tests as the arguments say (report.c). */
int check_main(int argc, char **argv, const struct check_test *tests, size_t count);

/* The run is wrong; does not return. */
_Noreturn void check_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define check_that(x) ((x) ? (void)0 : check_fail("%s:%d: not so: %s", __FILE__, __LINE__, #x))

/* The calling thread. */
int check_self(void);
/* Memory that ends with the run. From check_gone on nobody may touch it. */
void *check_new(size_t size);
void check_gone(void *memory);
/* Thread-local memory of the sources: each thread has its own, at first zero. For `begin`. */
void check_own(void *memory, size_t size);

/* ---- search.c ---- */

/* Before an access to a word that others can see, or a fence (NULL): who goes on. */
void check_point(const void *word, bool writes);
/* Of n ways to go on here, the one to be tried. */
unsigned check_choose(unsigned n);
/* The same, of the values that a load may see, or the places of a store: the first one is the newest. */
unsigned check_choose_value(unsigned n);
/* The calling thread waits: for news, or until check_ready. True: that came, and not the end of its time. */
enum check_wait { CHECK_RELAXES, CHECK_SLEEPS, CHECK_SLEEPS_TIMED };
bool check_block(enum check_wait wait);
void check_ready(int thread);
bool check_is_running(void);
bool check_is_own(uintptr_t address);
/* Something that has become a part of the thread's history: equal histories are equal states. */
void check_note(int thread, uint64_t what);

struct check_outcome {
    bool failed, unfinished; /* a run failed; the limit of runs came first */
    uint64_t runs, states;
    const char *test, *error; /* the test; of the run that failed */
};
struct check_search {
    int bound;
    uint64_t random, seed, most; /* runs by chance, 0: all; the first one; how many at the most */
    const char *replay;
    bool quiet;
};
struct check_outcome check_search(const struct check_test *test, const struct check_search *how);

/* ---- memory.c: what a load may see ---- */

void check_memory_reset(void);
void check_memory_start(int thread);
void check_memory_join(void);
uint64_t check_memory_hash(void);
void check_barrier_all(void);
/* The kernel's look at a word that somebody may wake, and the wake. */
uint64_t check_futex_value(const uint32_t *word);
void check_futex_published(const uint32_t *word);
/* Whether there is something newer than what the thread has read since it last relaxed. */
bool check_has_news(int thread);

/* ---- race.c: plain accesses, and memory that is given back ---- */

void check_race_reset(void);
void check_race_undo(void);
void check_touch(uintptr_t address, size_t size, bool write, bool atomic, const void *where);
/* Clocks of the threads, as thread sees them. */
const uint32_t *check_clocks(int thread);

/* ---- system.c ---- */

void check_system_reset(const struct check_test *test);
uint64_t check_system_hash(void);
/* Whether a wait returns for no reason here. */
bool check_ends_early(void);

/* ---- report.c ---- */

extern uint64_t check_test_bit; /* of the test under way, in check_site.tests */
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
