/* Parallel regions: the calling thread opens a team, is its thread 0, and closes it. */
#include "omp/base/missing.h"
#include "omp/bomp.h"
#include "omp/loop/loop.h"
#include "omp/loop/sections.h"
#include "omp/task/tsan.h"
#include "omp/team/team.h"
#include "omp/team/team_data.h"
#include "omp/tool/hooks.h"

/* ---- how floating point works: rounding, what traps ---- */

/* 0 may be how it works. */
#define CONTROL_COUNTS (UINT64_C(1) << 63)

/* In LLVM's code, the settings of a thread hold for all threads of its regions, and those in a region end with it. In GCC's
 * each thread is on its own. */
static inline void set_control(struct bomp_team *team, const struct bz_control *now) {
    uint64_t control = bomp_global()->inherits_control ? bz_control_word(now) | CONTROL_COUNTS : 0;
    if (team->body.control != control) /* the other members have that line */
        team->body.control = control;
}

/* For members other than 0; for member 0 at the end. */
static inline void take_control(const struct bomp_team *team) {
    if (team->body.control != 0 && (bz_os_control() | CONTROL_COUNTS) != team->body.control)
        bz_os_set_control(team->body.control & ~CONTROL_COUNTS);
}

/* ---- what members run ---- */

/* The barrier at the end of an observed region, so that its end is reported when it happens. */
static void meet_at_end(struct bomp_member *self) {
    struct bomp_team *team = self->team;
    struct bomp_tool_sync sync = {
        .kind = ompt_sync_region_barrier_implicit_parallel,
        .code = self->num == 0 ? team->tool.code : NULL, /* the program did not call the others */
    };
    bomp_hooks->sync->begin(self, &sync);
    bz_team_meet(team->thread_team, self->worker, (const void *)(uintptr_t)team->body.fn);
    bomp_hooks->sync->end(self, &sync);
}

BZ_COLD static void run_observed(struct bomp_team *team, void (*fn)(void *), void *data) {
    const bool observed = team->tool.observed;
    if (observed)
        bomp_hooks->region->call(bz_context, fn, data);
    else
        fn(data);
    if (bz_tsan)
        bomp_tsan_arrive(bz_context);
    if (observed)
        meet_at_end(bz_context);
}

static inline void run(struct bomp_team *team, void (*fn)(void *), void *data) {
    if (bz_unlikely(bomp_region_extras))
        run_observed(team, fn, data);
    else
        fn(data);
}

void bomp_team_body(unsigned num, void *arg) {
    struct bomp_team *team = arg;
    bomp_member_start(bz_context);
    if (num != 0)
        take_control(team);
    run(team, team->body.fn, team->body.data);
}

/* ---- regions ---- */

static struct bomp_team *open(void (*fn)(void *), void *data, unsigned threads) {
    bomp_missing_check_before((const void *)(uintptr_t)fn);
    struct bomp_team *team = bomp_team_open(bomp_self(), threads, fn, data, 0);
    if (bz_unlikely(team->body.control != 0))
        team->body.control = 0;
    return team;
}

BZ_INLINE void begin_at(struct bomp_team *team, const void *code) {
    BZ_PROBE2(region_begin, code, team->size);
    bz_team_begin(team->thread_team, bomp_team_body, team, code);
    bomp_member_start(bz_context);
}

BZ_INLINE void begin(struct bomp_team *team) {
    begin_at(team, (const void *)(uintptr_t)team->body.fn);
}

void bomp_parallel_end(void) {
    struct bomp_member *self = bomp_self();
    if (!self->team->thread_team) {
        bz_warn("the end of a parallel region without its start; ignored");
        return;
    }
    if (bz_unlikely(bomp_hooks) && self->team->tool.observed)
        meet_at_end(self);
    bz_team_end(self->team->thread_team);
    BZ_PROBE1(region_end, self->team->body.fn);
    take_control(self->team);
    bomp_team_close(self->team);
}

void bomp_parallel_begin(void (*fn)(void *), void *data, unsigned threads) {
    begin(open(fn, data, threads));
}

static inline void end(struct bomp_team *team) {
    bz_team_end(team->thread_team);
    BZ_PROBE1(region_end, team->body.fn);
    bomp_team_close(team);
}

void bomp_team_run_league(struct bomp_member *outer, unsigned wanted, void *league, const void *code) {
    struct bz_control now;
    bz_control_read(&now);
    struct bomp_team *team = bomp_team_open(outer, wanted, bomp_league_run, league, 0);
    set_control(team, &now);
    begin_at(team, code);
    bomp_league_run(league);
    bz_team_end(team->thread_team);
    BZ_PROBE1(region_end, code);
    bomp_team_close(team);
}

void bomp_parallel(void (*fn)(void *), void *data, unsigned threads) {
    struct bomp_team *team = open(fn, data, threads);
    begin(team);
    run(team, fn, data);
    end(team);
}

/* ---- with a clause that came before ---- */

