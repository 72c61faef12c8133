/* The graph of dependences for a program that requests it: a node for each task, with its successors. It is made and
 * updated at each request, so other programs pay nothing. It leaves out joins and waiting nodes on stacks: edges lead
 * from task to task.
 *
 * A program requests it only for an incomplete task. So all nodes reachable from it are incomplete, and none of them is
 * freed meanwhile. Its creator may go on to create. */
#ifndef BOMP_DEPEND_SHOWN_H
#define BOMP_DEPEND_SHOWN_H

#include "omp/task/depend_node.h"

/* When its task is complete. */
void bomp_shown_free(struct bomp_shown_node *shown);

#endif
