/* Hidden helper threads run the deferred target tasks of LLVM's compilers, so that the team goes on whatever these wait
 * for. hidden_helper.md. */
#ifndef BOMP_HIDDEN_HELPER_H
#define BOMP_HIDDEN_HELPER_H

#include "omp/team/team_data.h"

/* Submits a ready task of any team, and wakes or starts a thread for it. If none can be created, the task's team runs
 * it. */
void bomp_hidden_helpers_submit(struct bomp_member *self, struct bomp_task *task);

/* Called by a thread that gives back its number: frees data kept by thread number. Set by threads that have such data, or
 * NULL. */
extern struct bomp_hidden_helper_left { void (*v)(int thread_id); } bomp_hidden_helper_left;

/* While the library is loaded, when the calling thread has its number: reserves the next numbers. */
void bomp_hidden_helpers_reserve(void);

#endif
