/* The constructs that a team has in flight, and their memory: see workshare.md.
 *
 * Pairing table
 *   WS1 go_on, waits for memory   WS2 extend       the construct behind it, all zero
 *   WS3 count_out                 WS3 count_out    all members are done with the construct
 *   WS4 take                      WS5 put          the same, for the next user of its memory
 *   WS6 notify                    WS7 make         eventcounts to advance
 */
#include "omp/loop/workshare.h"

#include "omp/loop/cancel.h"
#include "omp/loop/loop.h"
#include "omp/loop/range.h"
#include "omp/loop/turn.h"
#include "omp/task/cancelled.h"
#include "omp/team/team_data.h"
#include "omp/tool/hooks.h"

static struct bomp_workshare *next_home(struct bomp_team *team, struct bomp_workshare *home) {
    return home + 1 < team->ws->fixed + BOMP_WORKSHARE_HOMES ? home + 1 : team->ws->fixed;
}

static struct bomp_workshare *home_before(struct bomp_team *team, struct bomp_workshare *home) {
    return home > team->ws->fixed ? home - 1 : team->ws->fixed + BOMP_WORKSHARE_HOMES - 1;
}

static bool is_home(const struct bomp_team *team, const struct bomp_workshare *ws) {
    return ws >= team->ws->fixed && ws < team->ws->fixed + BOMP_WORKSHARE_HOMES;
}

/* All stores here are relaxed: only the caller can reach the construct. */
static void clear_range(struct bomp_workshare *ws, unsigned num) {
    if (ws->ranges)
        bomp_range_clear(&ws->ranges[num]);
}

/* An unwritten line stays in the caches of all members. */
#define CLEAR(word) (bz_load_relaxed(word) != 0 ? bz_store_relaxed(word, 0) : (void)0)

static void clear_common(struct bomp_workshare *ws) {
    CLEAR(&ws->next);
    CLEAR(&ws->gone);
    CLEAR(&ws->schedule);
    CLEAR(&ws->taken);
    CLEAR(&ws->batch);
    CLEAR(&ws->turn);
    CLEAR(&ws->abandoned);
    bomp_storage_clear(&ws->storage);
}

static void clear(struct bomp_workshare *ws, unsigned size) {
    clear_common(ws);
    for (unsigned i = 0; i < size; i++)
        clear_range(ws, i);
}

/* ---- free ones ---- */

static void put(struct bomp_team *team, struct bomp_workshare *ws) {
    struct bomp_workshare *top = bz_load_relaxed(&team->ws->pool);
    do {
        ws->link = top;
    } while (!bz_cas_release(&team->ws->pool, &top, ws)); /* WS5: pairs with WS4 */
}

static struct bomp_workshare *make(struct bomp_team *team) {
    size_t size = sizeof(struct bomp_workshare) + team->size * sizeof(struct bomp_range);
    struct bomp_workshare *ws = bz_os_alloc(size);
    if (!ws)
        return NULL;
    ws->ranges = (struct bomp_range *)(ws + 1);
    struct bomp_workshare *top = bz_load_relaxed(&team->ws->made);
    do {
        ws->made = top;
    } while (!bz_cas_release(&team->ws->made, &top, ws)); /* WS7: pairs with WS6 */
    return ws;
}

/* A clean construct. NULL: another member linked one to `at` meanwhile. Without memory: workshare.md. */
static struct bomp_workshare *take(struct bomp_member *member, struct bomp_workshare *at) {
    struct bomp_team *team = member->team;
    for (;;) {
        if (!member->ws->spare)
            member->ws->spare = bz_exchange_acquire(&team->ws->pool, NULL); /* WS4: pairs with WS5 */
        struct bomp_workshare *ws = member->ws->spare;
        if (ws) {
            member->ws->spare = ws->link;
            bz_tsan_after(&ws->storage);
            clear(ws, team->size);
            return ws;
        }
        ws = make(team);
        if (!ws && team->cancel.on && bomp_cancel_seen(member))
            bz_fatal(
                "out of memory for a worksharing construct in a cancelled region"); /* no member frees one */
        if (ws || bz_load_relaxed(&at->next))
            return ws;
        bz_os_yield();
    }
}

/* ---- going on ---- */

static struct bomp_workshare *extend(struct bomp_member *member, struct bomp_workshare *at) {
    struct bomp_workshare *next = NULL;
    struct bomp_workshare *ws = take(member, at);
    if (!ws)
        return bz_load_acquire(&at->next);    /* WS1: pairs with WS2 */
    if (bz_cas_acq_rel(&at->next, &next, ws)) /* WS2: pairs with WS1 and WS2 */
        return ws;
    ws->link = member->ws->spare;
    member->ws->spare = ws;
    return next;
}

/* The member does not touch ws again. The last one to leave frees it. */
static void count_out(struct bomp_team *team, struct bomp_workshare *ws) {
    bz_tsan_before(&ws->storage);
    if (bz_fetch_add_acq_rel(&ws->gone, 1) + 1 == team->size) /* WS3: pairs with WS3 */
        put(team, ws);
}

