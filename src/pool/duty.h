/* Checks that a function of the program inside a pool returns normally, and only after it has synced its forks and waited
 * for its scopes. Violations end the process with one line. BLITZ_DEBUG adds the checks that cost too much for a release,
 * and a list of open objects, which the line then names. */
#ifndef BZ_DUTY_H
#define BZ_DUTY_H

#include <stdint.h>

struct bz_place;
struct bz_worker;

/* The function that runs at a place. */
struct bz_duty {
    uintptr_t frame; /* the caller's frame, above all frames of the function; 0: none runs */
    const void *fn;
};

/* Kept on the caller's stack. */
struct bz_duty_before {
    struct bz_duty outer;
    unsigned open; /* the place's, when it began */
};

/* Open forks and scopes of a place, oldest first. The place's thread only. */
struct bz_opened;
void bz_opened_free(struct bz_opened *opened);

/* With BLITZ_DEBUG: opens and closes the object. Opening twice and closing when not open are misuse. */
void bz_duty_opened(struct bz_place *place, const char *verb, const char *what, const void *object);
void bz_duty_closed(struct bz_place *place, const char *verb, const char *what, const void *object);

/* The function `fn`, which was passed to `verb`, returned with open objects. */
_Noreturn void bz_duty_unsynced(struct bz_place *place, const char *verb, const void *fn);
/* `verb` was called from a frame that is not below the function's. If both are on the same stack, the function was left,
 * which is misuse. Else returns. */
void bz_duty_left(const struct bz_duty *duty, const char *verb, uintptr_t frame);

/* Reports misuse of an object that records `worker` and not the caller's. `begun` and `over` are the program's words, such
 * as forked and synced. */
_Noreturn void bz_duty_refuse(const char *verb, const char *what, const void *object,
                              const struct bz_worker *worker, const char *begun, const char *over);

#endif
