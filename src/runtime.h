/* The seam: all that compat/ may use of the scheduler; it includes nothing else of src/.
 *
 *   worker    bz_self; push, pop, wait with a filter; units of work         worker.h
 *             its context, queue, memory and domain                         worker_api.h
 *             a first worker for a thread, or a second one for a while      adopt.h
 *   domain    workers that steal only from each other; wake-ups             domain.h
 *   team      k bodies that run at once on k workers of one domain          thread_team.h
 *   barrier   the meeting of these workers, which run jobs meanwhile        barrier.h
 *   coroutine fibers of one worker, one of which runs                       coroutine.h
 *   tally     a count of children without atomics for its owner             tally.h
 *   slab      classes of a worker's memory                                  slab.h
 *   mutex     a lock on one word, also of the program                       mutex.h, parking.h
 *   waiter    how a thread waits: load, spinning, parking                   load.h, spin.h, waiter.h
 *   pqueue    jobs by priority, also from outside                           pqueue.h
 *   stack     sizes of new ones; another one where little is left           stack.h
 *   budget    the number of workers that suits the process                  budget.h
 *   threads   the thread cache; host threads; a thread's number             thread_cache.h, adopt.h, thread.h
 *   control   floating-point settings of a thread                           os/context.h
 *   cpus      sets, pins; shared cores, caches, sockets, memory             os/cpus.h, os/groups.h
 *   objects   imports of the loaded programs and libraries                  os/objects.h
 *   tools     loading libblitz-tools.so                                     tools.h
 *   tsan      declared order for ThreadSanitizer                            sanitizer.h
 *
 * And helpers: errors, names, options, topology, clock.
 *
 * The layer fills in or embeds jobs, waits and their filters, items of the priority queue, tallies and hooks for
 * coroutines; of a suspended coroutine it reads `next`, `open` and `kept`. For fields of workers, deques, teams, barriers
 * and domains it calls functions, inline where speed matters (tests/lint/layers.sh).
 *
 * Preconditions: a function that takes `self` is called on the thread with self == bz_self; no function may be called in a
 * signal handler; bz_worker_adopt comes before any that needs a worker. */
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
#include "team/thread_cache.h"
#include "team/thread_team.h"
#include "wait/load.h"
#include "wait/mutex.h"
#include "wait/parking.h"
#include "wait/spin.h"
#include "wait/thread.h"
#include "wait/waiter.h"

#endif
