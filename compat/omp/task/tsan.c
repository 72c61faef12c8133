#include "omp/task/tsan.h"

#include <string.h>

#include "omp/task/depend_table.h"
#include "omp/task/task_inner.h"
#include "omp/task/task_policy.h"
#include "omp/team/team_data.h"

/* ---- teams ---- */

const void *bomp_tsan_meeting(const struct bomp_member *member) {
    return &member->team->tsan.meet[member->tsan.met % 2];
}

void bomp_tsan_start(struct bomp_member *member) {
    member->implicit.flags |= BOMP_TASK_TSAN;
    member->tsan.met = 0;
    bz_tsan_after(&member->team->tsan.start);
}

/* In a cancelled region members have met different numbers of barriers. */
void bomp_tsan_close(struct bomp_team *team) {
    bz_tsan_after(&team->tsan.meet[0]);
    bz_tsan_after(&team->tsan.meet[1]);
}

void bomp_tsan_arrive(struct bomp_member *member) {
    bz_tsan_before(bomp_tsan_meeting(member));
}

void bomp_tsan_go_on(struct bomp_member *member) {
    bz_tsan_after(bomp_tsan_meeting(member));
    member->tsan.met++;
}

/* ---- dependences ----
 *
 * Each kind of dependence on an address has a key: its tasks come before it at their end, others come after it at their
 * begin. A hash chooses one of a fixed number: addresses that share a key seem to depend on each other. One more key is that
 * of all memory. */

#define SLOTS 256
enum { KINDS = 4, KEYS = SLOTS * KINDS, KEY_BYTES = (KEYS + 1) * sizeof(uint64_t) };

static const void *depend_key(const char *keys, const void *address, unsigned kind) {
    if (kind == BOMP_DEPEND_ALL)
        return keys + KEYS * sizeof(uint64_t);
    uint64_t slot = ((uintptr_t)address * UINT64_C(0x9e3779b97f4a7c15)) >> 56;
    return keys + (slot * KINDS + kind) * sizeof(uint64_t);
}

/* Whether a task of one kind comes after an earlier one of the other; mutexinoutset: one after the other, in any order. */
static bool comes_after(enum bomp_depend_kind kind, enum bomp_depend_kind other) {
    return kind != other || kind == BOMP_DEPEND_OUT || kind == BOMP_DEPEND_MUTEX;
}

static void after_all(const char *keys, const struct bomp_depend *items, size_t count) {
    bz_tsan_after(depend_key(keys, NULL, BOMP_DEPEND_ALL));
    for (size_t i = 0; i < count; i++)
        for (size_t key = 0; items[i].kind == BOMP_DEPEND_ALL && key < KEYS; key++)
            bz_tsan_after(keys + key * sizeof(uint64_t));
    for (size_t i = 0; i < count; i++)
        for (unsigned kind = 0; kind < KINDS; kind++)
            if (comes_after(items[i].kind, (enum bomp_depend_kind)kind))
                bz_tsan_after(depend_key(keys, items[i].address, kind));
}

void bomp_tsan_depend(struct bomp_table *table, const struct bomp_depend_list *list) {
    if (table->tsan_keys)
        after_all(table->tsan_keys, list->items, list->count);
}

/* ---- tasks ---- */

static struct bomp_tsan *record_of(const struct bomp_task *task) {
    const struct bomp_task_extra *extra = bomp_task_has_extra(task);
    return extra ? extra->tsan : NULL;
}

const void *bomp_tsan_children(const struct bomp_task *task) {
    const struct bomp_tsan *tsan = record_of(task);
    return tsan ? (const void *)&tsan->children : &task->children;
}

bool bomp_tsan_record(struct bomp_task *task, const struct bomp_task_spec *spec,
                      const struct bomp_task *parent) {
    size_t count = spec->depend.count;
    struct bomp_tsan *tsan = bz_alloc(sizeof *tsan + count * sizeof(struct bomp_depend));
    if (!tsan)
        return false;
    tsan->up = bomp_tsan_children(parent);
    tsan->keys = NULL;
    tsan->count = count;
    if (count > 0)
        memcpy(tsan->depend, spec->depend.items, count * sizeof(struct bomp_depend));
    task->extra->tsan = tsan;
    return true;
}

void bomp_tsan_created(struct bomp_task *task, struct bomp_table *table) {
    struct bomp_tsan *tsan = task->extra->tsan;
    if (table && !table->tsan_keys && !(table->tsan_keys = bz_alloc_zero(1, KEY_BYTES)))
        bomp_no_memory("the dependences that ThreadSanitizer observes");
    tsan->keys = table ? table->tsan_keys : NULL;
    bz_tsan_before(&tsan->created);
}

/* ---- several threads ----
 *
 * A race shows between threads only, and one of them could run all of a few short tasks. So a thread lets another one begin
 * the next. It waits no longer than it has worked since its last wait, so the program takes at most twice the time. */

/* relaxed, all: a hint */
static bool has_turn(const struct bomp_tsan_team *team, unsigned num, uint64_t now) {
    return bz_load_relaxed(&team->last) != num && now >= bz_load_relaxed(&team->began) + BOMP_TSAN_APART_NS;
}

void bomp_tsan_take_turn(struct bomp_member *self) {
    struct bomp_tsan_team *team = &self->team->tsan;
    uint64_t now = bz_os_now_ns();
    if (self->team->size > 1 && !has_turn(team, self->num, now)) {
        uint64_t worked = now - self->tsan.waited;
        uint64_t limit = now + (worked < BOMP_TSAN_TURN_NS ? worked : BOMP_TSAN_TURN_NS);
        while (now < limit && !has_turn(team, self->num, now)) {
            bz_os_yield();
            now = bz_os_now_ns();
        }
        self->tsan.waited = now;
    }
    bz_store_relaxed(&team->last, self->num); /* relaxed, both: a hint */
    bz_store_relaxed(&team->began, now);
}

void bomp_tsan_begin(struct bomp_task *task) {
    const struct bomp_tsan *tsan = record_of(task);
    bz_tsan_after(&tsan->created);
    if (tsan->keys)
        after_all(tsan->keys, tsan->depend, tsan->count);
}

/* Frees the arguments before other memory could take their place. */
void bomp_tsan_end_body(struct bomp_task *task) {
    bz_free_used(task->extra->block);
    task->extra->block = NULL;
}

void bomp_tsan_release(struct bomp_task *task) {
    const struct bomp_tsan *tsan = record_of(task);
    for (size_t i = 0; tsan->keys && i < tsan->count; i++)
        bz_tsan_before(depend_key(tsan->keys, tsan->depend[i].address, tsan->depend[i].kind));
}

void bomp_tsan_complete(struct bomp_task *task, struct bz_worker *self) {
    const struct bomp_tsan *tsan = record_of(task);
    bomp_tsan_release(task);
    bz_tsan_before(tsan->up);
    if (task->group)
        bz_tsan_before(task->group);
    bz_tsan_before(bomp_tsan_meeting(bz_worker_context(self)));
}
