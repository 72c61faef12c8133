/* account.c: see account.h.
 *
 * Pairing table
 *   XS9 leave_region adds the busy time of a member   XS9 the last member to leave reads it
 *   XS10 member_begin publishes the member   XS11 summary.c reads the member of a thread   outer, region, index, times
 *   XS12 leave_all ends an outermost region   XS13 the next one begins, or the report is made   its time */
#include "tools/stats/account.h"

#include "tools/common/ticks.h"

/* A barrier this soon after a worksharing construct belongs to it. */
#define DIRECTLY_AFTER_NS 50000

/* Adds the thread's time until now to the state of its task. */
static inline void pass(struct bomp_stats_thread *thread, uint64_t now) {
    struct bomp_stats_task *task = thread->current.v;
    uint64_t since = thread->since.v, spent = now > since ? now - since : 0;
    bz_store_relaxed(&thread->since, since + spent); /* relaxed: as all counts */
    if (bz_likely(task)) {
        uint32_t state = task->state.v;
        task->spent[state != BOMP_STATS_BUSY] += spent;
        bomp_stats_add(&thread->member.v->time[state], spent);
    }
}

/* Without a member (no memory), tasks are not counted.
 * relaxed: the report reads these only for the last stretch of a thread's time. */
static void set_current(struct bomp_stats_thread *thread, struct bomp_stats_task *task) {
    bz_store_relaxed(&thread->current, bz_likely(thread->member.v) ? task : NULL);
}

static void set_state(struct bomp_stats_task *task, enum bomp_stats_state state) {
    bz_store_relaxed(&task->state, state); /* relaxed: as above */
}

static struct bz_a64 *counts_of(struct bomp_stats_thread *thread, enum bomp_stats_kind kind,
                                uintptr_t place) {
    return bomp_stats_places_find(&thread->places[kind], place, 0)->counts;
}

/* Regions. */

/* Outermost regions of all host threads. Written and read by the threads that open them; read by the thread that reports,
 * and reset by one that forks. Times in ticks. */
static struct {
    struct bz_a64 open;  /* their number */
    struct bz_a64 since; /* when the last one ended, or the process began */
    struct bz_a64 none;  /* time without any, before the last one began */
} outermost;

static uint64_t since_last(uint64_t now) {
    uint64_t since = bz_load_relaxed(&outermost.since); /* relaxed: XS13 orders it */
    return now > since ? now - since : 0;
}

void bomp_stats_serial_begin(uint64_t now, bool in_region) {
    bz_store_relaxed(&outermost.open, in_region); /* relaxed, all: alone */
    bz_store_relaxed(&outermost.since, now);
    bz_store_relaxed(&outermost.none, 0);
}

uint64_t bomp_stats_serial(uint64_t now) {
    bool is_none = bz_load_acquire(&outermost.open) == 0;                      /* XS13: pairs with XS12 */
    return bz_load_relaxed(&outermost.none) + (is_none ? since_last(now) : 0); /* relaxed: as all counts */
}

static bool is_outermost(const struct bomp_stats_thread *thread) {
    return !thread->member.v || !thread->member.v->region.v;
}

static void enter_first(uint64_t now) {
    if (bz_fetch_add_acq_rel(&outermost.open, 1) == 0)          /* XS13: pairs with XS12 */
        bz_fetch_add_relaxed(&outermost.none, since_last(now)); /* relaxed: as all counts */
}

static void leave_all(uint64_t now) {
    bz_store_relaxed(&outermost.since, now);  /* relaxed: XS12 publishes it */
    bz_fetch_sub_release(&outermost.open, 1); /* XS12: pairs with XS13 */
}

struct bomp_stats_region *bomp_stats_region_begin(struct bomp_stats_thread *thread, uint64_t now,
                                                  uintptr_t place) {
    pass(thread, now);
    thread->fresh = NULL;
    if (thread->current.v)
        set_state(thread->current.v, BOMP_STATS_OPENING);
    if (is_outermost(thread))
        enter_first(now);
    bomp_stats_add(&counts_of(thread, BOMP_STATS_REGIONS, place)[BOMP_REGION_CALLS], 1);
    struct bomp_stats_region *region = bomp_cells_take(&thread->regions);
    if (region)
        *region = (struct bomp_stats_region){.cell = region->cell, .place = place, .began = now};
    return region;
}

