/* How threads of ours wait for each other, in numbers: a table of one row for each question, with its reason; *_NS in
 * nanoseconds. Measured ones name their page of bench/notes. */
#ifndef BZ_WAIT_TUNING_H
#define BZ_WAIT_TUNING_H

/* How long is a back-off? Two threads that meet at barriers again and again find the other one there at their first
 * look, and each leaves the line to it meanwhile: on an Intel Xeon, where it takes a line 60 ns to the other CPU, a
 * barrier takes 190 ns with a look after each pause of 10, 90 with one after 60 to 80, 125 with one after 160
 * (waiting.md). At most this many pauses, where they take hardly any time. */
#define BZ_BACKOFF_NS 70
#define BZ_BACKOFF_PAUSES_MOST 64

/* How many fruitless looks come first, without a clock and a yield? Two microseconds, which is what a wait for a running
 * thread takes most of the time. How many back-offs are between two looks later on? A lock's holder that takes that long
 * does not need its line; with sixteen, critical sections of 30 us took 2 % longer (waits.critical.30us, waiting.md). */
#define BZ_SPIN_ROUNDS 16
#define BZ_SPIN_BACKOFFS 3

/* After how many looks more does a waiter yield? (After each, when threads of ours outnumber the CPUs.) A yield costs
 * 0.25 us when nobody wants the CPU. When somebody does, often the very thread that is waited for, spinning on would
 * cost the whole of BZ_SPIN_NS: with a busy neighbour a barrier of two threads took 133 us without yields and 1 to 3 us
 * with them (waiting.md). After how many first, where the CPU is known to be what the awaited thread needs? A choice:
 * not none, since that thread may have gone to another CPU. How often is the first number doubled, once after each yield
 * that found nobody? Some hundred of these give a program of low priority a turn of some milliseconds: a process's first
 * hundred regions beside one took 1.11 times as long as without yields, with three doublings 1.02 (sharing.md). */
#define BZ_YIELD_ROUNDS 8
#define BZ_YIELD_EARLY_ROUNDS 2
#define BZ_YIELD_DOUBLINGS 3

/* When has somebody run in a yield? One that finds nobody takes 0.25 to 0.55 us on the machines that we measured, to
 * change to another thread and back 2 to 4. After how many waits in a row that a yield ended does a worker sleep once?
 * About a millisecond. A choice: it may be woken where no CPU is idle, either. After how many does it look whether a
 * member of its team is on its CPU? When what they have cost is about what a move costs. */
#define BZ_SWITCH_NS 1000
#define BZ_HAND_OVERS 256
#define BZ_HAND_OVERS_BESIDE 8

/* Of how many sleepers does the first one wake the others, where there are more? Each takes a system call, and whoever makes
 * thousands of them beside other programs has used up its share of the CPU long before the last (scaling.md). A choice
 * between 16 and 64, which were measured. */
#define BZ_WAKE_GROUP 32

/* For how many threads of a team for each CPU are yields worth less than a sleep (bz_overcrowded)? With 4 on each a
 * barrier takes fewest changes of threads by yields (barriers.md); with hundreds each is changed to three times more. A
 * choice. */
#define BZ_OVERCROWDED 16

/* When has another program had a CPU that one of ours gave away (rival.h)? The system's scheduler gives it 1.4 to 4 ms
 * on the machines that we measured. For how many times as long does nobody yield there then? Yields take one part in
 * that many at the most; and where the other program has gone, whoever waits sleeps for that long although a yield would
 * be better (sharing.md). What has taken longer than the second number counts as that: the process may have been stopped.
 * For how many CPUs is it noted? Choices. */
#define BZ_RIVAL_NS 1000000
#define BZ_RIVAL_NS_MOST 100000000
#define BZ_RIVAL_TIMES 8
#define BZ_RIVAL_PLACES 64

/* How long does a thread that has just woken another one keep its CPU? As long as a wake takes: a yield to a busy
 * neighbour would cost a turn of the system's scheduler, thousands of microseconds (crowd.short.neighbour, sharing.md).
 * How many times more than elsewhere is a member woken on its leader's CPU before it asks to be put elsewhere (spin.md)?
 * A choice: few, so that programs with few regions gain; where the system wakes threads on idle CPUs it happens now and
 * then only. */
#define BZ_WAKE_NS 40000
#define BZ_WAKES_ON_LEADER_CPU 3

/* Members of a team that share a CPU (parting.h). How often does one move at the most? A part of the time for which the
 * system leaves a thread where it is, and a hundred times what a move costs, 20 us. What takes less than the second number
 * is not worth that. A move takes longer than the third where others are on that CPU; then the next one comes after twice
 * as long, and so on, that many times. Choices. */
