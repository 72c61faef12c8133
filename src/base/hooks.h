/* The scheduler's events for tools. Only slow paths read `bz_hooks`: while a tool runs, the deques of pools are in slow-pop
 * mode (deque.h).
 *
 * A call is one execution of a function of the program, or of a piece of a loop. Most verbs replace the function by
 * bz_watched_run and its argument by the tool's record of the call. A future has the record; the frame of a blitz/cilk.h
 * task holds it in `thief` until the task begins. */
#ifndef BZ_HOOKS_H
#define BZ_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "blitz.h"

/* The head of a tool's record of a call. Constant once others can run the call. */
struct bz_watched {
    blitz_fn *fn; /* unused, as `arg`, for tasks of blitz/cilk.h and for futures */
    void *arg;
    bool is_task; /* of blitz/cilk.h */
    bool is_kept; /* of a future: `forgets` releases the record; else the end of the call */
};

enum bz_watched_wait {
    BZ_WATCHED_SYNC,   /* for its own fork, which another thread runs */
    BZ_WATCHED_GROUP,  /* for all tasks of a scope, all jobs or one broadcast of a pool */
    BZ_WATCHED_FUTURE, /* for one call, without a time limit */
    BZ_WATCHED_LENT    /* for the end of blitz_pool_lend */
};

/* The thread of an event calls its hook. `site` is a return address in the program; NULL: unknown. */
struct bz_hooks {
    /* Makes a record of a call. NULL: no memory. */
    struct bz_watched *(*made)(const void *function, const void *site, bool is_task);
    /* A call begins (NULL: without a record); the thread's innermost call ends; a call will not begin. */
    void (*begins)(struct bz_watched *call);
    void (*ends)(void);
    void (*skipped)(struct bz_watched *call);
    /* Releases a record that is kept. */
    void (*forgets)(struct bz_watched *call);
    /* A wait begins and ends; `call` is a future's. */
    void (*waits)(enum bz_watched_wait wait, struct bz_watched *call, const void *site);
    void (*goes_on)(enum bz_watched_wait wait);
    /* A pool's worker is about to sleep. */
    void (*sleeps)(void);
    /* A pool ends, with these counters (blitz_stats_line). */
    void (*pool_ends)(const char *line);
};

/* The runtime's services for a library of tools. */
struct bz_hooks_host {
    const char *version; /* BZ_HOOKS_VERSION */
    const char *prefix;  /* of each message */
    unsigned (*cpus)(void);
    /* bz_stats_each_pool */
    void (*each_pool)(void (*fn)(const char *line, void *arg), void *arg);
    /* The calling thread's worker in a pool, or NULL. */
    const void *(*worker)(void);
};

#define BZ_HOOKS_VERSION "libblitz " BZ_VERSION

/* libblitz-tools.so starts the requested tools by it. NULL: no tool runs; or its version is another one, *version. All
 * versions share this interface. */
#define BZ_HOOKS_START "blitz_tools_watch"
typedef const struct bz_hooks *(*bz_hooks_start_t)(const struct bz_hooks_host *host, const char **version);

/* NULL unless a tool runs. Written once, before the first pool; read by threads in pools. */
extern const struct bz_hooks *bz_hooks;

/* ---- for verbs, while a tool runs ---- */

/* Runs a call between its two events. */
void bz_watched_run(void *call);

/* Replaces a function and its argument by this and a record, if there is memory. */
void bz_watched_make(blitz_fn **fn, void **arg, const void *site);

/* A call begins at once: the caller runs it, then calls `ends`. */
void bz_watched_begin(const void *function, const void *site);

static inline void bz_watched_waits(enum bz_watched_wait wait, struct bz_watched *call, const void *site) {
    if (bz_unlikely(bz_hooks))
        bz_hooks->waits(wait, call, site);
}
static inline void bz_watched_goes_on(enum bz_watched_wait wait) {
    if (bz_unlikely(bz_hooks))
        bz_hooks->goes_on(wait);
}

static inline void bz_watched_skip(blitz_fn *fn, void *arg) {
    if (bz_unlikely(fn == bz_watched_run))
        bz_hooks->skipped(arg);
}

/* The program's own function, for messages. */
static inline uintptr_t bz_watched_named(blitz_fn *fn, const void *arg) {
    bool stands_in = fn == bz_watched_run;
    return (uintptr_t)(bz_unlikely(stands_in) ? ((const struct bz_watched *)arg)->fn : fn);
}

#endif