/* Called by each member and by the thread that opened the region. The last one adds how evenly they were busy. */
static void leave_region(struct bomp_stats_thread *thread, struct bomp_stats_region *region) {
    uint32_t threads = bz_load_relaxed(&region->threads);       /* relaxed: all have written the same */
    uint32_t left = bz_fetch_add_acq_rel(&region->left, 1) + 1; /* XS9: pairs with XS9 */
    if (left != threads + 1)
        return;
    struct bz_a64 *counts = counts_of(thread, BOMP_STATS_REGIONS, region->place);
    bomp_stats_add(&counts[BOMP_REGION_BUSIEST], region->busiest.v);
    bomp_stats_add(&counts[BOMP_REGION_MEAN], region->busy.v / (threads > 0 ? threads : 1));
    bomp_cell_give(&thread->regions, &region->cell);
}

void bomp_stats_add_wall(struct bz_a64 *counts, const struct bomp_stats_region *region, uint64_t now) {
    uint64_t wall = now > region->began ? now - region->began : 0;
    uint32_t threads = bz_load_relaxed(&region->threads); /* relaxed: all have written the same */
    bomp_stats_add(&counts[BOMP_REGION_WALL], wall);
    bomp_stats_add(&counts[BOMP_REGION_THREADS], threads);
    bomp_stats_add(&counts[BOMP_REGION_THREAD_TIME], wall * threads);
    bomp_stats_raise(&counts[BOMP_REGION_LONGEST], wall);
    bomp_stats_raise(&counts[BOMP_REGION_TEAM], threads);
}

static void add_wall(struct bomp_stats_thread *thread, uint64_t now, struct bomp_stats_region *region) {
    bomp_stats_add_wall(counts_of(thread, BOMP_STATS_REGIONS, region->place), region, now);
    bz_store_relaxed(&region->ended, now); /* relaxed: a member that misses it has not waited long */
}

void bomp_stats_region_end(struct bomp_stats_thread *thread, uint64_t now, struct bomp_stats_region *region) {
    pass(thread, now);
    thread->fresh = NULL;
    if (thread->current.v)
        set_state(thread->current.v, BOMP_STATS_BUSY);
    if (is_outermost(thread))
        leave_all(now);
    if (!region)
        return;
    if (region->ended.v == 0)
        add_wall(thread, now, region);
    leave_region(thread, region);
}

/* Members. */

/* relaxed: the reporting thread may still read the previous content. */
static void init_member(struct bomp_stats_member *member, const struct bomp_stats_thread *thread,
                        struct bomp_stats_region *region, unsigned index) {
    member->task = (struct bomp_stats_task){.cell = member->task.cell, .has_begun = true};
    member->resumed = thread->current.v;
    member->work = member->charged = NULL;
    member->work_busy = member->work_ended = 0;
    bz_store_relaxed(&member->outer, thread->member.v);
    bz_store_relaxed(&member->region, region);
    bz_store_relaxed(&member->index, index);
    bz_store_relaxed(&member->tasks, 0);
    for (unsigned state = 0; state < BOMP_STATS_STATES; state++)
        bz_store_relaxed(&member->time[state], 0);
}

struct bomp_stats_task *bomp_stats_member_begin(struct bomp_stats_thread *thread, uint64_t now,
                                                struct bomp_stats_region *region, unsigned threads,
                                                unsigned index) {
    pass(thread, now);
    thread->fresh = NULL;
    struct bomp_stats_member *member = bomp_cells_take(&thread->members);
    if (!member)
        return NULL;
    init_member(member, thread, region, index);
    if (region)
        bz_store_relaxed(&region->threads, threads); /* relaxed: all members write the same */
    bz_store_release(&thread->member, member);       /* XS10: pairs with XS11 */
    set_current(thread, &member->task);
    return &member->task;
}

