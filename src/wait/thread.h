/* Threads as a fork sees them: a number for each that asks, and how often the process has forked. In the child this is made
 * anew first, with what else lives below the workers; what is above them follows in team/fork.c. See team/fork.md. */
#ifndef BZ_THREAD_H
#define BZ_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"

/* Counts the forks between this process and the first. Any thread. */
uint32_t bz_fork_generation(void);

/* Registers what a child does first, once; later calls do nothing. Then asymmetric fences are on, if they ever are. */
void bz_thread_init(void);

/* ---- threads that may be lost ---- */

#define BZ_THREAD_NUMBERS 0x40000000u /* the numbers are below */

/* The calling thread's number, 0 before it is asked for. A free word that may hold a number holds `none`, which is 0. A
 * thread without a number expects a value there that no word has, so its compare and swap to its number fails, and no
 * other code checks whether it has one. The swap also fails under ThreadSanitizer, and where the layer above requests the
 * slow path (sanitizer.h). */
struct bz_thread_mark {
    uint32_t number, none;
};
extern _Thread_local struct bz_thread_mark bz_thread_mark __attribute__((tls_model("initial-exec")));
uint32_t bz_thread_number_new(void);

/* Reserves the next number for the calling thread, which has no number yet, until it asks. */
void bz_thread_number_keep(void);

/* The next `count` numbers, which no thread gets by asking: the first. */
uint32_t bz_thread_numbers_reserve(uint32_t count);
/* The calling thread, which is no owner of anything, has this number from now on, which no other one has meanwhile: one that
 * is reserved, or its own again. Returns the one that it had. */
uint32_t bz_thread_number_change(uint32_t number);

/* A number of the calling thread, not 0, that none of this process and of those that it was forked from has had before,
 * until there have been BZ_THREAD_NUMBERS of them. A thread that forks keeps it in the child. Cost: a load after the first
 * time. */
static inline uint32_t bz_thread_number(void) {
    return bz_likely(bz_thread_mark.number != 0) ? bz_thread_mark.number : bz_thread_number_new();
}

/* From now on the layer above hears of locks (bz_attended): of this thread's, and of those that get their number later. */
void bz_thread_attend(void);

/* Whether the thread of that number is one of a process that this one was forked from, and not here. */
bool bz_thread_is_lost(uint32_t number);

#endif
