/* A member's waits between two runs: for the next start, or for its call if it is parked. See thread_team.md. */
#ifndef BZ_START_H
#define BZ_START_H

#include "team/thread_team.h"
#include "wait/thread.h"
#include "wait/waiter.h"

#define BZ_START_SIZE_MASK 0xffffu

/* The members of a start word's run; 0: all leave. */
static inline uint32_t bz_start_size(uint32_t word) {
    return word & BZ_START_SIZE_MASK;
}

/* Of the process before a fork: at most the calling thread is left of it. */
static inline bool bz_team_is_forgotten(const struct bz_team *team) {
    return team->generation != bz_fork_generation();
}

/* The calling member's waits after runs from that call site; NULL: not predicted. */
struct bz_history *bz_history_after(struct bz_team_member *member, const void *site);

/* The calling member waits until the start word differs from `seen`: the word then; 0: it leaves. */
uint32_t bz_start_wait(struct bz_team_member *member, uint32_t seen, struct bz_predicted *predicted);

/* The same for a parked one: until a run includes it, or it is reclaimed (0), or the team ends (0). */
uint32_t bz_start_wait_parked(struct bz_team_member *member);

/* Makes a parked member check again, for a reason that the caller has written. */
void bz_start_call(struct bz_team_member *member);

#endif
