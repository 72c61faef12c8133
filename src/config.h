/* Tuning constants of the scheduler, each with its reason. Measured ones name their row in bench/README.md. */
#ifndef BZ_CONFIG_H
#define BZ_CONFIG_H

/* Slots of a new deque: deep recursion needs about a hundred, growth doubles. 2 KiB. */
#define BZ_DEQUE_CAPACITY 256

/* A worker looks at least this often before it announces that it is sleepy (rayon's number): a look over all victims
 * costs about 100 ns, so this is the time of a futex wake on the same socket. */
#define BZ_LOOK_ROUNDS 32

/* How long an idle worker keeps looking, in nanoseconds. When more threads are runnable than there are CPUs it yields its CPU
 * between looks, since whoever it waits for may need just this one. A futex wake costs its
 * waker 2 to 5 us and the sleeper 10 to 50 us on the machines that we measured: looking for about as long as a sleep and
 * wake would take is within a factor two of the best choice at any gap (ski rental). */
#define BZ_LOOK_NS 50000

/* Clock reads per look are the dear part of a fruitless round: read it every that many rounds. */
#define BZ_LOOK_CLOCK_ROUNDS 16

/* Looks at a held lock before sleeping on it: about a microsecond, a short critical section. */
#define BZ_MUTEX_SPINS 40

/* Injected jobs moved to the taker's deque at a time. The rest stays first come, first served. */
#define BZ_INJECT_BATCH 16

/* A worker with work of its own looks at the injector every that many jobs, so that outside work never starves. A prime,
 * so that it does not beat with regular patterns of jobs (Go's scheduler uses the same number). */
#define BZ_INJECT_INTERVAL 61

/* Bytes of stack below which a task is queued rather than run in place, so that undeferred recursion ends before the
 * stack does. */
#define BZ_STACK_RESERVE (64 * 1024)

#endif
