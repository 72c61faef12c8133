/* hooks.h: the events of the scheduler that a tool gets. Most processes have no tool: `bz_hooks` is NULL then, and only slow
 * paths read it. With a tool all deques are in slow-pop mode (deque.h), so that every fork and sync takes the slow path.
 *
 * A call is a function of the program that is to run: forked, spawned, submitted or called. With a tool, the verb that makes
 * a call replaces the function by bz_watched_run, and its argument by the tool's record of the call. A task of blitz/cilk.h
 * keeps its arguments in its frame: there the record is in the frame's `thief` until the task begins. */
#ifndef BZ_HOOKS_H
#define BZ_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "blitz.h"

/* A call, made by a tool, which may have more behind it. Written before anyone can run it, constant then. */
struct bz_watched {
    union {
        blitz_fn *fn;
        blitz_value_fn *value_fn; /* of a future's */
    };
    void *arg;
    bool is_task; /* of blitz/cilk.h: `fn` and `arg` are not used */
    bool is_kept; /* until `forgets`, and not until it has ended */
};

/* What a thread waits for. */
enum bz_watched_wait {
    BZ_WATCHED_SYNC,   /* what it has forked, which another one has taken */
    BZ_WATCHED_SCOPE,  /* the tasks of a scope */
    BZ_WATCHED_FUTURE, /* one call */
    BZ_WATCHED_IDLE    /* all that was submitted to a pool */
};

/* Each is called by the thread that does it. `site` is the program's return address. */
struct bz_hooks {
    /* A call of the function is made. NULL: no memory; the call has no record. */
    struct bz_watched *(*made)(const void *function, const void *site, bool is_task);
    /* A call begins, NULL: one without a record. The last one that has begun on this thread, and not ended, ends. A call
     * never begins. */
    void (*begins)(struct bz_watched *call);
    void (*ends)(void);
    void (*skipped)(struct bz_watched *call);
    /* The last use of a call that is kept. */
    void (*forgets)(struct bz_watched *call);
    /* It waits for that: of a future, for this call. Other calls may begin and end in the wait. */
    void (*waits)(enum bz_watched_wait wait, struct bz_watched *call, const void *site);
    void (*goes_on)(enum bz_watched_wait wait);
    /* A worker is about to sleep, in a wait or because there is no work. */
    void (*sleeps)(void);
    /* A pool ends: what blitz_stats_line says of it. */
    void (*pool_ends)(const char *line);
};

/* The runtime, as the tool's library gets it at its start. The texts are constants. */
struct bz_hooks_host {
    const char *version; /* BZ_HOOKS_VERSION */
    const char *prefix;  /* of each message */
    unsigned (*cpus)(void);
    /* Calls fn(line, arg) with what blitz_stats_line says of each pool that there is. Any thread, without a lock: a pool
     * that begins or ends meanwhile may be left out. */
    void (*each_pool)(void (*fn)(const char *line, void *arg), void *arg);
};

#define BZ_HOOKS_TEXT_OF(number) #number
#define BZ_HOOKS_TEXT(number) BZ_HOOKS_TEXT_OF(number)
#define BZ_HOOKS_VERSION                                                                                     \
    "libblitz " BZ_HOOKS_TEXT(BLITZ_VERSION_MAJOR) "." BZ_HOOKS_TEXT(BLITZ_VERSION_MINOR) "." BZ_HOOKS_TEXT( \
        BLITZ_VERSION_PATCH)

/* The function of libblitz-tools.so that starts the tools that the environment asks for. NULL: none; if the library belongs
 * to another version, that is *version then. All versions keep to this. */
#define BZ_HOOKS_START "blitz_tools_watch"
typedef const struct bz_hooks *(*bz_hooks_start_t)(const struct bz_hooks_host *host, const char **version);

/* Written once, before there is a worker (tools.h); read by all. */
extern const struct bz_hooks *bz_hooks;

/* ---- for those who make calls, where there is a tool ---- */

/* In the place of a function: calls it between its two events. */
void bz_watched_run(void *call);
intptr_t bz_watched_run_value(void *call);

/* Puts that in its place. Without memory all stays as it is. */
void bz_watched_make(blitz_fn **fn, void **arg, const void *site);
void bz_watched_make_value(blitz_value_fn **fn, void **arg, const void *site);

/* The function is not called after all. */
static inline void bz_watched_skip(blitz_fn *fn, void *arg) {
    if (bz_unlikely(fn == bz_watched_run))
        bz_hooks->skipped(arg);
}

/* The record of a call, or NULL. */
static inline struct bz_watched *bz_watched_of_value(blitz_value_fn *fn, void *arg) {
    return fn == bz_watched_run_value ? arg : NULL;
}

#endif
