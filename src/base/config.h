/* Tuning constants of the scheduler, each with its reason. Measured ones name their page of bench/notes. */
#ifndef BZ_CONFIG_H
#define BZ_CONFIG_H

/* Workers of one domain: what a field of 16 bits holds (counters.h). */
#define BZ_DOMAIN_MAX 65535u

/* Slots of a new deque: deep recursion needs about a hundred, growth doubles. 2 KiB. */
#define BZ_DEQUE_CAPACITY 256

/* Stacks smaller than this, in bytes, are not made where the environment asks for them: the least that the system grants. */
#define BZ_STACK_LEAST ((size_t)16 * 1024)

/* Fruitless looks of an idle worker before it first gives its CPU away: about two microseconds, which is what a wait for a
 * running thread takes most of the time. */
#define BZ_SPIN_ROUNDS 16

/* Looks between two attempts to expose for others, at the most: whoever looks forever, by the program's wish, finds
 * jobs that were private soon, however long it has looked. A choice: about a hundred microseconds. */
#define BZ_EXPOSE_ROUNDS 1024

/* Between two looks at a line that somebody is about to write, in nanoseconds (backoff.h). Two threads that meet at barriers
 * again and again find the other one there at their first look, and each leaves the line to it meanwhile: on an Intel Xeon,
 * where it takes a line 60 ns to the other CPU, a barrier takes 190 ns with a look after each pause of 10, 90 with one after
 * 60 to 80, 125 with one after 160 (bench/notes/waiting.md). */
#define BZ_BACKOFF_NS 70

/* Pauses that a back-off has at most, where they take hardly any time. */
#define BZ_BACKOFF_PAUSES_MOST 64

/* Back-offs between two looks of a thread that has looked for a while: for work, and at a lock. A holder that takes
 * that long does not need its line; with sixteen, critical sections of 30 us took 2 % longer (waits.critical.30us,
 * bench/notes/waiting.md). */
#define BZ_SPIN_BACKOFFS 3

/* Spins on a start word between two questions of another kind: about half a microsecond. */
#define BZ_START_SPINS 16

/* From then on it yields every that many looks (every one when threads of ours outnumber the CPUs). A yield costs 0.25 us
 * when nobody wants the CPU. When somebody does, often the very thread that is waited for, spinning on would cost the
 * whole of BZ_SPIN_NS: with a busy neighbour a barrier of two threads took 133 us without yields and 1 to 3 us with them
 * (bench/notes/waiting.md). */
#define BZ_YIELD_ROUNDS 8

/* Where it is known that the CPU is what the awaited thread needs, it yields after this many looks. A choice: not none,
 * since that thread may have gone to another CPU. */
#define BZ_YIELD_EARLY_ROUNDS 2

/* After this many waits in a row that a yield ended, a worker sleeps once: about a millisecond. A choice: who is woken may
 * find no idle CPU, either. */
#define BZ_HAND_OVERS 256

/* How long a thread that has just woken another one keeps its CPU while it spins: what a wake takes. A yield to a busy
 * neighbour would cost a turn of the system's scheduler, thousands of microseconds (crowd.short.neighbour,
 * bench/notes/sharing.md). */
#define BZ_WAKE_NS 40000

/* A member of a team that was woken on its leader's CPU this many times more than on another one asks to be put
 * elsewhere from then on (spin.md). A choice: few, so that programs with few regions gain; where the system wakes
 * threads on idle CPUs it happens now and then only. */
#define BZ_WAKES_ON_LEADER_CPU 3

/* One in this many yields of a real-time thread is a sleep of this many nanoseconds, in which threads of lower
 * priorities run, the one that it waits for among them: half of its time at the least where a yield takes 0.3 us. To
 * ask for the policy costs other threads a hundredth of their yields. Choices. */
#define BZ_YIELDS_PER_SLEEP 64
#define BZ_YIELD_SLEEP_NS 50000

/* Idle threads that are looked at for one that was there for the same root last. A choice: more are hardly ever idle. */
#define BZ_THREAD_CACHE_SCAN 64

