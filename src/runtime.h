/* THE SEAM: what the layer above (compat/) may use of the scheduler. Nothing else of src/ is included there.
 *
 *   worker    bz_self; push, pop, wait_until with a wait filter; begin and end of units of work           worker.h
 *             its context, queue, memory and domain                                                   worker_api.h
 *             a first worker for a thread, or another one for a while; a cached thread                     adopt.h
 *   domain    a set of workers that steal only from each other; wake-ups; what its others do              domain.h
 *   team      k bodies guaranteed to run at once on k workers of one domain; where these meet        thread_team.h
 *   barrier   the meeting of a team's workers, which run its jobs meanwhile                              barrier.h
 *   coroutine fibers of one worker: one runs, the others are suspended                                 coroutine.h
 *   tally     a count of children that costs its owner no atomic                                           tally.h
 *   slab      the classes of a worker's memory                                                              slab.h
 *   mutex     a lock on one word, also on a user's word                                         mutex.h, parking.h
 *   waiter    how a thread waits for another: scarce CPUs, spinning, parking              load.h, spin.h, waiter.h
 *   pqueue    jobs by priority, not in a deque, also from threads outside                                 pqueue.h
 *   stack     the size of new ones; another one where the thread's own is nearly used up                   stack.h
 *   budget    how many workers suit the process                                                              budget.h
 *   cache     the thread cache: the number of the process's threads                                 thread_cache.h
 *   host      the threads of the program that the thread cache knows                                        host.h
 *   thread    a thread's number, and whether it was lost by a fork                                        thread.h
 *   control   how floating point works on a thread                                                    os/context.h
 *   cpus      sets of CPUs, pins; which of them share a core, a cache, a socket, memory     os/cpus.h, os/groups.h
 *   objects   what the loaded programs and libraries import                                           os/objects.h
 *   tools     how libblitz-tools.so comes into the process                                               tools.h
 *   tsan      the order that is declared to ThreadSanitizer                                            sanitizer.h
 *   and the helpers: errors, names, option parsing, topology, clock.
 *
 * The interface is what these headers declare, and the fields of those structs that the layer fills in or embeds: jobs,
 * waits and their filters, items of the priority queue, tallies, hooks for coroutines; of a suspended one it reads `next`,
 * `open` and `kept`. Fields of workers, deques, teams, barriers and domains are not for it: there is a function for each
 * use, which is inline where that matters, so that it costs what the field does (tests/lint/layers.sh).
 *
 * Preconditions that hold everywhere: a function that takes `self` is called on the thread whose innermost worker `self`
 * is (self == bz_self); nothing here may be called from a signal handler; bz_worker_adopt comes before anything that
 * needs a worker. */
#ifndef BZ_RUNTIME_H
#define BZ_RUNTIME_H

#include "base/atomic.h"
#include "base/compiler.h"
#include "base/config.h"
#include "base/probe.h"
#include "base/sanitizer.h"
#include "base/tally.h"
#include "env/error.h"
#include "env/names.h"
#include "env/options.h"
#include "os/context.h"
#include "os/cpus.h"
#include "os/files.h"
#include "os/groups.h"
#include "os/objects.h"
#include "os/os.h"
#include "os/topology.h"
#include "pool/tools.h"
#include "sched/coroutine.h"
#include "sched/domain.h"
#include "sched/pqueue.h"
#include "sched/slab.h"
#include "sched/sleep.h"
#include "sched/stack.h"
#include "sched/worker.h"
#include "sched/worker_api.h"
#include "team/adopt.h"
#include "team/barrier.h"
#include "team/budget.h"
#include "team/host.h"
#include "team/thread_cache.h"
#include "team/thread_team.h"
#include "wait/load.h"
#include "wait/mutex.h"
#include "wait/parking.h"
#include "wait/spin.h"
#include "wait/thread.h"
#include "wait/tick.h"
#include "wait/waiter.h"

#endif
