/* A member's waits between two runs of its team: for the next start, or, left out of the last run, for its call. See
 * thread_team.md. */
#ifndef BZ_START_H
#define BZ_START_H

#include "team/thread_team.h"
#include "wait/thread.h"
#include "wait/waiter.h"

#define BZ_START_SIZE_MASK 0xffffu

/* How many members the run of a start word has; 0: all leave. */
static inline uint32_t bz_start_size(uint32_t word) {
    return word & BZ_START_SIZE_MASK;
}

/* It is of the process before a fork: of its threads only the calling one may be left. */
static inline bool bz_team_is_forgotten(const struct bz_team *team) {
    return team->generation != bz_fork_generation();
}

/* The waits of the calling member after runs from that call site; NULL: they are not predicted. */
struct bz_history *bz_history_after(struct bz_team_member *member, const void *site);

/* The calling member waits until the start word differs from `seen`: the word then; 0: it leaves. */
uint32_t bz_start_wait(struct bz_team_member *member, uint32_t seen, struct bz_predicted *predicted);

/* The same for one that is left out: until a run has it, or it is reclaimed (0), or the team ends (0). */
uint32_t bz_start_wait_parked(struct bz_team_member *member);

/* Makes a member that is left out check again: the caller has written the reason. */
void bz_start_call(struct bz_team_member *member);

#endif