/* This many times in a row a worker that was kept from its sleep by something that it may take goes on at once; from then on
 * it yields first: whoever is about to take that may need this CPU. A choice. */
#define BZ_KEPT_UP 4

/* A yield that takes no longer has found nobody to run. It takes 0.25 to 0.55 us then on the machines that we measured; to
 * change to another thread and back takes 2 to 4. */
#define BZ_SWITCH_NS 1000

/* Spins on the word of a barrier before a worker that waits at it looks for work as well: half a microsecond, for
 * members that come at about the same time. A choice: other numbers were not measured. */
#define BZ_BARRIER_SPINS 7

/* Spins on the word of a barrier while a worker keeps its CPU although threads outnumber the CPUs: a microsecond, less
 * than the change of threads that it saves if it waits for the other CPUs alone. After one in vain it lets this many chances
 * go by (sync.barrier at 8 threads, bench/notes/barriers.md). */
#define BZ_HOLD_SPINS 14
#define BZ_HOLD_SKIPS 7

/* How long an idle worker spins, in nanoseconds. A futex wake costs its waker 2 to 5 us and the sleeper 10 to 50 us
 * on the machines that we measured: to spin for about as long as a sleep and wake would take costs at most twice the
 * best choice for any gap (ski rental). */
#define BZ_SPIN_NS 50000

/* How long whoever is refused a barrier on other threads waits for the stores that these have under way, in nanoseconds. A
 * processor holds a store back for well below a microsecond, and for no interruption, which empties its buffers: a
 * thousand times that, paid once in the life of a process (sleep.md). */
#define BZ_FENCE_GRACE_NS 1000000

/* A timed park is a sleep that is to end just before what is waited for comes (predictor.md). It costs about 5 us of
 * CPU time, so one that is not twice as long is not worth it. */
#define BZ_PARK_LEAST_NS 10000

/* How far a prediction is stretched to either side, beyond how much the last waits differed. The error of a clock that is
 * read every microsecond or so while spinning; how late timed parks turn out to end comes on top. */
#define BZ_PARK_MARGIN_NS 2000

/* How late a timed park is taken to end before one has ended: a usual time (bench/notes/regions.md). */
#define BZ_PARK_LATE_NS 20000

/* Timed parks that are no longer do without a barrier on all threads: a job that they miss for that waits that long at the
 * most (sleep.md, "Timed parks"). On a virtual machine that barrier takes whoever runs beside it 8 to 13 us: with it, a
 * taskwait of 100 us took so much longer (waits.taskwait.100us, bench/notes/waiting.md). */
#define BZ_PARK_LIGHT_NS 1000000

/* How long a worker spins that waits within a run, where such waits are irregular: it is a thread of work that is
 * under way, its CPU is nobody else's as far as we know, and when it is woken it comes 25 us late. Of longer waits
 * that is a small part (waits.irregular, bench/notes/waiting.md). */
#define BZ_RUN_SPIN_NS 400000

/* Spinning until the predicted end of a wait may take BZ_SPIN_NS and the wait divided by this. Else waits are too
 * irregular to be predicted. */
#define BZ_SPIN_SHARE 4

/* Where waits are irregular, spinning may take this many times BZ_SPIN_NS, if it takes no more than half of their time. A
 * choice: most waits of 10 to 1000 us are over by then (mixed.random, bench/notes/regions.md). */
#define BZ_IRREGULAR_SPINS 8

/* Spins on a held lock before sleeping on it, and the most back-offs between two of them, of which there is one at
 * first and then twice as many each time: the waiter is late by no more than it has waited. A look takes the line from
 * the holder, who must fetch it back to let go and to come again: two threads with empty critical sections take 70 to
 * 160 ns for one on an Intel Xeon with back-offs of 10 ns to 160, 22 with these. Five microseconds in all: a short
 * critical section. The same where threads outnumber the CPUs: whoever holds a lock mostly has a CPU (sync.critical at 8
 * threads, bench/notes/locks.md). */
#define BZ_MUTEX_SPINS 8
#define BZ_MUTEX_BACKOFFS 16

