/* A team (src/team/thread_team.c, start.c) with the thread cache as a mailbox: each member runs each of its runs once;
 * a run ends when all members have; none sleeps through a start or a call; and a reclaimed thread has left for good. */
#include "check.h"
#include "env/error.h"
#include "sched/stack.h"
#include "team/adopt.h"
#include "team/thread_cache.h"
#include "team/thread_team.h"
#include "wait/load.h"
#include "wait/thread.h"

#include <string.h>

enum { MEMBERS = 3 };

static struct bz_domain host_domain;
static struct bz_worker host;
static struct mail {
    struct bz_a32 given; /* a job for the thread, which is plain memory */
    void (*main)(void *arg);
    void *arg;
} mails[MEMBERS];
static struct bz_a32 returned; /* threads that have left a team */
static struct bz_a32 over;
static unsigned ran[MEMBERS], run_size;
static struct bz_a32 first_over; /* the first run is over; orders nothing */
static struct bz_a32 asked;      /* the leader waits in its run of one until a thread was requested */
extern uint64_t check_spin_ns;
extern bool check_predicts;

/* ---- functions that thread_team.c calls ---- */

int bz_thread_cache_run_below(uint64_t root, unsigned index, unsigned more, bool is_last_resort,
                              void (*run)(void *), void *arg) {
    (void)root;
    (void)more;
    (void)is_last_resort;
    mails[index].main = run;
    mails[index].arg = arg;
    bz_store_release(&mails[index].given, 1);
    return 0;
}
/* The thread cache's lock, and the threads that it waits for. */
static struct bz_a32 locked;
static unsigned expected;
static void lock(void) {
    while (bz_exchange_acquire(&locked, 1))
        bz_cpu_relax();
}
void bz_thread_cache_expect_of(unsigned (*leave)(void *arg), void *arg) {
    lock();
    expected += leave(arg);
    bz_store_release(&locked, 0);
}
void bz_thread_cache_warn(unsigned number, unsigned wanted, int error) {
    (void)number;
    (void)wanted;
    (void)error;
}
void bz_warn_value(const char *name, const char *value, const char *format, ...) {
    (void)name;
    (void)value;
    check_fail("%s", format);
}
void bz_worker_destroy_all(struct bz_worker *worker) {
    bz_worker_destroy(worker);
}
uint32_t bz_sharing(uint32_t count) {
    (void)count;
    return 1;
}
bool bz_far_outnumbers_cpus(uint32_t count) {
    (void)count;
    return false;
}
uint32_t bz_fork_generation(void) {
    return 0;
}
uintptr_t bz_stack_bound(void) {
    return 0;
}
struct bz_placement_map *bz_placement_map_new(void) {
    return NULL;
}
void bz_placement_change(struct bz_placement *self, uint32_t cpu) {
    (void)self;
    (void)cpu;
}
struct bz_leases bz_leases;
_Thread_local struct bz_lease bz_own_lease;
bool bz_leases_are_tried(void) {
    return false;
}
struct bz_worker *bz_worker_adopt(void) {
    return bz_self;
}
void bz_lease_ask_one_of_several(struct bz_lease *self, unsigned threads) {
    (void)self;
    (void)threads;
}
void bz_lease_drop(struct bz_lease *self) {
    (void)self;
}
void bz_lease_begin_one_of_several(struct bz_lease *self, unsigned threads) {
    (void)self;
    (void)threads;
}
void bz_lease_end_one_of_several(struct bz_lease *self) {
    (void)self;
}
void bz_placement_begin(struct bz_placement *self) {
    (void)self;
}
void bz_placement_end(struct bz_placement *self) {
    (void)self;
}
void bz_placement_sleep(struct bz_placement *self, const struct bz_placement *leader,
                        const struct bz_placement *partner, uint32_t *word, uint32_t value) {
    (void)self;
    (void)leader;
    (void)partner;
    bz_os_futex_wait(word, value);
}

/* ---- the threads ---- */

static void begin(void) {
    check_own(&bz_self, sizeof bz_self);
    check_own(&bz_context, sizeof bz_context);
    memset(&host, 0, sizeof host);
    memset(mails, 0, sizeof mails);
    memset(ran, 0, sizeof ran);
    over.v = first_over.v = locked.v = returned.v = 0;
    expected = 0;
    asked.v = 1;
    check_predicts = false;
    check_spin_ns = 1;
    bz_fence_init();
    (void)bz_domain_init(&host_domain, 1, 0);
    bz_worker_init(&host, &host_domain, 0);
}
static void begin_passive(void) {
    begin();
    check_spin_ns = 0;
}

