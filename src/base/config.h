/* Tuning constants (figures: bench/decisions.md). Those of waits are in wait/policy.h and wait/placement.h. */
#ifndef BZ_CONFIG_H
#define BZ_CONFIG_H

/* ---- workers, deques, steals ---- */

/* Workers of one domain: the range of a 16-bit field (counters.h). */
#define BZ_DOMAIN_MAX 65535u

/* Of a new deque: deep recursion needs about a hundred. */
#define BZ_DEQUE_CAPACITY 256

/* Most polls between two attempts to expose the private jobs of others, about 100 us. */
#define BZ_EXPOSE_ROUNDS 1024

/* ---- injected jobs ---- */

/* One in this many takes goes against the order of priorities, the two lower ones in turns. */
#define BZ_INJECT_FAIR 8

/* A worker with work of its own polls the injector every that many searches: a prime, against regular patterns. */
#define BZ_INJECT_INTERVAL 61

/* ---- threads ---- */

/* Least stack size from the environment. */
#define BZ_STACK_LEAST ((size_t)16 * 1024)

/* One in this many yields of a real-time thread is a sleep: lower priorities get half of the time. */
#define BZ_YIELDS_PER_SLEEP 64
#define BZ_YIELD_SLEEP_NS 50000

/* In teams of up to this size each run stores to the start word's line, to fetch it early. */
#define BZ_START_FETCHED 4

/* Up to this many teams, an idle team gives its threads to others: each takes a lock and five switches. */
#define BZ_TEAMS_ASKED 256

/* A team with more threads for each CPU is large. Also how many threads that share a CPU a spin allows for. */
#define BZ_LARGE_TEAM 16

/* No attempt to create a thread for so long after a failure: one costs 20 us. */
#define BZ_REFUSED_NS UINT64_C(10000000)

/* Between two counts of the process's CPUs: one takes 10 to 20 us. */
#define BZ_BUDGET_NS UINT64_C(90000000)

/* ---- fences and locks ---- */

/* When the system first refuses a barrier: the wait for stores in flight (sleep.md). */
#define BZ_FENCE_GRACE_NS 1000000

/* Of this many unlocks with sleepers, at least one hands the lock over to a waiter. After this many for each CPU without a
 * sleeper, plain stores are tried again: each saves 4 ns, and the next sleeper then pays a barrier on all threads, some 20
 * us. */
#define BZ_PARKING_UNLOCKS 2048

/* ---- native loops (api/splitter.h) ---- */

/* Pieces that take longer become smaller: thieves wait for their end. */
#define BZ_PIECE_NS 16000

/* A piece is at most this part of a worker's range; twice that if it takes no time. */
#define BZ_PIECES 32

/* Less work is not given away: fork, theft and wait cost 2 us. No piece is shorter than half of this: each costs 60
 * ns. */
#define BZ_SPLIT_NS 4000

/* Long ranges are cut at multiples of this: from an odd index on, every fourth load of a vectorised body crosses a line. */
#define BZ_CUT 16

/* Each piece is at most this many times the last; the first one is the grain. */
#define BZ_PIECE_GROWTH 64

/* ---- loops of a team ---- */

/* Work that a thread takes at a time of a monotonic or ordered loop. */
#define BZ_CHUNK_BATCH_NS 1000
/* Most chunks of such a batch. */
#define BZ_CHUNK_BATCH_MOST 16
/* Most of it: one of this many parts of a thread's share of the rest. */
#define BZ_CHUNK_BATCH_SHARE 4

/* ---- algorithms ---- */

/* Grains, about a microsecond: bytes of a copied array; elements with a function call each. */
#define BZ_ALGO_BYTES 32768
#define BZ_ALGO_CALLS 128

/* A range of up to this many elements is sorted by one worker, in 30 us. */
#define BZ_SORT_GRAIN 2048

/* ---- memory ---- */

/* Bytes of one slab, about a hundred small objects. */
#define BZ_SLAB_BYTES 16384

/* Slab objects sent home together, by one atomic operation. */
#define BZ_SLAB_BATCH 32

/* Free blocks of the runtime's own memory (os/memory.c) up to STACKED stay with the process. Of larger ones it keeps one of
 * at most KEPT_MAX: new memory costs a fault for each page. */
#define BZ_MEMORY_STACKED ((size_t)1 << 20)
#define BZ_MEMORY_KEPT_MAX ((size_t)32 << 20)

/* ---- stacks and coroutines ---- */

/* Unused stacks that a worker keeps. */
#define BZ_COROUTINES_SPARE 64

/* Bytes of a stack, or part of a small one, that stay free for the program (sched/stack.h). */
#define BZ_STACK_RESERVE (1024 * 1024)
#define BZ_STACK_RESERVE_SHARE 4

#endif