static void add_times(struct bz_a64 *sums, const struct bomp_stats_member *member) {
    for (unsigned state = 0; state < BOMP_STATS_STATES; state++)
        bomp_stats_add(&sums[state], member->time[state].v);
}

/* relaxed: XS9 orders it. */
static void add_to_region(struct bomp_stats_region *region, uint64_t busy) {
    uint64_t busiest = bz_load_relaxed(&region->busiest);
    bz_fetch_add_relaxed(&region->busy, busy);
    while (busy > busiest && !bz_cas_relaxed(&region->busiest, &busiest, busy)) {
    }
}

static void end_innermost(struct bomp_stats_thread *thread, uint64_t now, bool is_cut) {
    struct bomp_stats_member *member = thread->member.v;
    struct bomp_stats_region *region = member->region.v;
    if (region) {
        struct bz_a64 *counts = counts_of(thread, BOMP_STATS_REGIONS, region->place);
        if (is_cut && member->index.v == 0 && region->ended.v == 0)
            add_wall(thread, now, region);
        add_times(counts, member);
        bomp_stats_add(&counts[BOMP_REGION_TASKS], member->tasks.v);
        add_to_region(region, member->time[BOMP_STATS_BUSY].v);
        leave_region(thread, region);
    }
    set_current(thread, member->resumed);
    bz_store_relaxed(&thread->member, member->outer.v); /* relaxed: as set_current */
    bomp_cell_give(&thread->members, &member->task.cell);
}

void bomp_stats_member_end(struct bomp_stats_thread *thread, uint64_t now, struct bomp_stats_task *task) {
    bool found = false;
    pass(thread, now);
    thread->fresh = NULL;
    for (struct bomp_stats_member *member = thread->member.v; member; member = member->outer.v)
        found |= &member->task == task;
    for (bool is_last = false; found && !is_last;) {
        is_last = &thread->member.v->task == task;
        end_innermost(thread, now, !is_last);
    }
}

/* Waits. */

/* Whether this begins a wait of the current task, and it is not nested. */
static bool begin_wait(struct bomp_stats_thread *thread, uint64_t now, enum bomp_stats_state state) {
    struct bomp_stats_task *task = thread->current.v;
    pass(thread, now);
    thread->fresh = NULL;
    if (!task || task->waits++ > 0)
        return false;
    task->spent[1] = 0;
    set_state(task, state);
    return true;
}

void bomp_stats_wait_begin(struct bomp_stats_thread *thread, uint64_t now, enum bomp_stats_state state) {
    struct bomp_stats_member *member = thread->member.v;
    if (!begin_wait(thread, now, state) || state != BOMP_STATS_BARRIER)
        return;
    bool follows = member->work_ended != 0 && now < member->work_ended + bomp_ticks_in(DIRECTLY_AFTER_NS);
    member->charged = follows ? member->work : NULL;
    member->work_ended = 0;
}

/* The end of a barrier counts at most until the end of its region. */
static uint64_t end_of_region(const struct bomp_stats_member *member, uint64_t now) {
    uint64_t ended =
        member->region.v ? bz_load_relaxed(&member->region.v->ended) : 0; /* relaxed: see its store */
    return ended != 0 && ended < now ? ended : now;
}

/* Whether the current task waits no longer, and its wait is in `waited`. */
static bool end_wait(struct bomp_stats_thread *thread, uint64_t now, uint64_t *waited) {
    struct bomp_stats_task *task = thread->current.v;
    if (!task) {
        pass(thread, now);
        return false;
    }
    uint32_t state = task->state.v;
    pass(thread, state == BOMP_STATS_BARRIER ? end_of_region(thread->member.v, now) : now);
    if (now > thread->since.v)
        bz_store_relaxed(&thread->since, now); /* relaxed: as all counts */
    if (task->waits == 0 || --task->waits > 0)
        return false;
    struct bz_a64 *counts = thread->waits[state];
    *waited = task->spent[1];
    bomp_stats_add(&counts[BOMP_WAIT_COUNT], 1);
    bomp_stats_add(&counts[BOMP_WAIT_TOTAL], *waited);
    bomp_stats_raise(&counts[BOMP_WAIT_LONGEST], *waited);
    set_state(task, BOMP_STATS_BUSY);
    return true;
}

