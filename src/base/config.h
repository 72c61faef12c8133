/* Tuning constants of the scheduler, each with its reason. Measured ones name their page of bench/notes. Those of waits are
 * in wait/tuning.h. */
#ifndef BZ_CONFIG_H
#define BZ_CONFIG_H

/* Workers of one domain: what a field of 16 bits holds (counters.h). */
#define BZ_DOMAIN_MAX 65535u

/* Slots of a new deque: deep recursion needs about a hundred, growth doubles. 2 KiB. */
#define BZ_DEQUE_CAPACITY 256

/* At how many others does a look for a job go by, from a random one on? In its last look before it sleeps a worker looks at
 * all, and so does one that helps, once. A choice: more than most machines have CPUs, since each may take a line from its
 * owner. */
#define BZ_VICTIMS 64

/* Stacks smaller than this, in bytes, are not made where the environment asks for them: the least that the system grants. */
#define BZ_STACK_LEAST ((size_t)16 * 1024)

/* Looks between two attempts to expose for others, at the most: whoever looks forever, by the program's wish, finds
 * jobs that were private soon, however long it has looked. A choice: about a hundred microseconds. */
#define BZ_EXPOSE_ROUNDS 1024

/* One in this many yields of a real-time thread is a sleep of this many nanoseconds, in which threads of lower
 * priorities run, the one that it waits for among them: half of its time at the least where a yield takes 0.3 us. To
 * ask for the policy costs other threads a hundredth of their yields. Choices. */
#define BZ_YIELDS_PER_SLEEP 64
#define BZ_YIELD_SLEEP_NS 50000

/* Threads of a team for each CPU, of which it is said where they begin; the system puts the others where it likes. To say so
 * takes three system calls and two changes of threads for each, and what the first ones are put on is even. A choice. */
#define BZ_SPREAD_BY_HAND 16

/* Up to this many teams, one that is not in a run is asked for its threads before others are created. With more, only when
 * no thread can be created: those that go from team to team pass a lock and five changes of threads each, in every region
 * again. Of 4000 threads that open a nested region of two beside a load, the second region
 * took 9 s so, and 0.2 to 0.4 s with threads of their own (scaling.md). A choice. */
#define BZ_TEAMS_ASKED 256

/* Idle threads that are looked at for one that was there for the same root last. A choice: more are hardly ever idle. */
#define BZ_THREAD_CACHE_SCAN 64

/* How long whoever is refused a barrier on other threads waits for the stores that these have under way, in nanoseconds. A
 * processor holds a store back for well below a microsecond, and for no interruption, which empties its buffers: a
 * thousand times that, paid once in the life of a process (sleep.md). */
#define BZ_FENCE_GRACE_NS 1000000

/* Unlocks of one thread or a few, where somebody sleeps or did, after which one hands the lock over to a waiter: half as
 * many take 8 threads a quarter longer. And, for each CPU, unlocks without a sleeper after which plain stores are tried
 * again: they save some 4 ns each. If that was wrong the next sleeper pays for as much, with a barrier on all threads: on a
 * virtual machine it takes the sleeper 14 us and whoever runs beside it 6 (bench/notes/locks.md). */
#define BZ_PARKING_UNLOCKS 2048

/* A loop's pieces are made smaller if they take longer, in nanoseconds: thieves wait for their end. Some thousand
 * times a call of the body, and a small part of what it costs to have somebody wait at the end of a loop (for.block.10us,
 * bench/notes/native-loops.md). */
#define BZ_PIECE_NS 16000

/* Of what a worker is given, one piece is at most this part, and where that takes no time, that one. */
#define BZ_PIECES 32
#define BZ_PIECES_LEAST 16

/* What takes this many times as long as it does elsewhere in the loop is dealt out piece by piece. A choice. */
#define BZ_COSTLY 4

/* What takes less is not given away, in nanoseconds: to fork it, to find it and to wait for it cost some 2 us on both sides
 * together. Nor are pieces that take less than half of this: each costs some 60 ns where bodies are short, since what the
 * processor has begun ahead ends with the loop in the body. */
#define BZ_SPLIT_NS 4000

