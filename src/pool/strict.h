/* Strictness: a function of the program in a pool returns, after it has synced its forks and waited for its scopes; else the
 * process ends with one line. BLITZ_DEBUG adds costly checks, and names the open object. */
#ifndef BZ_STRICT_H
#define BZ_STRICT_H

#include <stdint.h>

struct bz_place;
struct bz_worker;

/* Of the function that runs at a place. */
struct bz_strict {
    uintptr_t frame; /* its caller's; 0: no function runs */
    const void *fn;
};

struct bz_strict_before {
    struct bz_strict outer;
    unsigned open; /* the place's, when it began */
};

/* Open forks and scopes of a place, oldest first; the place's thread only. For bz_free. */
struct bz_opened;

/* With BLITZ_DEBUG: reports an object that is opened twice, or closed and not open. */
void bz_strict_opened(struct bz_place *place, const char *verb, const char *what, const void *object);
void bz_strict_closed(struct bz_place *place, const char *verb, const char *what, const void *object);

/* Function `fn` of `verb` returned with open objects. */
_Noreturn void bz_strict_unsynced(struct bz_place *place, const char *verb, const void *fn);
/* `verb` was called above the function's frame: on the same stack the function was left, which is misuse. */
void bz_strict_left(const struct bz_strict *strict, const char *verb, uintptr_t frame);

/* Reports misuse of an object that records `worker` and not the caller's. `begun`, `over`: such as forked, synced. */
_Noreturn void bz_strict_refuse(const char *verb, const char *what, const void *object,
                                const struct bz_worker *worker, const char *begun, const char *over);

#endif
