/* The scheduler's constants are in src/base/config.h and src/wait/. bench/decisions.md has the measurements. */
#ifndef BOMP_TUNING_H
#define BOMP_TUNING_H

/* ---- when a task is queued (task_policy.h) ---- */

/* Beyond this many queued tasks for each thread the next one runs at once, as under libgomp: programs rely on it. */
#define BOMP_QUEUE_PER_THREAD 64
/* The least number in larger teams, and in the priority queue: 200 KiB of tasks. With 256 others idle during a long
 * task of the producer; 4096 overflow the cache. A wait in a team of one searches queues of up to this length. */
#define BOMP_QUEUE_LEAST 1024

/* Under ThreadSanitizer: the longest wait for another thread to begin a task, and the least time between two begins. A
 * race of four short tasks on two threads with six busy loops is found in 100 of 100 runs (20 ms: 94), on an idle
 * machine in 97 to 100 (5 us: 86 to 100). */
#define BOMP_TSAN_TURN_NS 100000000
#define BOMP_TSAN_APART_NS 20000

/* Hidden helper threads (task/hidden_helper.h): libomp's default, and the maximum. */
#define BOMP_HELPERS 7
#define BOMP_HELPERS_MOST 16
/* How long an idle one stays. A choice: longer than most gaps. */
#define BOMP_HELPER_LINGER_NS UINT64_C(100000000)
/* With this many waiting tasks the next one is ordinary. A choice: 2 MiB. */
#define BOMP_HELPED_MOST 4096

/* A creator waits while its incomplete dependent children take these bytes. A choice: half of what tasks may take. */
#define BOMP_DEPEND_BYTES ((uint64_t)32 << 20)
/* Of one of them without its arguments and addresses: two slab objects. */
#define BOMP_DEPEND_TASK 448

/* Edges within a dependence node: with as many an extra part fits into a slab object of 320 bytes. */
#define BOMP_NODE_EDGES 3

/* Logarithm of the first size of a table of dependences. */
#define BOMP_TABLE_FIRST_BITS 4

/* A taskloop's arguments up to this size and alignment are copied on the thread's stack. */
#define BOMP_TASKLOOP_BYTES 256
#define BOMP_TASKLOOP_ALIGN 64

/* ---- tasks that yield ---- */

/* Fruitless taskyields in a row that make the suspended tasks starved (task_yield.c). A choice: some 100 us. */
#define BOMP_STARVED 1024

/* Size of the table of code pages that regions were opened from; a power of two (missing.h). */
#define BOMP_PAGES 64

/* ---- loops and other worksharing ---- */

/* Parts of a nonmonotonic dynamic loop for each member (range.c). All members must reach the part that a search ends
 * in: with 4 an early match takes twice as long as with 8 or 16. A loop of tiny chunks takes 2, 12 and 24 % longer with
 * 4, 8 and 16 than with one (find.costly.early, loops.dynamic1). */
#define BOMP_RANGE_PARTS 8

/* Neighbours whose ranges a thief checks one by one (range.c). Teams of no more members mark nothing. A loop of one chunk
 * for each of 128 threads makes 6700, 4500 and 3500 line transfers with 4, 8 and 16 (bench/lines). */
#define BOMP_RANGE_GROUP 16

/* Chunks of clang's schedule(auto) for each member. The last ones are 6 % of a share. */
#define BOMP_BALANCED_CHUNKS 16

/* Eventcounts of threads that sleep until their turn (ordered.c). In a team of this size few threads share one. */
#define BOMP_EVENTCOUNTS 16

/* First length of a member's list of held nestable locks. A choice. */
#define BOMP_HELD_LOCKS_FIRST 8

/* First and greatest number of threads in the list of a threadprivate variable's copies. A choice: 2 KiB, and 512. */
#define BOMP_PRIVATE_FIRST 256
#define BOMP_PRIVATE_MOST 65536

#endif