/* Long ranges are cut at multiples of this many indices: a body made of vector instructions takes 13 % longer for
 * doubles from an odd index on, where every fourth of its loads lies in two cache lines (array.dot.f64.1e6,
 * bench/notes/algorithms.md). */
#define BZ_CUT 16

/* The first piece of a loop is the fewest indices that may be one, and the next ones are at most this many times as large as
 * what was measured: where they are cheap it costs two or three more pieces, 100 ns in all, and where all but the first one
 * take long, some times this many are run before that is noticed. With 16 a loop of 10000 elements took 40 ns longer, with
 * 256 none less. */
#define BZ_PIECE_GROWTH 64

/* Pieces between two looks at the clock, once the first ones are done. A look costs 23 ns: a hundredth of a piece. */
#define BZ_PIECES_PER_CLOCK 4

/* After a short entry that was counted in the end, this many are counted from the start: one of the others costs 20 ns less,
 * but one that forks as much more. */
#define BZ_ENTRY_SKIPS 16

/* Chunks that a thread takes at a time from the shared count of a monotonic or ordered loop: about this many nanoseconds'
 * worth, which is what others may have to wait at the loop's end; some 40 times the reading of the clock that comes with
 * each. At most this many: with 32, a loop with 32 costly chunks in a row took 1.7 times as long. At most one of this many
 * parts of what is left for each thread: the last chunks are a quarter of a guided loop's. */
#define BZ_CHUNK_BATCH_NS 1000
#define BZ_CHUNK_BATCH_MOST 16
#define BZ_CHUNK_BATCH_SHARE 4

/* What it costs to pass the turn of an ordered loop to another thread, in nanoseconds, at the least: chunks that take less
 * are run in batches, one after the other. With 100, chunks of 45 ns took 1.2 times as long as dealt out one by one, on a
 * machine with a cache for both threads. */
#define BZ_TURN_NS 40

/* The most pauses of a member that finds others ahead of it by more than one single construct, of which it makes one for
 * each of these. Empty constructs without a wait take two threads 12 ns with them, 39 with none (sync.single_nowait). It
 * comes late by 0.2 us at the most, or by 0.7 where a pause is longer. */
#define BZ_SINGLE_PAUSES 16

/* A scan's tiles: this many for each worker, that the last ones take little; at most this many indices in one, if the caller
 * wants no more, that it stays in a cache from its sum to its scan; at most this many in all, each of which takes a line. */
#define BZ_SCAN_TILES 64
#define BZ_SCAN_TILE 16384
#define BZ_SCAN_TILES_MOST 65536

/* A search looks this long on its own before it calls others, in nanoseconds: about what a call costs. With 5000, searches
 * that end within 30 us took 5 to 10 % longer. Then workers take at most this many indices in one block, before they look
 * whether others have found something: with 16384, two of them took 4 % longer for cheap elements. */
#define BZ_SEEK_NS 2500
#define BZ_SEEK_BLOCK 65536

/* What is not worth to be given away: bytes of an array, a copy of which takes about what it costs to have another worker
 * come; elements for each of which a function is called; and elements of known types that are reduced or searched, or
 * scanned, by instructions in the loop itself: about a microsecond. */
#define BZ_ALGO_BYTES 32768
#define BZ_ALGO_CALLS 128
#define BZ_ALGO_GRAIN 8192
#define BZ_ALGO_SCAN_GRAIN 2048

/* Elements up to which a range is sorted without a look at other workers. Forking and joining half of one costs some 30 ns
 * unless it is stolen, then some 2 us on both sides together; sorting this many numbers takes 30 us. */
#define BZ_SORT_GRAIN 2048

/* From this many elements on a range is split by all workers when some of them have nothing to do: in strips of at
 * least this many elements, at most this many strips. The price is about a third of a split by one. */
#define BZ_SORT_WIDE 65536
#define BZ_SORT_STRIP 4096
#define BZ_SORT_STRIPS 64

/* Places from one mark to the next where a sort moves large elements, at least, and marks, about at most: moving from one
 * mark to the next takes some 10 us, and what is put aside is no more than a 64th of the array. */
#define BZ_SORT_PATH 64
#define BZ_SORT_PATHS 1024

/* What takes less than this in a sort of elements that are in order is done by one worker: the lines of an array that one
 * core's cache has cost another core more than looking at them does. */
