/* scene.c: see scene.h. */
#include "tools/watchdog/scene.h"

#include <omp-tools.h>

#include "tools/common/grow.h"

static bool is_task(const struct bomp_hang_item *item) {
    uint32_t state = bz_load_relaxed(&item->state);
    return state != BOMP_HANG_FREE && state != BOMP_HANG_TEAM;
}

static uint32_t wait_of(const struct bomp_hang_item *task) {
    return bz_load_relaxed(&task->wait.kind);
}

bool bomp_hang_is_at_barrier(const struct bomp_hang_item *task) {
    uint32_t kind = wait_of(task);
    return kind == BOMP_HANG_BARRIER || kind == BOMP_HANG_REGION_END;
}

enum bomp_hang_standing bomp_hang_standing(const struct bomp_hang_thread *thread) {
    const struct bomp_hang_item *task = bz_load_relaxed(&thread->current);
    if (!bz_load_relaxed(&thread->is_alive) || !task || bz_load_relaxed(&task->state) == BOMP_HANG_FREE)
        return BOMP_HANG_IDLE;
    if (bz_load_relaxed(&task->team.item) && !bomp_hang_referred(&task->team))
        return BOMP_HANG_IDLE;
    return wait_of(task) != BOMP_HANG_NO_WAIT ? BOMP_HANG_WAITS : BOMP_HANG_OUTSIDE;
}

uint64_t bomp_hang_moves(void) {
    uint64_t moves = 0;
    for (struct bomp_hang_thread *thread = bomp_hang_threads(); thread; thread = thread->next)
        moves += bz_load_relaxed(&thread->moves);
    return moves;
}

/* ---- the snapshot ---- */

static bool add(void *record, void *arg) {
    struct bomp_hang_item *item = record;
    struct bomp_hang_scene *scene = arg;
    if (bz_load_relaxed(&item->state) == BOMP_HANG_FREE)
        return true;
    if (scene->count == BOMP_HANG_ITEMS_MOST) {
        scene->is_cut = true;
        return false;
    }
    if (!bomp_grow(&scene->items, sizeof item, scene->count, &scene->room))
        return false;
    scene->items[scene->count++] = item;
    return true;
}

bool bomp_hang_scene_take(struct bomp_hang_scene *scene) {
    *scene = (struct bomp_hang_scene){0};
    bomp_hang_each_item(add, scene);
    struct bomp_hang_thread *newest = bomp_hang_threads();
    scene->thread_count = newest ? newest->number + 1 : 0;
    scene->threads = bz_alloc_zero(scene->thread_count, sizeof *scene->threads);
    for (struct bomp_hang_thread *thread = newest; thread && scene->threads; thread = thread->next)
        scene->threads[thread->number] = thread;
    return scene->items && scene->threads;
}

void bomp_hang_scene_free(struct bomp_hang_scene *scene) {
    bz_free(scene->threads);
    bz_free(scene->items);
    *scene = (struct bomp_hang_scene){0};
}

/* ---- why a task cannot go on ---- */

struct finding {
    const struct bomp_hang_scene *scene;
    const struct bomp_hang_item *task;
    struct bomp_hang_reason *reasons;
    size_t count, room;
};

static void find(struct finding *finding, enum bomp_hang_why why, const struct bomp_hang_item *other) {
    if (finding->count < finding->room)
        finding->reasons[finding->count++] = (struct bomp_hang_reason){.why = why, .other = other};
}

/* Whether a record of that number was made after the other one, on the same thread. */
static bool is_later(uint64_t number, uint64_t after) {
    return after != 0 && number > after &&
           number >> BOMP_HANG_NUMBERS_SHIFT == after >> BOMP_HANG_NUMBERS_SHIFT;
}

/* Whether the task belongs to the last taskgroup of the other one: a child created since it began, or such a child's
 * descendant. The beginning of a scope is not reported: true then. */
