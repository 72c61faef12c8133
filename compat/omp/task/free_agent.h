/* Free agent threads run tasks of other teams, if the program allows that (threadset(omp_pool)): *pooled* tasks.
 * free_agent.md. */
#ifndef BOMP_FREE_AGENT_H
#define BOMP_FREE_AGENT_H

#include "omp/team/team_data.h"

/* Whether the current task queues a pooled child for free agent threads that could run at once. May first complete tasks
 * that such threads have returned. */
bool bomp_free_agents_want(struct bomp_member *self);

/* A pooled task is in the priority queue of the calling member's team: wakes or starts a thread for it, within the
 * limit. */
void bomp_free_agents_notify(struct bomp_member *self);

/* The team is about to be freed. */
void bomp_free_agents_forget(struct bomp_team *team);

/* Completes tasks that free agent threads and hidden helper threads have returned to the calling thread's team. */
void bomp_free_agents_complete(struct bz_worker *self);

/* At the end of the program the initial thread waits for tasks that it has not waited for. */
void bomp_free_agents_await_at_exit(void);

/* The calling thread, which is of another team, runs the task and returns it. `counted`: the team in whose contention group
 * it counts; NULL: no group. */
void bomp_free_agent_run(struct bomp_member *self, struct bomp_task *task, struct bomp_team *counted);

/* ---- idle threads of a pool ----
 *
 * They sleep until there is a task. The pool's lock guards the list of them and the tasks. */

/* One of them; on its stack. */
struct bomp_idle {
    struct bz_a32 called; /* 1: there is a task. Set under the lock, read by the thread */
    struct bomp_idle *next;
};

/* With the lock held, which it releases meanwhile: sleeps, as a thread that is not awake (load.h), for that long at most.
 * True: the thread was called. */
bool bomp_idle_sleep(struct bz_a32 *lock, struct bomp_idle **list, uint64_t ns);

/* With the lock held: calls the youngest; NULL: no thread is idle. It sleeps until bomp_idle_wake, without the lock. */
struct bomp_idle *bomp_idle_call(struct bomp_idle **list);
void bomp_idle_wake(struct bomp_idle *idle);

#endif