void bomp_stats_wait_end(struct bomp_stats_thread *thread, uint64_t now) {
    struct bomp_stats_member *member = thread->member.v;
    uint64_t waited;
    if (!end_wait(thread, now, &waited) || !member->charged)
        return;
    bomp_stats_add(&member->charged->counts[BOMP_WORK_WAITED], waited);
    member->charged = NULL;
}

/* Critical constructs and locks. */

/* Successive loops share the object that they wait on, so ordered constructs are identified by their sites. */
static struct bomp_stats_place *mutex_of(struct bomp_stats_thread *thread, enum bomp_stats_state state,
                                         uintptr_t mutex, uintptr_t site) {
    uintptr_t address = state == BOMP_STATS_ORDERED && site != 0 ? site : mutex;
    struct bomp_stats_place *place =
        bomp_stats_places_find(&thread->places[BOMP_STATS_MUTEXES], address, state);
    bomp_stats_set_site(place, state, site);
    return place;
}

void bomp_stats_acquire(struct bomp_stats_thread *thread, uint64_t now, enum bomp_stats_state state,
                        uintptr_t mutex, uintptr_t site) {
    bool waits = begin_wait(thread, now, state);
    thread->mutex = waits ? mutex_of(thread, state, mutex, site) : NULL;
}

void bomp_stats_acquired(struct bomp_stats_thread *thread, uint64_t now, enum bomp_stats_state state,
                         uintptr_t mutex, uintptr_t site) {
    struct bomp_stats_place *place = mutex_of(thread, state, mutex, site);
    uint64_t waited = 0;
    if (thread->mutex)
        (void)end_wait(thread, now, &waited);
    thread->mutex = NULL;
    bomp_stats_add(&place->counts[BOMP_MUTEX_ACQUIRED], 1);
    bomp_stats_add(&place->counts[BOMP_MUTEX_WAITED], waited);
    bomp_stats_raise(&place->counts[BOMP_MUTEX_LONGEST], waited);
}

/* Worksharing. */

void bomp_stats_work_begin(struct bomp_stats_thread *thread, uint64_t now, uintptr_t place, uint32_t sort) {
    struct bomp_stats_member *member = thread->member.v;
    struct bomp_stats_place *work = bomp_stats_places_find(&thread->places[BOMP_STATS_WORKS], place, sort);
    pass(thread, now);
    bomp_stats_add(&work->counts[BOMP_WORK_ENTERED], 1);
    if (!member)
        return;
    if (member->region.v)
        bomp_stats_set_site(work, sort, member->region.v->place);
    member->work = work;
    member->work_ended = 0;
    member->work_busy = member->time[BOMP_STATS_BUSY].v;
}

void bomp_stats_work_note(struct bomp_stats_thread *thread, uintptr_t place, uint32_t sort) {
    bomp_stats_add(
        &bomp_stats_places_find(&thread->places[BOMP_STATS_WORKS], place, sort)->counts[BOMP_WORK_ENTERED],
        1);
}

void bomp_stats_work_end(struct bomp_stats_thread *thread, uint64_t now) {
    struct bomp_stats_member *member = thread->member.v;
    pass(thread, now);
    if (!member || !member->work || member->work_ended != 0)
        return;
    uint64_t busy = member->time[BOMP_STATS_BUSY].v - member->work_busy;
    bomp_stats_add(&member->work->counts[BOMP_WORK_BUSY], busy);
    bomp_stats_raise(&member->work->counts[BOMP_WORK_LONGEST], busy);
    member->work_ended = now;
}

