/* The duty of the functions of the program that run inside a pool: they return, and not before all is over that they
 * have forked or begun. What is wrong ends the process with a line. Where even this little is too much for a release it is
 * seen to with BLITZ_DEBUG only; then there is a list of what is open, too, so that lines name it. */
#ifndef BZ_DUTY_H
#define BZ_DUTY_H

#include <stdint.h>

struct bz_place;
struct bz_worker;

/* Of the function that runs at a place. */
struct bz_duty {
    uintptr_t frame; /* of what called it: whoever asks for something stands below; 0: none runs */
    const void *fn;
};

/* What stands on the stack of what called it. */
struct bz_duty_before {
    struct bz_duty outer;
    unsigned open; /* the place's, when it began */
};

/* Futures and scopes of one place that are not over, oldest first. The place's thread only. */
struct bz_opened;
void bz_opened_free(struct bz_opened *opened);

/* With BLITZ_DEBUG: the object is open from now on; it is over. It may not be opened twice, nor closed when it is not
 * open. */
void bz_duty_opened(struct bz_place *place, const char *verb, const char *what, const void *object);
void bz_duty_closed(struct bz_place *place, const char *verb, const char *what, const void *object);

/* The function `fn`, which was given to `verb`, has returned with something open. */
_Noreturn void bz_duty_unsynced(struct bz_place *place, const char *verb, const void *fn);
/* `verb` was called from a frame that is not below the function's: if that is another one of the same stack, the function
 * has been left. Else returns. */
void bz_duty_left(const struct bz_duty *duty, const char *verb, uintptr_t frame);

/* What `worker`, found in an object in the place of the caller's, says of its use: "begun" and "over" are what the program
 * calls it, as forked and synced. */
_Noreturn void bz_duty_refuse(const char *verb, const char *what, const void *object,
                              const struct bz_worker *worker, const char *begun, const char *over);

#endif