#define BZ_SORT_ALONE_NS 50000

/* Elements up to which a merge is not divided further. To find where costs two comparisons for each halving, most of them
 * cache misses: a microsecond; merging this many numbers takes 15. */
#define BZ_MERGE_GRAIN 8192

/* Memory that slab objects are carved out of, at a time: about a hundred small ones, so that there are new ones at most
 * every hundredth time. */
#define BZ_SLAB_BYTES 16384

/* The runtime's own memory (os/memory.c). Lanes: sets of stacks of free blocks, since all threads on one would wait for its
 * line. Blocks up to CUT_MAX are cut from chunks: the first as large as a small program needs in all, each next one twice as
 * large as the last, so that little is left over and mappings stay few. Blocks up to STACKED stay the process's for good;
 * of larger ones, one of at most KEPT_MAX does: to have it anew costs a fault for each page, in which an array is sorted. */
#define BZ_MEMORY_LANES 16
#define BZ_MEMORY_CHUNK_MIN ((size_t)64 << 10)
#define BZ_MEMORY_CHUNK_MAX ((size_t)1 << 20)
#define BZ_MEMORY_CUT_MAX ((size_t)32 << 10)
#define BZ_MEMORY_STACKED_SHIFT 20
#define BZ_MEMORY_STACKED ((size_t)1 << BZ_MEMORY_STACKED_SHIFT)
#define BZ_MEMORY_CLASSES 52
#define BZ_MEMORY_KEPT_MAX ((size_t)32 << 20)

/* Slab objects sent home together: one atomic operation for all. */
#define BZ_SLAB_BATCH 32

/* Stacks that a worker may have going beside its own, and unused ones that it keeps. Each takes an area of address space
 * and at least two pages that are in use. */
#define BZ_COROUTINES_MAX 1024
#define BZ_COROUTINES_SPARE 64

/* With n suspended coroutines a new job begins after n divided by this, and one more, of them have been resumed: all go
 * on however many jobs there are, and where jobs wait for each other many are begun soon. */
#define BZ_YIELDS_PER_NEW 4

/* Rounds of resumed coroutines after which a worker offers its CPU to other threads: some microseconds. On a machine with
 * many of them it is long until it gets it back. */
#define BZ_OFFER_ROUNDS 64

/* Jobs that lie above one that a worker picks out of its own deque, before it needs memory to put them aside. */
#define BZ_PICK_FEW 64

/* A thief that may take several jobs takes one in this many of those that it sees, at most this many: what it costs to
 * come for them is shared, and the queue is a long one, so that everybody finds some. Measured: bench/notes/tasks.md. */
#define BZ_STEAL_SHARE 16
#define BZ_STEAL_MOST 8

/* Injected jobs that a worker takes at a time, if all are of normal urgency. */
#define BZ_INJECT_BATCH 16

/* Takes from the injector until one is for those that the order of priorities would make wait; they take turns, so that each
 * priority has one of twice as many takes at the least. */
#define BZ_INJECT_FAIR 8

/* A worker with work of its own looks at the injector every that many jobs, so that outside work never starves; but no
 * sooner after it has taken a batch, which comes before what is left there. A prime, so that it does not beat with regular
 * patterns of jobs (Go's scheduler uses the same number). */
#define BZ_INJECT_INTERVAL 61

/* Where a thread could not be created there is no other attempt for a while, in nanoseconds: twice as long each time, from
 * the first number to the second. An attempt that fails costs some 20 us, so all of them together cost next to nothing, and
 * a limit that was lifted is noticed soon. */
#define BZ_REFUSED_NS_MIN UINT64_C(1000000)
#define BZ_REFUSED_NS_MAX UINT64_C(128000000)

/* This many bytes of a stack, and of a small one a part, are left to what does not ask: while more are left a task may
 * run in place that need not, and what is nested goes on on the same stack. A choice: what a program calls in the
 * leaves of its recursion shall find what it would find without us. */
#define BZ_STACK_RESERVE (1024 * 1024)
#define BZ_STACK_RESERVE_SHARE 4

/* Bytes of an additional stack. As many as threads have by default nearly everywhere: only what is used costs memory. */
#define BZ_STACK_MORE (8 * 1024 * 1024)

#endif
