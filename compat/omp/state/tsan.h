/* Teams under ThreadSanitizer (src/base/sanitizer.h), which observes all teams and tasks; tasks: task/tsan.h.
 *
 * A team has a key for its start, which all members come after, and two for meetings, which barriers
 * use in turns: a member that is already on its way to the next one must not be taken for one that was at this one.
 * Tasks come before the meeting that the thread which runs them comes to next; all of them that began before it are
 * complete then. */
#ifndef BOMP_STATE_TSAN_H
#define BOMP_STATE_TSAN_H

#include <stdint.h>

#include "runtime.h"

struct bomp_member;
struct bomp_team;

struct bomp_tsan_team {
    char start __attribute__((aligned(8))); /* keys: their addresses are all that matters */
    uint64_t meet[2];
    struct bz_a64
        began; /* clock when a member last began a task; this and the next are of members that begin one */
    struct bz_a32 last; /* which member that was */
};

/* The start and the end of a region, for a member and for the primary thread; both sides of a meeting. */
void bomp_tsan_start(struct bomp_member *member);
void bomp_tsan_close(struct bomp_team *team);
void bomp_tsan_arrive(struct bomp_member *member);
void bomp_tsan_go_on(struct bomp_member *member);
/* The key of the meeting that the member comes to next. */
const void *bomp_tsan_meeting(const struct bomp_member *member);

#endif