static bool is_in_group(const struct bomp_hang_item *task, const struct bomp_hang_item *encountering) {
    uint64_t after = bz_load_relaxed(&encountering->group_after);
    for (int depth = 0; depth < 1000; depth++) {
        if (bomp_hang_refers(&task->parent, encountering))
            return is_later(bz_load_relaxed(&task->number), after);
        task = bomp_hang_referred(&task->parent);
        if (!task)
            return false;
    }
    return false;
}

static void find_at_barrier(struct finding *finding, const struct bomp_hang_item *other) {
    const struct bomp_hang_item *team = bomp_hang_referred(&finding->task->team);
    if (!team || !bomp_hang_refers(&other->team, team) || other == finding->task)
        return;
    if (bz_load_relaxed(&other->state) != BOMP_HANG_IMPLICIT)
        find(finding, BOMP_HANG_INCOMPLETE, other);
    else if (!bomp_hang_is_at_barrier(other))
        find(finding, BOMP_HANG_MISSING, other);
    else if (wait_of(other) != wait_of(finding->task))
        find(finding, BOMP_HANG_ELSEWHERE, other);
}

static bool waits_for_turn(const struct bomp_hang_item *task) {
    return wait_of(task) == BOMP_HANG_ORDERED || wait_of(task) == BOMP_HANG_ITERATION;
}

static void find_for_turn(struct finding *finding, const struct bomp_hang_item *other) {
    const struct bomp_hang_item *team = bomp_hang_referred(&finding->task->team);
    if (team && bomp_hang_refers(&other->team, team) &&
        bz_load_relaxed(&other->state) == BOMP_HANG_IMPLICIT && other != finding->task &&
        !waits_for_turn(other) && !bomp_hang_is_at_barrier(other))
        find(finding, BOMP_HANG_TURN, other);
}

const struct bomp_hang_held *bomp_hang_holder(uint64_t object, const struct bomp_hang_thread **holder) {
    for (struct bomp_hang_thread *thread = bomp_hang_threads(); thread && object != 0; thread = thread->next)
        for (int i = 0; i < BOMP_HANG_HELD; i++)
            if (bz_load_relaxed(&thread->held[i].object) == object) {
                *holder = thread;
                return &thread->held[i];
            }
    return NULL;
}

static bool find_holder(struct finding *finding) {
    const struct bomp_hang_thread *holder;
    if (!bomp_hang_holder(bz_load_relaxed(&finding->task->wait.object), &holder))
        return false;
    const struct bomp_hang_item *task = bz_load_relaxed(&holder->current);
    if (holder == bz_load_relaxed(&finding->task->thread))
        task = finding->task; /* any task may have taken it: the thread waits for itself */
    else if (task && bz_load_relaxed(&task->state) == BOMP_HANG_FREE)
        task = NULL;
    find(finding, BOMP_HANG_HOLDS, task);
    return true;
}

/* Whether two tasks with these dependences on one address must not overlap. mutexinoutset excludes only running tasks. */
static bool in_conflict(uint32_t one, uint32_t other, bool other_runs) {
    if (one == ompt_dependence_type_in && other == ompt_dependence_type_in)
        return false;
    if (one == ompt_dependence_type_inoutset && other == ompt_dependence_type_inoutset)
        return false;
    if (one == ompt_dependence_type_mutexinoutset && other == ompt_dependence_type_mutexinoutset)
        return other_runs;
    return true;
}

static bool is_of_all(uint32_t kind) {
    return kind == ompt_dependence_type_out_all_memory || kind == ompt_dependence_type_inout_all_memory;
}

static unsigned kept_depends(const struct bomp_hang_item *task) {
    uint32_t count = bz_load_relaxed(&task->depend_count);
    return count < BOMP_HANG_DEPENDS_KEPT ? count : BOMP_HANG_DEPENDS_KEPT;
}