static void begin_asked(void) {
    begin();
    asked.v = 0;
}
static void begin_predicted(void) {
    begin();
    check_predicts = true;
}

static void thread(unsigned index) {
    struct mail *mail = &mails[index];
    for (;;) {
        while (!bz_load_acquire(&mail->given))
            if (bz_load_acquire(&over))
                return;
            else
                bz_cpu_relax();
        bz_store_relaxed(&mail->given, 0);
        mail->main(mail->arg);
        bz_fetch_add_relaxed(&returned, 1);
    }
}
static void second_thread(void) {
    thread(1);
}
static void third_thread(void) {
    thread(2);
}

/* Members left out may be taken from here on. */
static void body(unsigned index, void *arg) {
    const struct bz_team *team = arg;
    ran[index]++;
    while (run_size == 1 && !bz_load_relaxed(&asked))
        bz_cpu_relax();
    for (unsigned i = run_size; i < team->domain.capacity; i++)
        if (team->members[i])
            check_that(bz_load_relaxed(&team->members[i]->state) != BZ_MEMBER_IN);
}

static void run(unsigned size) {
    unsigned before[MEMBERS], got = size;
    memcpy(before, ran, sizeof ran);
    struct bz_team *team = bz_team_enter(&host, &got);
    check_that(team && got == size);
    run_size = size;
    bz_team_begin(team, body, team, NULL);
    body(0, team);
    bz_team_end(team);
    for (unsigned i = 0; i < MEMBERS; i++)
        check_that(ran[i] == before[i] + (i < size));
}
static void lead(const unsigned *sizes, unsigned count) {
    bz_become(&host);
    for (unsigned i = 0; i < count; i++) {
        run(sizes[i]);
        bz_store_relaxed(&first_over, 1);
    }
    bz_team_drop(&host);
    bz_store_release(&over, 1);
}
static void runs_once(void) {
    lead((unsigned[]){2}, 1);
}
static void runs_twice(void) {
    lead((unsigned[]){2, 2}, 2);
}
static void leaves_out(void) {
    lead((unsigned[]){2, 1, 2}, 3);
}
static void parks(void) {
    lead((unsigned[]){2, 1}, 2);
}
static void runs_three(void) {
    lead((unsigned[]){3}, 1);
}

static void leaves_out_third(void) {
    lead((unsigned[]){3, 2}, 2);
}

/* Reclaims a parked member, or from a team between two runs. */
static void reclaim(uint64_t root) {
    lock();
    (void)bz_team_reclaim(&expected, root, 1);
    bz_store_release(&locked, 0);
}
static void reclaims(void) {
    reclaim(0);
}
static void reclaims_parked(void) {
    bz_store_relaxed(&asked, 1);
    reclaims();
}
static void reclaims_unused(void) {
    while (!bz_load_relaxed(&first_over))
        bz_cpu_relax();
    reclaim(host_domain.root);
}
/* Each thread that comes back was expected, once. */
static void end(void) {
    check_that(bz_load_relaxed(&returned) == expected);
}

static const struct check_test tests[] = {
    {"once", begin, {runs_once, second_thread}, end, 1, 0},
    {"twice", begin, {runs_twice, second_thread}, end, 1, 0},
    {"twice_passive", begin_passive, {runs_twice, second_thread}, end, 1, 0},
    {"left_out", begin, {leaves_out, second_thread}, end, 1, 0},
    {"left_out_passive", begin_passive, {leaves_out, second_thread}, end, 1, 0},
    {"reclaimed_alone", begin, {leaves_out, second_thread, reclaims_unused}, end, 1, 0},
    {"predicted", begin_predicted, {runs_twice, second_thread}, end, 0, 2},
    {"left_out_third", begin, {leaves_out_third, second_thread, third_thread}, end, 0, 0},
    {"three", begin, {runs_three, second_thread, third_thread}, end, 0, 0},
    {"reclaimed", begin, {leaves_out, second_thread, reclaims}, end, 1, 0},
    {"reclaimed_parked", begin_asked, {leaves_out, second_thread, reclaims_parked}, end, 1, 0},
    {"reclaimed_at_end", begin_asked, {parks, second_thread, reclaims_parked}, end, 1, 0},
    {"reclaimed_unused", begin, {runs_twice, second_thread, reclaims_unused}, end, 1, 0},
};

int main(int argc, char **argv) {
    return check_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
