/* How our threads wait for each other, in numbers; *_NS in nanoseconds. bench/decisions.md#waits has the figures of
 * measured ones and the alternatives; the others are choices. */
#ifndef BZ_WAIT_TUNING_H
#define BZ_WAIT_TUNING_H

/* ---- spinning ---- */

/* Length of a back-off, the pause between two polls of a line that another thread writes. On an Intel Xeon a barrier of
 * two threads takes 190 ns with 10 ns between polls, 90 with 70, 125 with 160. Where a pause takes hardly any time, at
 * most this many of them. */
#define BZ_BACKOFF_NS 70
#define BZ_BACKOFF_PAUSES_MOST 64

/* Failed polls before the first clock and yield: 2 us, the length of most waits for a running thread. */
#define BZ_SPIN_ROUNDS 16
/* Back-offs between later polls, when a lock's holder no longer needs the line. With 16, critical sections of 30 us take
 * 2 % longer. */
#define BZ_SPIN_BACKOFFS 3

/* Spin of a waiter without a prediction: about the cost of a sleep and its wake, so at most twice the best choice for any
 * wait (ski rental). A futex wake costs its caller 2 to 5 us, and the sleeper runs after 10 to 50 us. */
#define BZ_SPIN_NS 50000

/* Spin for a lock, and for a thread that works where such waits are irregular. A woken thread is 25 to 30 us late, and
 * its CPU and the lock idle meanwhile. */
#define BZ_LONG_SPIN_NS 400000
/* After such a spin without success, the number of opportunities to skip: a lock held for milliseconds costs an eighth of
 * the long spins. A worker that kept its CPU at a barrier without success skips as many. */
#define BZ_VAIN_SKIPS 7

/* ---- yields ---- */

/* Polls between two yields. (With more threads than CPUs, a yield after each poll.) A yield on an otherwise idle CPU
 * costs 0.25 us; with a competing program, a barrier takes 133 us without yields and 1 to 3 us with them. */
#define BZ_YIELD_ROUNDS 8
/* Polls before the first yield when the awaited thread probably needs this CPU; it may have moved, so not 0. */
#define BZ_YIELD_EARLY_ROUNDS 2
/* Each yield that found no other thread doubles the polls up to the next one, at most this often. The system counts such
 * yields as run time: some hundred of them give a program of low priority a time slice of milliseconds. */
#define BZ_YIELD_DOUBLINGS 3

/* A yield of this length ran another thread: one that finds none takes 0.25 to 0.55 us, a switch there and back 2 to 4. */
#define BZ_SWITCH_NS 1000
/* Successive waits ended by a yield after which a worker sleeps once, to be moved: about a millisecond. */
#define BZ_HAND_OVERS 256
/* The same, after which it checks whether a member of its team is on its CPU: about the cost of a move. */
#define BZ_HAND_OVERS_BESIDE 8

/* A worker that has just woken a thread keeps its CPU for as long as a wake takes: a yield to a competing program would
 * cost a time slice. */
#define BZ_WAKE_NS 40000

/* Sleeps refused in a row, because of work that the worker may take, after which it yields first: the thread that is
 * about to take the work may need this CPU. */
#define BZ_KEPT_UP 4

/* ---- where threads outnumber the CPUs ---- */

/* Threads of a team for each CPU above which waiters sleep at once. With 4, yields save switches; with hundreds, each
 * thread runs three times before the last one has run once. */
#define BZ_OVERCROWDED 16

/* Another program ran on this CPU (rival.h) if a yield took this long: the system's time slices are 1.4 to 4 ms. */
#define BZ_RIVAL_NS 1000000
/* No longer yield counts as more than this: the whole process may have been stopped. */
#define BZ_RIVAL_NS_MOST 100000000
/* For this many times the length of that yield, waiters on this CPU sleep instead of yielding. So yields cost at most one
 * part in this many, and after the program has gone, waiters sleep that long without need. */