#define BZ_PARTING_NS 2000000
#define BZ_PARTING_BRIEF_NS 50000
#define BZ_PARTING_LATE_NS 400000
#define BZ_PARTING_VAIN_MOST 5

/* How long does a waiter spin that knows nothing? A futex wake costs its waker 2 to 5 us and the sleeper 10 to 50 us on
 * the machines that we measured: to spin for about as long as a sleep and wake would take costs at most twice the best
 * choice for any gap (ski rental). */
#define BZ_SPIN_NS 50000

/* And one that waits for a thread of work that is under way, where such waits are irregular, or for a lock? It comes 25
 * to 30 us late when it is woken, in which its CPU is nobody's, and the lock: a small part of longer waits
 * (waits.irregular, waits.critical, waiting.md). After such a spin in vain, how many are left out? Then a lock that is
 * held for milliseconds costs an eighth of that; and a worker that keeps its CPU in vain at a barrier lets as many
 * chances go by (barriers.md). */
#define BZ_LONG_SPIN_NS 400000
#define BZ_VAIN_SKIPS 7

/* How many looks at a start word make a round? About half a microsecond, a pause between two: back-offs make no
 * difference there, or regions 10 % slower (waiting.md). */
#define BZ_START_SPINS 16

/* In how large a team is the start word's line fetched early, by a store for each run, changed or not? Regions of two
 * threads take 190 ns with that, 225 without; in larger teams it is one more transfer for each member that looks. */
#define BZ_START_FETCHED 4

/* How often is a barrier's word looked at before a worker looks for work as well? Half a microsecond, for members that
 * come at about the same time. A choice: other numbers were not measured. And while a worker keeps its CPU although
 * threads outnumber the CPUs? A microsecond, less than the change of threads that it saves if it waits for the other
 * CPUs alone (sync.barrier at 8 threads, barriers.md). */
#define BZ_BARRIER_SPINS 7
#define BZ_HOLD_SPINS 14

/* How often is a held lock looked at first, and with how many back-offs at most before? There is one at first and then
 * twice as many each time: the waiter is late by no more than it has waited. A look takes the line from the holder, who
 * must fetch it back to let go and to come again: two threads with empty critical sections take 70 to 160 ns for one on
 * an Intel Xeon with back-offs of 10 ns to 160, 22 with these. Five microseconds in all: a short critical section. The
 * same where threads outnumber the CPUs: whoever holds a lock mostly has a CPU (sync.critical at 8 threads, locks.md).
 * */
#define BZ_MUTEX_SPINS 8
#define BZ_MUTEX_BACKOFFS 16

/* How many pauses come before the second look for a turn? One that comes too early takes the line from whoever is about
 * to write to it: two threads pass turns on in 50 ns with two, in 79 without, and in 61 with three (sync.ordered,
 * loops.md). */
#define BZ_TURN_PAUSES 2

/* How long is a turn spun for? On a busy machine the thread that has it may have lost its CPU for a time slice of the
 * system's, some milliseconds. A waiter that sleeps meanwhile, and is woken late, finds the other one asleep in turn;
 * one that spins for a part of that meets it again. With 0.4 ms ordered loops and wavefronts take 1 to 3 times as long
 * there, on the average, with 4 ms 1 to 2 times (loops.md). */
#define BZ_TURN_SPIN_NS 1000000

/* Timed parks (predictor.md). How long are they at least? One costs 5 us of CPU time, so it is not worth it below twice
 * that. How far is a prediction stretched to either side? By the error of a clock that is read every microsecond or so;
 * how late they turn out to end comes on top, and before one has ended a usual time (regions.md). How long is one that
 * does without a barrier on all threads? A job that it misses for that waits as long at the most; with the barrier,
 * which takes whoever runs beside it 8 to 13 us on a virtual machine, a taskwait of 100 us took so much longer
 * (waits.taskwait.100us, waiting.md). */
#define BZ_PARK_LEAST_NS 10000
#define BZ_PARK_MARGIN_NS 2000
#define BZ_PARK_LATE_NS 20000
#define BZ_PARK_LIGHT_NS 1000000

/* When is a wait too irregular to be predicted? When spinning until its end takes more than BZ_SPIN_NS and the wait
 * divided by the first number. How long a spin is it worth not to sleep through such a wait for a start? The sleeper comes
 * 25 us late, its team waits for that, and its CPU computes slower for a while: 60 us of wall time and 120 of CPU time in a
 * program (SoX, regions.md). A choice above that: with 200 us waits of 10 to 1000 us are slept through more often than
 * not, with 400 less often than before. */
#define BZ_SPIN_SHARE 4
#define BZ_SLEEP_PRICE_NS 400000

/* How many times in a row does a worker that was kept from its sleep by something that it may take go on at once? From
 * then on it yields first: whoever is about to take that may need this CPU. A choice. */
#define BZ_KEPT_UP 4

#endif
