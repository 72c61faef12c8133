/* Threads as a fork sees them (team/fork.md). */
#ifndef BZ_THREAD_H
#define BZ_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"

/* Counts the forks between this process and the first. */
uint32_t bz_fork_generation(void);

/* Registers what a child does first, once. Then asymmetric fences are on, if ever. */
void bz_thread_init(void);

/* ---- threads that may be lost ---- */

#define BZ_THREAD_NUMBERS 0x40000000u /* the numbers are below */

/* The calling thread's number, 0 before it is asked for. A free word that may hold a number holds 0, as `none` is. If the
 * thread has no number or must take the slow path (sanitizer.h), `none` has another value, so its swap fails. */
struct bz_thread_mark {
    uint32_t number, none;
};
extern _Thread_local struct bz_thread_mark bz_thread_mark __attribute__((tls_model("initial-exec")));
uint32_t bz_thread_number_new(void);

/* Reserves the next number for the calling thread. */
void bz_thread_number_keep(void);

/* The next `count` numbers, which no thread gets by asking: the first. */
uint32_t bz_thread_numbers_reserve(uint32_t count);
/* The calling thread, which owns nothing, gets this reserved number, or its own again. Returns the old one. */
uint32_t bz_thread_number_change(uint32_t number);

/* The calling thread's, not 0: no other of the first BZ_THREAD_NUMBERS threads of this process and its parents has it. A
 * thread that forks keeps it. */
static inline uint32_t bz_thread_number(void) {
    return bz_likely(bz_thread_mark.number != 0) ? bz_thread_mark.number : bz_thread_number_new();
}

/* Sets bz_attended. */
void bz_thread_attend(void);

/* Whether the thread of that number was left behind by a fork. */
bool bz_thread_is_lost(uint32_t number);

#endif