#define BZ_RIVAL_TIMES 8
/* CPUs for which this is recorded. */
#define BZ_RIVAL_PLACES 64

/* ---- members of a team that share a CPU ---- */

/* Wakes on the leader's CPU, more than on others, after which a member sleeps off that CPU (waiting.md). Few, so that
 * programs with few regions gain; where the system wakes threads on idle CPUs, it happens rarely. */
#define BZ_WAKES_ON_LEADER_CPU 3

/* Least time between two moves of a member off a shared CPU (parting.h): a hundred times the cost of a move. */
#define BZ_PARTING_NS 2000000
/* Shorter runs on a shared CPU are not worth a move. */
#define BZ_PARTING_BRIEF_NS 50000
/* A move that takes longer found a busy CPU. Each one in a row doubles the time to the next move, at most this often. */
#define BZ_PARTING_LATE_NS 400000
#define BZ_PARTING_VAIN_MOST 5

/* ---- starts, barriers, locks, turns ---- */

/* Polls of a start word in one round, a pause between two: half a microsecond. Back-offs make regions up to 10 % slower. */
#define BZ_START_SPINS 16

/* In teams of up to this size each run stores to the start word's line, to fetch it early: a region of two threads takes
 * 190 ns, without that 225. In larger teams it would be one more transfer for each member. */
#define BZ_START_FETCHED 4

/* Polls of a barrier's word before a worker searches for work as well: half a microsecond, for members that arrive at
 * about the same time. */
#define BZ_BARRIER_SPINS 7
/* The same for a worker that keeps its CPU although threads outnumber the CPUs: a microsecond, less than the switch that
 * it saves if all others have other CPUs. */
#define BZ_HOLD_SPINS 14

/* Polls of a held lock, the back-offs between them doubling up to this many: 5 us, a short critical section. Each poll
 * takes the line from the holder. On an Intel Xeon two threads with empty sections take 22 ns for one, with fixed
 * back-offs of 10 to 160 ns 70 to 160. The same where threads outnumber the CPUs: a lock's holder mostly has a CPU. */
#define BZ_MUTEX_SPINS 8
#define BZ_MUTEX_BACKOFFS 16

/* Pauses before the second poll for a turn, so that it does not take the line from the thread about to write it. A turn
 * passes between two threads in 50 ns with 2, 76 with 1, 61 with 3. */
#define BZ_TURN_PAUSES 2

/* Spin for a turn. The thread that has it may have lost its CPU for some milliseconds; a waiter that sleeps meanwhile
 * wakes late for its own turn, so that its successors sleep as well. On a busy machine loops take 1 to 3 times as long
 * with 0.4 ms, 1 to 2 times with 4 ms. */
#define BZ_TURN_SPIN_NS 1000000

/* ---- timed parks and predictions (waiting.md) ---- */

/* The shortest park: twice its own cost in CPU time. */
#define BZ_PARK_LEAST_NS 10000
/* Added to both sides of a prediction: the error of a clock that is read every microsecond or so. */
#define BZ_PARK_MARGIN_NS 2000
/* How late a park ends, until the first one has shown it. */
#define BZ_PARK_LATE_NS 20000
/* Parks up to this length go without a barrier on all threads, so a job waits for their end at most. That barrier takes a
 * running thread 8 to 13 us on a virtual machine. */
#define BZ_PARK_LIGHT_NS 1000000

/* A wait is irregular if its prediction needs a longer spin than BZ_SPIN_NS plus this part of the wait. */
#define BZ_SPIN_SHARE 4
/* The price of a sleep through an irregular wait, in time spent spinning. The sleeper is 25 us late, its team waits, and
 * its CPU is slower for a while: 60 us of wall time and 120 of CPU time in SoX. With 200 us, waits of 10 to 1000 us are
 * mostly slept through. */
#define BZ_SLEEP_PRICE_NS 400000

#endif
