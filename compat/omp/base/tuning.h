/* Tuning constants of compat/omp; the scheduler's are in src/base/config.h and src/wait/. bench/decisions.md has
 * the measurements and the alternatives. */
#ifndef BOMP_TUNING_H
#define BOMP_TUNING_H

/* ---- when a task is queued (task_policy.h) ---- */

/* With this many queued tasks for each thread of the team the next task runs at once. The same number as libgomp's, which
 * programs rely on. */
#define BOMP_QUEUE_PER_THREAD 64
/* The least number in larger teams: 200 KiB of tasks. With 256 the other threads run dry during a long task of the
 * producer; 4096 overflow the cache. A wait in a team of one searches queues of up to this length. */
#define BOMP_QUEUE_LEAST 1024

/* Under ThreadSanitizer: the longest wait of a thread for another one to begin a task, and the least time between the
 * begins of two tasks. A race of four short tasks on two threads next to six busy loops is found in 100 of 100 runs;
 * with 20 ms in 94. On an idle machine 97 to 100; with 5 us 86 to 100, since it misses simultaneous accesses. */
#define BOMP_TSAN_TURN_NS 100000000
#define BOMP_TSAN_APART_NS 20000

/* At this number of tasks in the priority queue the next one runs at once: the length of a full queue. */
#define BOMP_PQUEUE_MAX 1024

/* Hidden helper threads (task/hidden_helper.h): default and maximum, the default as LLVM's runtime has. */
#define BOMP_HELPERS 7
#define BOMP_HELPERS_MOST 16
/* How long an idle one stays. A choice: longer than the gaps between such tasks in most programs. */
#define BOMP_HELPER_LINGER_NS UINT64_C(100000000)
/* At this number of tasks that wait for such a thread, or for a member to complete them, the next one is an ordinary
 * task: 2 MiB. A choice. */
#define BOMP_HELPED_MOST 4096

/* Memory of the incomplete dependent children of a task, in bytes, at which it waits for some of them. A choice: half of
 * the memory that the library may take for tasks (goal "memory"). */
#define BOMP_DEPEND_BYTES ((uint64_t)32 << 20)
/* Of one of them without its arguments and addresses: three slab objects. */
#define BOMP_DEPEND_TASK 640

/* Edges within a dependence node: as many as fit into a slab object of 320 bytes. */
#define BOMP_NODE_EDGES 6

/* Logarithm of the first size of a table of dependences. */
#define BOMP_TABLE_FIRST_BITS 4

/* Size and alignment of a taskloop's arguments up to which its tasks run on the thread's stack. */
#define BOMP_TASKLOOP_BYTES 256
#define BOMP_TASKLOOP_ALIGN 64

/* ---- tasks that yield ---- */

/* Fruitless taskyields in a row after which the suspended tasks are starved (task_yield.c). A choice: some 100 us. */
#define BOMP_STARVED 1024

/* Size of the table of code pages that regions were opened from; a power of two (missing.h). */
#define BOMP_PAGES 64

/* ---- loops and other worksharing ---- */

/* Parts of a nonmonotonic dynamic loop for each member (range.c). All members must reach the part that a search ends in, or
 * one of them does most of it: with 4 an early match takes twice as long as with 8 or 16. A loop of tiny chunks takes 2, 12
 * and 24 % longer with 4, 8 and 16 than with one (find.costly.early, loops.dynamic1). */
#define BOMP_RANGE_PARTS 8

/* Chunks of clang's schedule(auto) for each member. The last ones are 6 % of a share. */
#define BOMP_BALANCED_CHUNKS 16

/* Eventcounts of threads that sleep until their turn (ordered.c). In a team of this size few threads share one. */
#define BOMP_EVENTCOUNTS 16

/* First length of a member's list of held nestable locks. A choice: hardly any program holds more. */
#define BOMP_HELD_LOCKS_FIRST 8

/* First and greatest number of threads in the list of a threadprivate variable's copies. A choice: 2 KiB, and 512. Thread
 * numbers are not used again. */
#define BOMP_PRIVATE_FIRST 256
#define BOMP_PRIVATE_MOST 65536

#endif
