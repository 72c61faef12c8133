/* hooks.h: the scheduler's events for tools. `bz_hooks` is NULL unless a tool runs, and only slow paths read it. While a
 * tool runs, the deques of pools are in slow-pop mode (deque.h), so that every fork and sync takes its slow path.
 *
 * A call is one execution of a function of the program: forked, spawned, submitted, called, broadcast, or a piece of a loop.
 * Most verbs replace the function by bz_watched_run, and its argument by the tool's record of the call. A task of
 * blitz/cilk.h keeps its arguments in its frame: the frame's `thief` holds the record until the task begins. */
#ifndef BZ_HOOKS_H
#define BZ_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "blitz.h"

/* The first part of a tool's record of a call. Written before another thread can run the call, then constant. */
struct bz_watched {
    union {
        blitz_fn *fn;
        blitz_value_fn *value_fn; /* of a future */
    };
    void *arg;
    bool is_task; /* of blitz/cilk.h: `fn` and `arg` are unused */
    bool is_kept; /* `forgets` releases the record, not the end of the call */
};

/* What a thread waits for. */
enum bz_watched_wait {
    BZ_WATCHED_SYNC,   /* its own fork, which another thread runs */
    BZ_WATCHED_GROUP,  /* all tasks of a scope, all jobs or one broadcast of a pool */
    BZ_WATCHED_FUTURE, /* one call, without a time limit */
    BZ_WATCHED_LENT    /* the end of its time as a worker of a pool (blitz_pool_lend) */
};

/* The thread that causes an event calls its hook. `site` is a return address in the program; NULL: unknown. */
struct bz_hooks {
    /* Makes a record of a call. NULL: out of memory; the call has no record. */
    struct bz_watched *(*made)(const void *function, const void *site, bool is_task);
    /* A call begins; NULL: one without a record. `ends` ends the thread's innermost call. A skipped call never begins. */
    void (*begins)(struct bz_watched *call);
    void (*ends)(void);
    void (*skipped)(struct bz_watched *call);
    /* Releases a record that is kept. */
    void (*forgets)(struct bz_watched *call);
    /* A wait begins and ends; `call` is that of a future. Other calls may begin and end meanwhile. */
    void (*waits)(enum bz_watched_wait wait, struct bz_watched *call, const void *site);
    void (*goes_on)(enum bz_watched_wait wait);
    /* A pool's worker is about to sleep, in a wait or for lack of work. */
    void (*sleeps)(void);
    /* A pool ends, with these counters (blitz_stats_line). */
    void (*pool_ends)(const char *line);
};

/* What the runtime gives a tool's library at its start. The texts are constants. */
struct bz_hooks_host {
    const char *version; /* BZ_HOOKS_VERSION */
    const char *prefix;  /* of each message */
    unsigned (*cpus)(void);
    /* bz_stats_each_pool */
    void (*each_pool)(void (*fn)(const char *line, void *arg), void *arg);
    /* The worker of a pool that the calling thread is now; NULL: none. */
    const void *(*worker)(void);
};

#define BZ_HOOKS_TEXT_OF(number) #number
#define BZ_HOOKS_TEXT(number) BZ_HOOKS_TEXT_OF(number)
#define BZ_HOOKS_VERSION                                                                                     \
    "libblitz " BZ_HOOKS_TEXT(BLITZ_VERSION_MAJOR) "." BZ_HOOKS_TEXT(BLITZ_VERSION_MINOR) "." BZ_HOOKS_TEXT( \
        BLITZ_VERSION_PATCH)

/* The function of libblitz-tools.so that starts the tools that the environment requests. NULL: no tool runs; if the library
 * belongs to another version, *version is that version. All versions share this interface. */
#define BZ_HOOKS_START "blitz_tools_watch"
typedef const struct bz_hooks *(*bz_hooks_start_t)(const struct bz_hooks_host *host, const char **version);

/* Written once, before the first pool (tools.h); read by threads in pools. */
extern const struct bz_hooks *bz_hooks;

/* ---- for verbs, while a tool runs ---- */

/* Stand in for the function of a call: report its begin, call it, report its end. */
void bz_watched_run(void *call);
intptr_t bz_watched_run_value(void *call);

/* Puts these in place of the function and its argument. Out of memory: changes nothing. */
void bz_watched_make(blitz_fn **fn, void **arg, const void *site);
void bz_watched_make_value(blitz_value_fn **fn, void **arg, const void *site);

/* Reports a call that begins where it is made. The caller calls the function, then `ends`. */
void bz_watched_begin(const void *function, const void *site);

/* The function will not be called. */
static inline void bz_watched_skip(blitz_fn *fn, void *arg) {
    if (bz_unlikely(fn == bz_watched_run))
        bz_hooks->skipped(arg);
}

/* The record of a future's call, or NULL. */
static inline struct bz_watched *bz_watched_of_value(blitz_value_fn *fn, void *arg) {
    return fn == bz_watched_run_value ? arg : NULL;
}

/* The program's own function, for messages. */
static inline uintptr_t bz_watched_named(blitz_fn *fn, const void *arg) {
    bool stands_in = fn == bz_watched_run;
    return (uintptr_t)(bz_unlikely(stands_in) ? ((const struct bz_watched *)arg)->fn : fn);
}
static inline uintptr_t bz_watched_named_value(blitz_value_fn *fn, void *arg) {
    const struct bz_watched *call = bz_watched_of_value(fn, arg);
    return (uintptr_t)(bz_unlikely(call) ? call->value_fn : fn);
}

#endif
