/* Helpers: threads of the process's pool for tasks that no thread of their team shall run, so that the team goes on whatever
 * such a task waits for: LLVM's hidden helper threads, which run the deferred target tasks of its compilers. A helper is an
 * agent (agent.h) with a number of its own, and nobody else finds the tasks that are for helpers: agent.md. */
#ifndef BOMP_HELPER_H
#define BOMP_HELPER_H

#include "omp/team/team_data.h"

/* A task for helpers that nothing keeps from running, of the calling member's team or of another one: a helper comes for it.
 * Where no thread can be had, a thread of its team runs it. */
void bomp_helpers_offer(struct bomp_member *self, struct bomp_task *task);

/* What goes by numbers of threads, set by a thread for which it may have something: called by a helper that is one no
 * longer, since another thread may have its number from now on. NULL: there is nothing. */
extern struct bomp_helper_left { void (*v)(int thread_id); } bomp_helper_left;

/* While the library is loaded, when the calling thread has its number: the next ones are for helpers. */
void bomp_helpers_reserve(void);

#endif