void bomp_stats_chunk(struct bomp_stats_thread *thread) {
    struct bomp_stats_member *member = thread->member.v;
    if (member && member->work)
        bomp_stats_add(&member->work->counts[BOMP_WORK_CHUNKS], 1);
}

/* Explicit tasks. */

struct bomp_stats_task *bomp_stats_task_create(struct bomp_stats_thread *thread, uintptr_t place, int flags) {
    struct bomp_stats_task *task = bomp_cells_take(&thread->tasks);
    bomp_stats_add(&counts_of(thread, BOMP_STATS_TASKS, place)[BOMP_TASK_CREATED], 1);
    if (bz_likely(thread->member.v))
        bomp_stats_add(&thread->member.v->tasks, 1);
    thread->fresh = task;
    if (bz_likely(task))
        *task = (struct bomp_stats_task){.cell = task->cell,
                                         .place = place,
                                         .is_explicit = true,
                                         .is_undeferred = flags & BOMP_STATS_UNDEFERRED};
    return task;
}

void bomp_stats_await(struct bomp_stats_thread *thread, uint64_t now, struct bomp_stats_task *task) {
    (void)begin_wait(thread, now, BOMP_STATS_DEPEND);
    task->is_awaited = true;
}

/* An explicit task's body has ended, or never begins. */
static void end_body(struct bomp_stats_thread *thread, uint64_t now, const struct bomp_stats_task *task,
                     enum bomp_stats_left how) {
    struct bz_a64 *counts = counts_of(thread, BOMP_STATS_TASKS, task->place);
    if (how == BOMP_STATS_CANCELLED)
        bomp_stats_add(&counts[BOMP_TASK_CANCELLED], 1);
    if (!task->has_begun)
        return;
    bomp_stats_add(&counts[BOMP_TASK_ENDED], how == BOMP_STATS_ENDED);
    bomp_stats_add(&counts[BOMP_TASK_BODY], task->spent[0]);
    bomp_stats_add(&counts[BOMP_TASK_INCLUSIVE], now > task->began ? now - task->began : 0);
    bomp_stats_raise(&counts[BOMP_TASK_LONGEST], task->spent[0]);
}

void bomp_stats_task_free(struct bomp_stats_thread *thread, struct bomp_stats_task *task) {
    bomp_cell_give(&thread->tasks, &task->cell);
}

void bomp_stats_task_discard(struct bomp_stats_thread *thread, uint64_t now, struct bomp_stats_task *task) {
    uint64_t waited;
    if (task->is_awaited)
        (void)end_wait(thread, now, &waited);
    thread->fresh = NULL;
    end_body(thread, now, task, BOMP_STATS_CANCELLED);
    bomp_stats_task_free(thread, task);
}

static void begin_body(struct bomp_stats_thread *thread, uint64_t now, struct bomp_stats_task *task,
                       bool at_once) {
    struct bz_a64 *counts = counts_of(thread, BOMP_STATS_TASKS, task->place);
    task->has_begun = true;
    task->began = now;
    bomp_stats_add(&counts[BOMP_TASK_AT_ONCE], at_once);
    bomp_stats_add(&counts[BOMP_TASK_STOLEN], task->cell.owner != &thread->tasks);
}

void bomp_stats_switch(struct bomp_stats_thread *thread, uint64_t now, struct bomp_stats_task *prior,
                       enum bomp_stats_left how, struct bomp_stats_task *next) {
    bool begins = next && !next->has_begun;
    bool at_once = begins && (next == thread->fresh || next->is_undeferred);
    uint64_t waited;
    if (bz_unlikely(begins && next->is_awaited))
        (void)end_wait(thread, now, &waited);
    pass(thread, now);
    thread->fresh = NULL;
    if (prior && how != BOMP_STATS_LEFT)
        end_body(thread, now, prior, how);
    else if (prior && prior->is_explicit && !at_once)
        bomp_stats_add(&counts_of(thread, BOMP_STATS_TASKS, prior->place)[BOMP_TASK_SUSPENDED], 1);
    if (begins)
        begin_body(thread, now, next, at_once);
    set_current(thread, next);
}