void bomp_next_threads(unsigned threads) {
    struct bomp_member *self = bomp_self();
    self->next.threads = threads;
    self->next.clause.threads = 0;
}

void bomp_next_threads_clause(const struct bomp_threads_clause *clause) {
    struct bomp_member *self = bomp_self();
    self->next.threads = clause->threads;
    self->next.clause = *clause;
}

/* The numbers for inner levels. */
static void set_inner(struct bomp_icv *icv, const struct bomp_threads_clause *clause) {
    icv->threads = clause->inner[0];
    icv->threads_rest = clause->inner + 1;
    icv->threads_left = (uint16_t)(clause->count - 1);
}

static void report_fewer(const struct bomp_threads_clause *clause, unsigned wanted, unsigned got) {
    const char *message = clause->message ? clause->message : "";
    const char *colon = clause->message ? ": " : "";
    if (clause->fewer == BOMP_THREADS_FATAL)
        bz_fatal("num_threads(strict: %u): only %u available%s%s", wanted, got, colon, message);
    bz_warn("num_threads(strict: %u): using %u%s%s", wanted, got, colon, message);
}

/* As in libomp, a strict number binds neither dynamic teams nor inactive levels. */
static bool strict_here(const struct bomp_team *team) {
    const struct bomp_icv *icv = &team->icv;
    return !icv->dynamic && (uint32_t)team->outer->team->active_level < icv->max_active_levels;
}

/* Applies the rest of the clause. if_clause: an if clause asks for one thread. */
static BZ_COLD void apply_clause(struct bomp_team *team, struct bomp_threads_clause *clause, bool if_clause) {
    unsigned wanted = clause->threads;
    clause->threads = 0;
    if (clause->count > 0)
        set_inner(&team->icv, clause);
    if (clause->fewer != BOMP_THREADS_UP_TO && team->size < wanted && (if_clause || strict_here(team)))
        report_fewer(clause, wanted, team->size);
}

/* With earlier clauses. most: the most threads, whatever the clauses; 0: any number. */
static struct bomp_team *open_with_clauses(struct bomp_member *self, unsigned most, void (*fn)(void *),
                                           void *data, size_t size) {
    unsigned threads = most ? most : self->next.threads;
    self->next.threads = 0;
    struct bomp_team *team = bomp_team_open(self, threads, fn, data, size);
    if (bz_unlikely(self->next.clause.threads != 0))
        apply_clause(team, &self->next.clause, most == 1);
    return team;
}

void bomp_parallel_alone_begin(const void *code) {
    struct bz_control now;
    bz_control_read(&now);
    struct bomp_member *self = bomp_self();
    bomp_missing_check_before(code);
    struct bomp_team *team = open_with_clauses(self, 1, NULL, NULL, 0);
    set_control(team, &now);
    begin_at(team, code);
}

static BZ_COLD void take_back(const struct bz_control *before) {
    if (bomp_global()->inherits_control)
        bz_os_set_control(bz_control_word(before));
}

/* The floating-point control is read into memory at both ends and compared at last, since the reads take some cycles. */
void bomp_parallel_next(void (*fn)(void *), void (*own)(void *, int), void *data, size_t size,
                        const void *code) {
    struct bz_control before, after;
    bz_control_read(&before);
    struct bomp_member *self = bomp_self();
    bomp_missing_check_before(code);
    struct bomp_team *team = self->next.threads == 0 ? bomp_team_open(self, 0, fn, data, size)
                                                     : open_with_clauses(self, 0, fn, data, size);
    if (team->size > 1)
        set_control(team, &before);
    begin_at(team, code);
    if (bz_unlikely(bomp_hooks) && team->tool.observed)
        run(team, fn, data);
    else
        own(data, (int)bz_thread_number() - 1);
    bz_team_end(team->thread_team);
    bz_control_read(&after);
    BZ_PROBE1(region_end, team->body.fn);
    bomp_team_close(team);
    if (bz_unlikely(bz_control_word(&before) != bz_control_word(&after)))
        take_back(&before);
}

unsigned bomp_parallel_reduction(void (*fn)(void *), void *data, unsigned threads, bomp_reduction_make *make,
                                 void *arg) {
    struct bomp_team *team = open(fn, data, threads);
    unsigned size = team->size;
    team->reduction = make(arg, size);
    bz_tsan_before(&team->tsan.start);
    begin(team);
    fn(data);
    bomp_parallel_end();
    return size;
}

void bomp_parallel_loop_begin(void (*fn)(void *), void *data, unsigned threads,
                              const struct bomp_loop *loop) {
    struct bomp_team *team = open(fn, data, threads);
    bomp_loop_install(team, loop);
    begin(team);
}

void bomp_parallel_sections_begin(void (*fn)(void *), void *data, unsigned threads, unsigned count) {
    struct bomp_team *team = open(fn, data, threads);
    bomp_sections_install(team, count);
    begin(team);
}
