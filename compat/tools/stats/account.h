/* account.h: what each event adds to the counts of statistics. The table's thread makes each call, with the current time in
 * ticks (tools/common/ticks.h). Calls return the tool's data of a region or task; NULL: out of memory. Every call accepts
 * NULL.
 *
 * A thread's time goes to the state of its current task, in its innermost region. So the time of a task, and of a wait,
 * excludes other tasks that the thread runs meanwhile. */
#ifndef BOMP_STATS_ACCOUNT_H
#define BOMP_STATS_ACCOUNT_H

#include "tools/stats/thread.h"

/* The time in which no thread was in a region, since the process or the child of a fork began. */
void bomp_stats_serial_begin(uint64_t now, bool in_region);
uint64_t bomp_stats_serial(uint64_t now);

struct bomp_stats_region *bomp_stats_region_begin(struct bomp_stats_thread *thread, uint64_t now,
                                                  uintptr_t place);
/* Adds the time of a region until now to its counts. */
void bomp_stats_add_wall(struct bz_a64 *counts, const struct bomp_stats_region *region, uint64_t now);

void bomp_stats_region_end(struct bomp_stats_thread *thread, uint64_t now, struct bomp_stats_region *region);

/* An implicit task, or with a NULL region the part of a thread's life outside of regions. */
struct bomp_stats_task *bomp_stats_member_begin(struct bomp_stats_thread *thread, uint64_t now,
                                                struct bomp_stats_region *region, unsigned threads,
                                                unsigned index);

/* Also ends the members inside, as when the process exits in a region. */
void bomp_stats_member_end(struct bomp_stats_thread *thread, uint64_t now, struct bomp_stats_task *task);

/* A wait of the current task. The end of a barrier may be reported late: it counts until its region's end. */
void bomp_stats_wait_begin(struct bomp_stats_thread *thread, uint64_t now, enum bomp_stats_state state);
void bomp_stats_wait_end(struct bomp_stats_thread *thread, uint64_t now);

/* A critical construct or a lock. A test or a nested acquisition has no begin, since it does not wait. */
void bomp_stats_acquire(struct bomp_stats_thread *thread, uint64_t now, enum bomp_stats_state state,
                        uintptr_t mutex, uintptr_t site);
void bomp_stats_acquired(struct bomp_stats_thread *thread, uint64_t now, enum bomp_stats_state state,
                         uintptr_t mutex, uintptr_t site);

/* `sort`: the caller's number for loops, sections and other work. */
void bomp_stats_work_begin(struct bomp_stats_thread *thread, uint64_t now, uintptr_t place, uint32_t sort);
void bomp_stats_work_end(struct bomp_stats_thread *thread, uint64_t now);
/* Counts a taskloop, which has no time of its own. */
void bomp_stats_work_note(struct bomp_stats_thread *thread, uintptr_t place, uint32_t sort);
void bomp_stats_chunk(struct bomp_stats_thread *thread);

/* An explicit task. */
enum { BOMP_STATS_UNDEFERRED = 1 };
struct bomp_stats_task *bomp_stats_task_create(struct bomp_stats_thread *thread, uintptr_t place, int flags);

/* The creator waits for the dependences of an undeferred task. */
void bomp_stats_await(struct bomp_stats_thread *thread, uint64_t now, struct bomp_stats_task *task);

/* Ends a task whose body has ended. */
void bomp_stats_task_free(struct bomp_stats_thread *thread, struct bomp_stats_task *task);

/* Ends a task that never begins. */
void bomp_stats_task_discard(struct bomp_stats_thread *thread, uint64_t now, struct bomp_stats_task *task);

/* The thread leaves its current task for another one. */
enum bomp_stats_left { BOMP_STATS_LEFT, BOMP_STATS_ENDED, BOMP_STATS_CANCELLED };
void bomp_stats_switch(struct bomp_stats_thread *thread, uint64_t now, struct bomp_stats_task *prior,
                       enum bomp_stats_left how, struct bomp_stats_task *next);

#endif
