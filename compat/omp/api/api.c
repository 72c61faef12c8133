/* The omp_* functions of C about threads, tasks and control variables. api.def lists all; some are second names
 * (names.ld). */
#include "omp/api/omp_decl.h"
#include "omp/bomp.h"
#include "omp/team/affinity.h"
#include "omp/tool/hooks.h"

/* An unsigned ICV as the int that the API returns. */
static int as_int(uint32_t value) {
    return value < INT_MAX ? (int)value : INT_MAX;
}

/* Teams and threads. */

void omp_set_num_threads(int n) {
    bomp_icv_own()->threads = n > 0 ? (uint32_t)n : 1;
}

int omp_get_max_threads(void) {
    uint32_t threads = bomp_icv()->threads;
    bomp_affinity_first_question();
    int most = threads != 0 ? as_int(threads) : (int)bomp_procs_tell();
    bz_team_expect((unsigned)most);
    return most;
}

int omp_get_num_procs(void) {
    (void)bomp_icv_initial(); /* what the environment says of places decides */
    bomp_affinity_first_question();
    return (int)bz_budget_cpus();
}

int omp_in_parallel(void) {
    return bomp_active_level() > 0;
}

void omp_set_dynamic(int on) {
    bomp_icv_own()->dynamic = on != 0;
}

int omp_get_dynamic(void) {
    return bomp_icv()->dynamic;
}

/* The switch of OpenMP before 5.0 for what max-active-levels-var says since. */
void omp_set_nested(int on) {
    if (on)
        bomp_icv_set_max_active_levels(bomp_icv_own(), BOMP_SUPPORTED_ACTIVE_LEVELS);
    else if (bomp_icv()->max_active_levels > 1)
        bomp_icv_set_max_active_levels(bomp_icv_own(), 1);
}

void bomp_set_nested(int on) {
    if (!on || bomp_icv()->max_active_levels == 1)
        omp_set_nested(on);
}

int omp_get_nested(void) {
    int levels = bomp_icv()->max_active_levels;
    return levels > 1 && levels > bomp_active_level();
}

void omp_set_schedule(omp_sched_t sched, int chunk) {
    bomp_icv_set_schedule(bomp_icv_own(), (uint32_t)sched, chunk);
}

BOMP_EXPORT void omp_get_schedule(omp_sched_t *sched, int *chunk) {
    const struct bomp_icv *icv = bomp_icv();
    *sched = (omp_sched_t)icv->sched;
    *chunk = icv->chunk;
}

int omp_get_thread_limit(void) {
    return as_int(bomp_icv()->thread_limit);
}

void omp_set_max_active_levels(int levels) {
    bomp_icv_set_max_active_levels(bomp_icv_own(), levels);
}

int omp_get_max_active_levels(void) {
    return bomp_icv()->max_active_levels;
}

int omp_get_supported_active_levels(void) {
    return BOMP_SUPPORTED_ACTIVE_LEVELS;
}

/* Tasks. */

int omp_get_max_task_priority(void) {
    return bomp_global()->max_task_priority;
}

int omp_get_cancellation(void) {
    return bomp_global()->cancellation;
}

/* Time. */

double omp_get_wtime(void) {
    return (double)bz_os_now_ns() * 1e-9;
}

double omp_get_wtick(void) {
    return 1e-9; /* bz_os_now_ns() counts nanoseconds */
}

/* Affinity. */

BOMP_EXPORT omp_proc_bind_t omp_get_proc_bind(void) {
    return (omp_proc_bind_t)bomp_icv()->bind;
}

/* The ICVs of teams regions: 0 is unset; negative numbers change nothing. */
static void set_unless_negative(struct bz_a32 *icv, int n) {
    if (n >= 0)
        bz_store_relaxed(icv, (uint32_t)n); /* relaxed: the number alone counts */
}

void omp_set_num_teams(int n) {
    set_unless_negative(&bomp_global()->num_teams.now, n);
}

int omp_get_max_teams(void) {
    return as_int(bz_load_relaxed(&bomp_global()->num_teams.now)); /* relaxed: the number alone counts */
}

void omp_set_teams_thread_limit(int n) {
    set_unless_negative(&bomp_global()->teams_thread_limit.now, n);
}

int omp_get_teams_thread_limit(void) {
    /* relaxed: the number alone counts */
    return as_int(bz_load_relaxed(&bomp_global()->teams_thread_limit.now));
}

int omp_control_tool(unsigned command, int modifier, void *arg) {
    (void)bomp_self(); /* tools are there from here on */
    if (!bomp_hooks)
        return BOMP_NO_TOOL;
    return bomp_hooks->target->control((int)command, modifier, arg, __builtin_return_address(0),
                                       __builtin_dwarf_cfa());
}

void omp_display_env(int verbose) {
    bomp_icv_display(verbose != 0);
}
