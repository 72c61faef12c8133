/* Tuning constants of what OpenMP means on the scheduler, whose own are in src/base/config.h and src/wait/tuning.h.
 * bench/decisions.md has the figures of measured ones, and the alternatives. */
#ifndef BOMP_TUNING_H
#define BOMP_TUNING_H

/* ---- when a task is queued (task_policy.h) ---- */

/* Queued tasks for each thread of the team, beside which the next one runs at once: as many as under libgomp, where a
 * program may count on them; in a team of one so that tasks run in the same order. */
#define BOMP_QUEUE_PER_THREAD 64
/* In larger teams at least: 200 KiB of tasks. With 256 the others run dry during a long task of a producer's own; 4096 cost
 * tiny tasks their cache. Up to here a wait in a team of one searches its queue for what it waits for. */
#define BOMP_QUEUE_LEAST 1024

/* Under ThreadSanitizer: the longest wait of a thread for another one to begin a task, and the least time between two
 * tasks that begin. A race of four short tasks on two threads beside six busy loops is found 100 times of 100; with 20 ms
 * 94. Quiet it is found 97 to 100 times; with 5 us 86 to 100, since accesses at the same moment escape. */
#define BOMP_TSAN_TURN_NS 100000000
#define BOMP_TSAN_APART_NS 20000

/* Tasks with a priority in the priority queue, from which on they run at once: as many as a queue holds. */
#define BOMP_PQUEUE_MAX 1024

/* How long an agent (task/free_agent.h) keeps its thread when it finds no task. */
#define BOMP_AGENT_LINGER_NS UINT64_C(1000000)

/* Helpers (task/hidden_helper.h), as many as LLVM's runtime has: if nothing is said, and at most. */
#define BOMP_HELPERS 7
#define BOMP_HELPERS_MOST 16
/* How long one keeps its thread when it finds no task. A choice: more than most programs take between two such tasks. */
#define BOMP_HELPER_LINGER_NS UINT64_C(100000000)
/* Tasks for helpers that wait for one, from which on the next is a task as any other: 2 MiB. A choice. */
#define BOMP_HELPED_MOST 4096
/* Those that are back and not complete, from which on their creator completes them. A choice. */
#define BOMP_HELPED_BACK 64

/* Bytes of outstanding dependent children of one task, with which it waits for some. A choice: half of the memory that the
 * library may take for tasks (goal "memory"). */
#define BOMP_DEPEND_BYTES ((uint64_t)32 << 20)

/* Edges of a dependence node that need no memory of their own: as many as fit into a slab object of 320 bytes. */
#define BOMP_NODE_EDGES 9

/* Places in the first table of what a task's children depend on: 2 to this power. */
#define BOMP_TABLE_FIRST_BITS 4

/* Arguments of a taskloop's tasks for which whoever runs them has room on its stack, in bytes; aligned to this many at
 * most. */
#define BOMP_TASKLOOP_BYTES 256
#define BOMP_TASKLOOP_ALIGN 64

/* ---- tasks that yield ---- */

/* This many times in a row tasks yield, or look in vain, without any that began, before those suspended are starved
 * (task_yield.c). A choice: some 100 us. */
#define BOMP_STARVED 1024

/* Pages of code that regions were opened from, remembered by their numbers; a power of two (missing.h). */
#define BOMP_PAGES 64

/* ---- loops and other worksharing ---- */

/* Into how many parts for each member is a nonmonotonic dynamic loop cut (range.c)? All members have to be in the part that
 * a search ends in, or one of them does most of it: with 4 an early match takes twice as long as with 8 or 16. A loop of
 * tiny chunks takes 2, 12 and 24 % longer with 4, 8 and 16 than with one (find.costly.early, loops.dynamic1). */
#define BOMP_RANGE_PARTS 8

/* Into how many chunks for each member is clang's schedule(auto) cut? The last ones are 6 % of a share. */
#define BOMP_BALANCED_CHUNKS 16

/* Eventcounts on which threads sleep that wait for their turn (ordered.c): few wait for the same one in a team of that
 * many. */
#define BOMP_EVENTCOUNTS 16

/* Places, as a power of two, of the first table of allocated variables: few programs have any, and those have few. */
#define BOMP_ALLOCATED_FIRST_BITS 6

/* How many nestable locks has a member's first list of those that its tasks hold? A choice: hardly any program holds
 * more. */
#define BOMP_HELD_LOCKS_FIRST 8

/* For how many threads is there room at first where the copies of a threadprivate variable are noted, and at the most? A
 * choice: 2 KiB, and 512. Thread numbers are not used again. */
#define BOMP_PRIVATE_FIRST 256
#define BOMP_PRIVATE_MOST 65536

#endif
