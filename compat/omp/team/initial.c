/* Initial threads: see initial.h. */
#include "omp/team/initial.h"

#include "omp/base/missing.h"
#include "omp/bomp.h"
#include "omp/loop/cancel.h"
#include "omp/loop/merge.h"
#include "omp/loop/workshare.h"
#include "omp/task/task.h"
#include "omp/team/affinity.h"
#include "omp/team/team.h"
#include "omp/tool/hooks.h"

struct root {
    struct bomp_member member; /* first, as leak checkers want: the worker points here */
    struct bomp_team team;
    struct bomp_initial initial;
    struct bomp_workshare_member member_ws;
    struct bomp_workshare_team team_ws;
    struct bomp_merge_team merge;
};

static void finish(struct root *root) {
    bomp_task_finish_root(&root->member);
    bomp_task_strip(&root->member.implicit, root->member.worker);
}

static void release_root(void *context) {
    struct root *root = bz_container_of(context, struct root, member);
    finish(root);
    if (bomp_hooks)
        bomp_hooks->region->thread_end(&root->member);
    bomp_workshare_member_destroy(&root->member);
    bz_free(root->member.held.rows);
    bomp_workshare_team_destroy(&root->team);
    bz_os_free(root, sizeof *root);
}

/* The root of a solo worker (NULL: there was no memory for that). */
static struct root *root_of(struct bz_worker *worker) {
    if (worker && bz_worker_context(worker))
        return bz_container_of(bz_worker_context(worker), struct root, member);
    struct root *root = worker ? bz_os_alloc(sizeof *root) : NULL;
    if (!root)
        bomp_no_memory("the state of a thread");
    root->team.size = 1;
    root->team.initial = &root->initial;
    bomp_cancel_team_init(&root->team);
    root->team.ws = &root->team_ws;
    root->team.merge = &root->merge;
    root->member.team = &root->team;
    root->member.ws = &root->member_ws;
    root->member.worker = worker;
    bz_worker_set_context(worker, &root->member, release_root);
    if (worker == bz_self)
        bz_become(worker);
    return root;
}

static void start(struct root *root, const struct bomp_initial_spec *spec,
                  struct bomp_place_assignment assignment) {
    root->team.icv = *spec->icv;
    if (spec->thread_limit)
        root->team.icv.thread_limit = spec->thread_limit;
    if (spec->threads && (root->team.icv.threads == 0 || root->team.icv.threads > spec->threads))
        root->team.icv.threads = spec->threads;
    root->team.body.allocator = spec->allocator;
    bz_store_relaxed(&root->initial.busy, 1);          /* relaxed: not shared yet */
    bz_store_relaxed(&root->team.cancel.construct, 0); /* relaxed: only this thread is in the team */
    root->initial.team_num = spec->team_num;
    root->initial.num_teams = spec->num_teams;
    root->initial.league = spec->league;
    root->initial.region = spec->region;
    bomp_workshare_team_start(&root->team);
    bomp_member_start(&root->member);
    root->member.assignment = assignment;
}

/* The threads of a league meet as the members of their team of the scheduler. */
static void meet_league(struct root *root, struct bomp_member *outer) {
    struct bomp_tool_sync sync = {
        .kind = ompt_sync_region_barrier_teams,
        .code = outer->num == 0 ? root->initial.region->code : NULL, /* as at a region's end */
    };
    bomp_hooks->sync->begin(&root->member, &sync);
    bz_worker_come_back(outer->worker);
    bz_team_meet(outer->team->thread_team, outer->worker, (const void *)(uintptr_t)root->team.body.fn);
    (void)bz_worker_isolate(outer->worker); /* again: it is there */
    bomp_hooks->sync->end(&root->member, &sync);
}

/* `fn` as the initial task of a thread or of a league's team. */
static void run(struct root *root, struct bomp_member *outer, void (*fn)(void *), void *data,
                const struct bomp_initial_spec *spec) {
    const bool observed = spec->region || bomp_is_observed(outer);
    unsigned index = spec->is_league ? spec->team_num : 1;
    if (bz_likely(!observed)) {
        fn(data);
        return;
    }
    root->team.body.fn =
        spec->code ? (void (*)(void *))(uintptr_t)spec->code : fn; /* for places in the program */
    bomp_hooks->region->team_begin(&root->member, spec->num_teams, index, spec->has_region);
    bomp_hooks->region->call(&root->member, fn, data);
    finish(root);
    bomp_hooks->region->team_leave(&root->member, spec->has_region);
    if (spec->league && spec->is_last(spec))
        meet_league(root, outer);
    bomp_hooks->region->team_end(&root->member, index);
    root->team.body.fn = NULL;
    root->initial.region = NULL;
}

/* Perhaps the program's first use of OpenMP. */
struct bomp_member *bomp_self_slow(void) {
    bomp_missing_check_first();
    bool observed = bomp_tool_first_use();
    if (bomp_self_if_any())
        return bomp_self_if_any(); /* by a tool's start */
    struct root *root = root_of(bz_worker_adopt());
    struct bomp_initial_spec spec = {
        .icv = bomp_icv_initial(), .allocator = bomp_global()->allocator, .num_teams = 1};
    start(root, &spec, bomp_place_assignment_initial());
    if (observed)
        bomp_hooks->region->thread_begin(&root->member);
    return &root->member;
}

void bomp_run_initial(void (*fn)(void *), void *data, const struct bomp_initial_spec *spec) {
    bomp_missing_check_before(spec->code ? spec->code : (const void *)(uintptr_t)fn);
    struct bomp_member *outer = bomp_self();
    bomp_affinity_first_question();
    struct root *root = root_of(bz_worker_isolate(outer->worker));
    struct bomp_place_assignment assignment = outer->assignment;
    if (spec->bind != BOMP_BIND_FALSE)
        assignment = bomp_place_assignment_in_team(assignment, spec->bind, spec->num_teams, spec->team_num);
    if (spec->all_places && assignment.count > 0) {
        assignment.first = 0;
        assignment.count = bomp_global()->places.count;
    }
    root->initial.inside = outer->team->active_level > 0 || outer->team->initial->inside;
    root->initial.helps = outer->team->initial->helps;
    start(root, spec, assignment);
    if (spec->bind != BOMP_BIND_FALSE)
        bomp_affinity_pin(assignment);
    run(root, outer, fn, data, spec);
    finish(root);
    root->initial.league = NULL; /* tools may ask before it is another one's */
    bz_worker_come_back(outer->worker);
    if (spec->bind != BOMP_BIND_FALSE && outer->assignment.count > 0 && !spec->league)
        bomp_affinity_return(outer->assignment);
}