static struct bomp_workshare *go_on(struct bomp_member *member, struct bomp_workshare *at) {
    struct bomp_workshare *next = bz_load_acquire(&at->next); /* WS1: pairs with WS2 */
    if (!next)
        next = extend(member, at);
    if (!is_home(member->team, at))
        count_out(member->team, at);
    return next;
}

struct bomp_workshare *bomp_workshare_enter(struct bomp_member *member) {
    struct bomp_workshare *at = member->ws->at;
    member->ws->unshared = false;
    return member->ws->at = at ? go_on(member, at) : member->ws->home;
}

/* ---- barriers and regions ---- */

/* For a member that has skipped constructs (workshare.md). */
BZ_COLD static struct bomp_workshare *catch_up(struct bomp_member *member, struct bomp_workshare *at) {
    struct bomp_workshare *next;
    while ((next = bz_load_acquire(&at->next)) != NULL) { /* WS1: pairs with WS2 */
        if (!is_home(member->team, at))
            count_out(member->team, at);
        at = next;
    }
    return at;
}

/* By member 0, one barrier later: no member reads the row any more. */
static void clean_row(struct bomp_member *member) {
    struct bomp_team *team = member->team;
    clear_common(home_before(team, member->ws->home));
    if (!is_home(team, member->ws->ended))
        put(team, member->ws->ended); /* the last one, which no member has counted itself out of */
    member->ws->ended = NULL;
}

/* clean_row follows after the next barrier: until then others may walk along the row. */
static void leave_row(struct bomp_member *member, struct bomp_workshare *home) {
    struct bomp_workshare *at = member->ws->at;
    if (bz_unlikely(!at || bz_load_relaxed(&at->next))) /* relaxed: written before the barrier */
        at = catch_up(member, at ? at : home);
    clear_range(home, member->num);
    if (member->num == 0)
        member->ws->ended = at;
    member->ws->at = NULL;
}

/* Whether the segment has a construct. Relaxed: written before the barrier. */
static inline bool is_begun(const struct bomp_member *member) {
    return member->ws->at || bz_load_relaxed(&member->ws->home->taken) != 0;
}

static __attribute__((noinline)) void end_rows(struct bomp_member *member) {
    struct bomp_workshare *home = member->ws->home;
    if (member->ws->ended)
        clean_row(member);
    if (is_begun(member))
        leave_row(member, home);
    member->ws->home = next_home(member->team, home);
}

/* After a barrier, and at the start of the next region. */
static inline void end_segment(struct bomp_member *member) {
    if (member->ws->ended || is_begun(member))
        end_rows(member);
    else
        member->ws->home = next_home(member->team, member->ws->home);
}

/* After a barrier within a construct, or one that ends a loop or a nest early: no member waits for its iterations any more,
 * and its storage may belong to another nest. */
static __attribute__((noinline)) void go_on_open(struct bomp_member *member) {
    if (member->ws->open == BOMP_OPEN)
        return;
    member->ws->doacross = NULL;
    bomp_loop_leave(member);
    if (bomp_hooks)
        bomp_hooks->work->loop_end(member, NULL);
    if (member->team->size > 1)
        end_segment(member);
}

/* For tools, a barrier ends constructs whose end no call reports. */
BZ_COLD static void end_open(struct bomp_member *member, const void *site) {
    bomp_hooks->work->block_end(member, site);
    if (member->ws->open == BOMP_OPEN_UNTIL)
        bomp_hooks->work->loop_end(member, site);
}

static inline void go_on_behind_barrier(struct bomp_member *member) {
    if (bz_unlikely(member->ws->open != BOMP_OPEN_NOT))
        go_on_open(member);
    else if (member->team->size > 1)
        end_segment(member);
}

/* Whether the first barrier of members that jumped over no reduction was the reduction's (cancel.md). Relaxed: written
 * before that barrier, and again only after another one. */
static bool was_of_reduction(const struct bomp_member *member) {
    return bz_load_relaxed(&member->team->cancel.reduced) == member->place;
}

static __attribute__((noinline)) bool barrier_special(struct bomp_member *member, const void *site,
                                                      enum bomp_barrier kind) {
    if (kind == BOMP_BARRIER_REDUCTION)
        bz_store_relaxed(&member->team->cancel.reduced, member->place + 1); /* relaxed: as above */
    do {
        if (bomp_hooks)
            end_open(member, site);
        if (!bomp_team_barrier_special(member, site, kind))
            return !bomp_cancel_go(member);
        go_on_behind_barrier(member);
    } while (kind != BOMP_BARRIER_REDUCTION && member->team->cancel.on && was_of_reduction(member));
    return true;
}

bool bomp_workshare_barrier(struct bomp_member *member, const void *site, enum bomp_barrier kind) {
    if (bz_unlikely(member->team->cancel.special))
        return barrier_special(member, site, kind);
    bomp_team_barrier(member, site);
    go_on_behind_barrier(member);
    return true;
}

