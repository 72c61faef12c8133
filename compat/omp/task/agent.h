/* Agents: threads of the process's pool (its thread cache) that run tasks of a team to which they do not belong, if the
 * program allows that (threadset(omp_pool)): OpenMP's free-agent threads. Such a task is *pooled*. What an agent is, what it
 * tells the task, how many there are and when they leave: agent.md. */
#ifndef BOMP_AGENT_H
#define BOMP_AGENT_H

#include "omp/state/team.h"

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

#endif
