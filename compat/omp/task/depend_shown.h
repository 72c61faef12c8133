/* Dependences as a program sees them that asks: a node for each task, with the tasks that wait for it. It is made when it is
 * asked for, and again brought up to date then: nobody else pays for it. Joins and what waits on the stack are left out, so
 * that the edges are those between tasks.
 *
 * Whoever asks knows that the task is not complete. So no node that can be reached from it is complete before that, and
 * nothing of all that is freed meanwhile. Its creator may go on to create. */
#ifndef BOMP_DEPEND_SHOWN_H
#define BOMP_DEPEND_SHOWN_H

#include "omp/task/depend_node.h"

/* When its task is complete. */
void bomp_shown_free(struct bomp_shown_node *shown);

#endif