/* The dependence that orders the sibling before the task; -1: none. */
static int depend_on(const struct bomp_hang_item *task, const struct bomp_hang_item *sibling) {
    bool runs = bz_load_relaxed(&sibling->state) != BOMP_HANG_CREATED;
    bool is_older = bz_load_relaxed(&sibling->number) < bz_load_relaxed(&task->number);
    for (unsigned i = 0; i < kept_depends(task); i++)
        for (unsigned n = 0; n < kept_depends(sibling); n++) {
            uint32_t mine = bz_load_relaxed(&task->depends[i].kind);
            uint32_t its = bz_load_relaxed(&sibling->depends[n].kind);
            bool same =
                bz_load_relaxed(&task->depends[i].address) == bz_load_relaxed(&sibling->depends[n].address);
            if ((same || is_of_all(mine) || is_of_all(its)) && (is_older || runs) &&
                in_conflict(mine, its, runs))
                return (int)i;
        }
    return -1;
}

static void find_before(struct finding *finding, const struct bomp_hang_item *other) {
    const struct bomp_hang_item *task = finding->task;
    const struct bomp_hang_item *parent = bz_load_relaxed(&task->parent.item);
    if (other == task || !parent || !bomp_hang_refers(&other->parent, parent) ||
        !bomp_hang_refers(&task->parent, parent))
        return;
    int depend = depend_on(task, other);
    if (depend < 0 || finding->count == finding->room)
        return;
    find(finding, BOMP_HANG_DEPENDS, other);
    finding->reasons[finding->count - 1].depend = (unsigned)depend;
}

/* Checks whether the wait depends on this other task. */
static void find_among(struct finding *finding, const struct bomp_hang_item *other) {
    const struct bomp_hang_item *task = finding->task;
    if (bz_load_relaxed(&task->state) == BOMP_HANG_CREATED) {
        find_before(finding, other);
        return;
    }
    switch (wait_of(task)) {
    case BOMP_HANG_BARRIER:
    case BOMP_HANG_REGION_END:
        find_at_barrier(finding, other);
        break;
    case BOMP_HANG_TASKWAIT:
        if (bomp_hang_refers(&other->parent, task))
            find(finding, BOMP_HANG_INCOMPLETE, other);
        break;
    case BOMP_HANG_UNDEFERRED:
    case BOMP_HANG_TASK:
        if ((uintptr_t)other == bz_load_relaxed(&task->wait.object))
            find(finding, BOMP_HANG_INCOMPLETE, other);
        break;
    case BOMP_HANG_TASKGROUP:
        if (is_in_group(other, task))
            find(finding, BOMP_HANG_INCOMPLETE, other);
        break;
    case BOMP_HANG_ORDERED:
    case BOMP_HANG_ITERATION:
        find_for_turn(finding, other);
        break;
    default:
        break;
    }
}

size_t bomp_hang_reasons(const struct bomp_hang_scene *scene, const struct bomp_hang_item *task,
                         struct bomp_hang_reason *reasons, size_t room) {
    struct finding finding = {scene, task, reasons, 0, room};
    uint32_t wait = wait_of(task), state = bz_load_relaxed(&task->state);
    const struct bomp_hang_thread *thread = bz_load_relaxed(&task->thread);
    if (state == BOMP_HANG_DETACHED || state == BOMP_HANG_TEAM)
        return 0;
    if (state != BOMP_HANG_CREATED && wait == BOMP_HANG_NO_WAIT) {
        const struct bomp_hang_item *current = thread ? bz_load_relaxed(&thread->current) : NULL;
        if (current && current != task)
            find(&finding, BOMP_HANG_ABOVE, current);
        return finding.count;
    }
    if (wait >= BOMP_HANG_LOCK && find_holder(&finding))
        return finding.count;
    for (size_t i = 0; i < scene->count; i++)
        if (is_task(scene->items[i]))
            find_among(&finding, scene->items[i]);
    return finding.count;
}