/* Then, where there are CPUs for all threads, a waiter spins for this long, in nanoseconds. A sleeper is woken
 * some 30 us late, in which nobody has the lock; of holders that take longer than this, that is a small part. After a spin
 * in vain this many are left out: a lock that is held for milliseconds costs an eighth of that. (waits.critical,
 * bench/notes/waiting.md) */
#define BZ_LOCK_SPIN_NS 400000
#define BZ_LOCK_SKIPS 7

/* Unlocks without a sleeper, by one thread or a few, for each CPU, after which plain stores are tried again: they save some
 * 4 ns each. If that was wrong the next sleeper pays for as much, with a barrier on all threads: on a virtual machine it
 * takes the sleeper 14 us and whoever runs beside it 6 (bench/notes/locks.md). */
#define BZ_PARKING_UNLOCKS 2048

/* A bucket that was quiet for less, in nanoseconds, had better not have been: five thousand unlocks save what the barrier
 * costs, and a lock that is used all the time is unlocked some ten thousand times meanwhile. The next time it takes twice
 * as many until it is made quiet again, up to this many times twice. Both are choices. */
#define BZ_PARKING_WORTH_NS 1000000
#define BZ_PARKING_HYSTERESIS 6

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

/* Chunks of a dynamic loop that a thread takes at a time: about this many nanoseconds' worth, which is what others may
 * have to wait at the loop's end and what a thief waits before it takes the rest of a batch. Some 40 times the reading
 * of the clock that comes with each, or an atomic operation on a line that others want. At most this many of a
 * nonmonotonic loop, whose batches can be stolen, and of others; at most one of this many parts of what is left for each
 * thread: with 4, the last chunks are a quarter of a guided loop's. */
#define BZ_CHUNK_BATCH_NS 1000
#define BZ_CHUNK_BATCH_MOST 64
#define BZ_CHUNK_BATCH_MONOTONIC 16
#define BZ_CHUNK_BATCH_SHARE 4

/* What it costs to pass the turn of an ordered loop to another thread, in nanoseconds, at the least: chunks that take less
 * are run in batches, one after the other. With 100, chunks of 45 ns took 1.2 times as long as dealt out one by one, on a
 * machine with a cache for both threads. */
#define BZ_TURN_NS 40

/* What the data that ordered regions write cost whoever gets the turn, in nanoseconds: a batch pays that once. A
 * choice: one or two transfers of a cache line. */
#define BZ_TURN_MOVE_NS 100

/* The most pauses of a member that finds others ahead of it by more than one single construct, of which it makes one for
 * each of these. Empty constructs without a wait take two threads 12 ns with them, 39 with none (sync.single_nowait). It
 * comes late by 0.2 us at the most, or by 0.7 where a pause is longer. */
#define BZ_SINGLE_PAUSES 16

/* Pauses before the second look for a turn. One that comes too early takes the line from whoever is about to write to
 * it: two threads pass turns on in 50 ns with two of them, in 79 without, and in 61 with three (sync.ordered,
 * bench/notes/loops.md). */
#define BZ_TURN_PAUSES 2

/* How long a thread that waits for its turn spins before it sleeps. On a busy machine the thread that has the turn may
 * have lost its CPU for a time slice of the system's, some milliseconds. A waiter that sleeps meanwhile, and is woken
 * late, finds the other one asleep in turn; one that spins for a part of that meets it again. With 0.4 ms ordered loops
 * and wavefronts take 1 to 3 times as long there, on the average, with 4 ms 1 to 2 times (bench/notes/loops.md). */
#define BZ_TURN_SPIN_NS 1000000

/* Where threads outnumber the CPUs, a thread that waits for its turn and is the next one on its CPU keeps it for this
 * many times four looks, about 8 us where a pause takes 16 ns: some changes of threads on another CPU. With 10 a turn
 * took 2.5 to 3.2 us, with 100 and 200 1.5 to 2.1 (sync.ordered at 8 threads, bench/notes/loops.md). */
#define BZ_TURN_HOLDS 128

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
