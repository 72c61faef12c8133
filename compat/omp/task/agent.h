/* Agents: threads of the process's pool (its thread cache) that run tasks of a team to which they do not belong, if the
 * program allows that (threadset(omp_pool)): OpenMP's free-agent threads. Such a task is *pooled*. What an agent is, what it
 * tells the task, how many there are and when they leave: agent.md. */
#ifndef BOMP_AGENT_H
#define BOMP_AGENT_H

#include "omp/team/team_data.h"

/* Whether an agent is wanted for a pooled task that the current one creates and that had better run at once. Tasks that
 * agents have given back may be completed before the answer. */
bool bomp_agents_want(struct bomp_member *self);

/* A pooled task is in the priority queue of the calling member's team: an agent comes for it, if there may be one. */
void bomp_agents_offer(struct bomp_member *self);

/* The team goes. */
void bomp_agents_forget(struct bomp_team *team);

/* Completes what agents, and helpers, have given back to the team of the calling thread. */
void bomp_agents_complete(struct bz_worker *self);

/* What the initial thread has not waited for when the program ends is waited for then. */
void bomp_agents_await_at_exit(void);

/* The calling thread, which is not of the task's team, runs it and gives it back. It has no other one meanwhile. `counted`:
 * the team in whose contention group it counts; NULL: in none. */
void bomp_agent_run(struct bomp_member *self, struct bomp_task *task, struct bomp_team *counted);

/* ---- idle threads of a pool ----
 *
 * They have found nothing to do there, and sleep until they are called. The pool has a lock, which guards the list of them
 * and what they look for. */

/* One of them; on its stack. */
struct bomp_idle {
    struct bz_a32 called; /* 1: there is something again. Set under the lock, read by the thread */
    struct bomp_idle *next;
};

/* With the lock held, which it lets go of meanwhile: sleeps, as a thread that is not awake (load.h), for that long at most.
 * Whether the thread was called. */
bool bomp_idle_sleep(struct bz_a32 *lock, struct bomp_idle **list, uint64_t ns);

/* With the lock held: calls the one that came last; NULL: there is none. It sleeps on until bomp_idle_wake, without the
 * lock. */
struct bomp_idle *bomp_idle_call(struct bomp_idle **list);
void bomp_idle_wake(struct bomp_idle *idle);

#endif
