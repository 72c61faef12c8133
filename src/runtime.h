/* THE SEAM: what the layer above (compat/) may use of the scheduler. Nothing else of src/ is included there.
 *
 *   worker    bz_self, bz_worker_adopt, bz_worker_isolate; context slot (worker->context) for what the layer runs;
 *             push, pop, wait_until with a wait filter; begin and end of units of work                    worker.h
 *   domain    a set of workers that steal only from each other; injected work                             domain.h
 *   team      k bodies guaranteed to run at once on k workers of one domain                          thread_team.h
 *   barrier   the meeting of a team's workers, who run the domain's jobs meanwhile                       barrier.h
 *   coroutine several fibers on one worker, of which one runs                                          coroutine.h
 *   tally     a count of children that costs its owner no atomic                                           tally.h
 *   slabs     memory of small fixed classes, from per-worker free lists                                     slab.h
 *   mutex     a lock on one word, also on a user's word                                         mutex.h, parking.h
 *   pqueue    jobs beside the deques, in the order of priorities, also from threads outside               pqueue.h
 *   stack     another one where the thread's own is nearly used up                                         stack.h
 *   cache     the thread cache: stack size and number of the process's threads                      thread_cache.h
 *   host      the program's threads, as far as the thread cache knows of them                               host.h
 *   cpus      sets of CPUs, pins; which of them share a core, a cache, a socket, memory     os/cpus.h, os/groups.h
 *   objects   what the loaded programs and libraries import                                           os/objects.h
 *   tsan      the order that ThreadSanitizer is told of                                                sanitizer.h
 *   and the helpers: errors, names, option parsing, topology, clock.
 *
 * Preconditions that hold everywhere: a function that takes `self` is called on the thread whose innermost worker `self`
 * is (self == bz_self); nothing here may be called from a signal handler; bz_worker_adopt comes before anything that
 * needs a worker. */
#ifndef BZ_RUNTIME_H
#define BZ_RUNTIME_H

#include "base/atomic.h"
#include "base/compiler.h"
#include "base/config.h"
#include "base/sanitizer.h"
#include "base/tally.h"
#include "env/error.h"
#include "env/names.h"
#include "env/options.h"
#include "os/cpus.h"
#include "os/files.h"
#include "os/groups.h"
#include "os/objects.h"
#include "os/os.h"
#include "os/topology.h"
#include "sched/coroutine.h"
#include "sched/domain.h"
#include "sched/pqueue.h"
#include "sched/slab.h"
#include "sched/sleep.h"
#include "sched/stack.h"
#include "sched/worker.h"
#include "team/barrier.h"
#include "team/fork.h"
#include "team/host.h"
#include "team/thread_cache.h"
#include "team/thread_team.h"
#include "wait/mutex.h"
#include "wait/parking.h"
#include "wait/tick.h"

#endif