BZ_INLINE void barrier(const void *site, enum bomp_barrier kind) {
    struct bomp_member *self = bomp_self_if_any();
    if (self)
        (void)bomp_workshare_barrier(self, site, kind);
}

void bomp_barrier(void) {
    barrier(BOMP_SITE, BOMP_BARRIER_EXPLICIT);
}

void bomp_reduction_barrier(void) {
    barrier(BOMP_SITE, BOMP_BARRIER_REDUCTION);
}

void bomp_workshare_member_start(struct bomp_member *member) {
    struct bomp_workshare_team *team = member->team->ws;
    struct bomp_workshare_member *self = member->ws;
    if (member->team->size > 1) {
        if (self->era != team->era) {
            self->era = team->era;
            self->at = self->spare = self->ended = NULL;
            self->home = member->team->ws->fixed;
            self->victim = member->num % BOMP_RANGE_GROUP;
        } else {
            end_segment(member); /* the end of the last region was a barrier */
        }
    }
    self->deal = BOMP_DEAL_NOTHING;
    self->open = BOMP_OPEN_NOT;
    self->batch = (struct bomp_chunk_batch){0};
    self->pending = 0;
    self->doacross = NULL;
    member->place = 0;
    self->section = self->sections = 0;
    if (team->begin)
        team->begin(member);
}

void bomp_workshare_member_destroy(struct bomp_member *member) {
    bomp_storage_clear(&member->ws->own);
}

static void free_made(struct bomp_workshare_team *team, unsigned size) {
    struct bomp_workshare *ws = bz_load_relaxed(&team->made);
    while (ws) {
        struct bomp_workshare *next = ws->made;
        bomp_storage_clear(&ws->storage);
        bz_os_free(ws, sizeof *ws + size * sizeof(struct bomp_range));
        ws = next;
    }
    bz_store_relaxed(&team->made, NULL);
}

static void make_room(struct bomp_workshare_team *team, unsigned size) {
    bz_os_free(team->ranges, BOMP_WORKSHARE_FIXED * team->room * sizeof(struct bomp_range));
    team->ranges = bz_os_alloc(BOMP_WORKSHARE_FIXED * size * sizeof(struct bomp_range));
    team->room = team->ranges ? size : 0;
    for (unsigned i = 0; i < BOMP_WORKSHARE_FIXED; i++)
        team->fixed[i].ranges = team->ranges ? team->ranges + i * size : NULL;
}

/* Starts anew with another size. */
static void change_size(struct bomp_team *team) {
    struct bomp_workshare_team *ws = team->ws;
    free_made(ws, ws->size);
    if (team->size > ws->room)
        make_room(ws, team->size);
    bz_store_relaxed(&ws->pool, NULL); /* relaxed: published by the start of the region */
    for (unsigned i = 0; i < BOMP_WORKSHARE_FIXED; i++) {
        clear(&ws->fixed[i], team->size);
        if (i >= BOMP_WORKSHARE_HOMES)
            put(team, &ws->fixed[i]);
    }
    ws->size = team->size;
    ws->is_void = false;
    ws->era++;
}

void bomp_workshare_team_start(struct bomp_team *team) {
    if (team->ws->begin) /* an unwritten line stays in the members' caches */
        team->ws->begin = NULL;
    if (team->size == 1)
        return; /* it shares nothing */
    if (team->size != team->ws->size || team->ws->is_void)
        change_size(team);
}

void bomp_workshare_alone(struct bomp_member *member) {
    struct bomp_workshare_member *self = member->ws;
    self->deal = self->plain = BOMP_DEAL_NOTHING;
    self->section = self->sections;
    self->batch = (struct bomp_chunk_batch){0};
    self->pending = 0;
    self->doacross = NULL;
    member->team->ws->is_void = true; /* the others' memory is as they left it in the parent */
    bomp_construct_enter_alone(member);
}

static void advance_all(struct bomp_workshare *ws) {
    if (bz_load_relaxed(&ws->sleepers) == 0) /* relaxed: CN3 orders it */
        return;
    for (unsigned i = 0; i < BOMP_EVENTCOUNTS; i++)
        bomp_turn_notify(&ws->eventcounts[i]);
}

/* Members of later constructs see the cancellation before they sleep. */
void bomp_workshare_notify(struct bomp_team *team) {
    for (unsigned i = 0; i < BOMP_WORKSHARE_FIXED; i++)
        advance_all(&team->ws->fixed[i]);
    struct bomp_workshare *ws = bz_load_acquire(&team->ws->made); /* WS6: pairs with WS7 */
    for (; ws; ws = ws->made)
        advance_all(ws);
}

void bomp_workshare_team_destroy(struct bomp_team *team) {
    free_made(team->ws, team->ws->size);
    for (unsigned i = 0; i < BOMP_WORKSHARE_FIXED; i++)
        bomp_storage_clear(&team->ws->fixed[i].storage);
    bz_os_free(team->ws->ranges, BOMP_WORKSHARE_FIXED * team->ws->room * sizeof(struct bomp_range));
}
