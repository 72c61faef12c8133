/* test_team.c: team.h and parallel.c: the state that a region sets, the state that it keeps for the next one, and the
 * data that its threads receive. */
#include "omp/team/team.h"

#include <pthread.h>

#include "../asserts.h"
#include "capture.h"
#include "omp/team/caller.h"

#define SIZE 4 /* threads of the regions here */

/* ---- memory (linked with --wrap=bz_os_alloc) ---- */

void *__real_bz_os_alloc(size_t size);
void *__wrap_bz_os_alloc(size_t size);

static unsigned allocations; /* so far */
static unsigned members;     /* that the system can still make */

void *__wrap_bz_os_alloc(size_t size) {
    allocations++;
    if (size == sizeof(struct bomp_member_memory) && members-- == 0) {
        members = 0;
        return NULL;
    }
    return __real_bz_os_alloc(size);
}

/* ---- the state in a region ---- */

static struct seen {
    struct bomp_member *member;
    const struct bomp_icv *icv;
    uint32_t threads;
    int num, size, level, active, outer_num, outer_size;
    unsigned flags, singles;
    bool implicit;
} seen[SIZE];

static void note(void *data) {
    struct bomp_member *self = bomp_self();
    struct seen *mine = &seen[bomp_thread_num()];
    *mine = (struct seen){.member = self, .icv = bomp_icv(), .threads = bomp_icv()->threads};
    mine->num = bomp_thread_num();
    mine->size = bomp_num_threads();
    mine->level = bomp_level();
    mine->active = bomp_active_level();
    mine->outer_num = bomp_ancestor_thread_num(mine->level - 1);
    mine->outer_size = bomp_team_size(mine->level - 1);
    mine->flags = self->current->flags;
    mine->singles = self->ws->singles;
    mine->implicit = self->current == &self->implicit && self->worker == bz_self && self == bz_self->context;
    (void)data;
    /* The next region must find these reset. */
    self->ws->singles = 5;
    bomp_icv_own()->threads = 40 + (unsigned)mine->num;
    bomp_icv_own()->threads++;
}

static void check_seen(unsigned size, uint32_t threads) {
    for (unsigned i = 0; i < size; i++) {
        assert_true(seen[i].implicit);
        assert_int_equal(seen[i].num, i);
        assert_int_equal(seen[i].size, size);
        assert_int_equal(seen[i].level, 1);
        assert_int_equal(seen[i].active, size > 1);
        assert_int_equal(seen[i].outer_num, 0);
        assert_int_equal(seen[i].outer_size, 1);
        assert_int_equal(seen[i].flags, 0);
        assert_int_equal(seen[i].singles, 0);
        assert_int_equal(seen[i].threads, threads);
        assert_ptr_equal(seen[i].icv, &seen[i].member->team->icv);
        assert_ptr_equal(seen[i].member->team, seen[0].member->team);
    }
}

static void members_find_their_region(void **state) {
    static const unsigned sizes[] = {2, SIZE, 1, 3, SIZE, SIZE, 1, 2};
    (void)state;
    for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        bomp_icv_own()->threads = 10 + i;
        bomp_parallel(note, NULL, sizes[i]);
        check_seen(sizes[i], 10 + i);
        assert_int_equal(bomp_icv()->threads, 10 + i);
    }
}

/* ---- reuse ---- */

static void regions_use_what_is_there(void **state) {
    struct bomp_member *first[SIZE];
    (void)state;
    bomp_parallel(note, NULL, SIZE);
    for (unsigned i = 0; i < SIZE; i++)
        first[i] = seen[i].member;
    unsigned before = allocations;
    for (unsigned round = 0; round < 100; round++) {
        unsigned size = 1 + round % SIZE;
        bomp_parallel(note, NULL, size);
        for (unsigned i = 0; i < size; i++)
            assert_ptr_equal(seen[i].member, first[i]);
    }
    assert_int_equal(allocations, before);
}

/* ---- one inside the other ---- */

static void inner(void *data) {
    (void)data;
    if (bomp_thread_num() != bomp_num_threads() - 1)
        return;
    note(data);
}

static void around(void *data) {
    (void)data;
    struct bomp_member *self = bomp_self();
    if (bomp_thread_num() != 1)
        return;
    bomp_icv_own()->threads = 99;
    bomp_parallel(inner, data, 3);
    assert_ptr_equal(bomp_self(), self);
    assert_int_equal(seen[2].level, 2);
    assert_int_equal(seen[2].active, 2);
    assert_int_equal(seen[2].outer_num, 1);
    assert_int_equal(seen[2].outer_size, 2);
    assert_int_equal(seen[2].threads, 99);
    assert_ptr_equal(seen[2].member->team->outer, self);
    assert_int_equal(bomp_ancestor_thread_num(2), -1);
    assert_int_equal(bomp_team_size(-1), -1);
    bomp_parallel(inner, data, 1);
    assert_int_equal(seen[0].level, 2);
    assert_int_equal(seen[0].active, 1);
}

static void regions_nest(void **state) {
    (void)state;
    bomp_icv_set_max_active_levels(bomp_icv_own(), 2);
    bomp_parallel(around, NULL, 2);
    bomp_icv_set_max_active_levels(bomp_icv_own(), 1);
    assert_int_equal(bomp_level(), 0);
}

/* The two halves that old compilers call: between them the caller is in the region. */
static void halves_nest(void **state) {
    struct bomp_member *root = bomp_self();
    (void)state;
    bomp_parallel_begin(inner, NULL, 2);
    struct bomp_member *first = bomp_self();
    assert_int_equal(first->team->size, 2);
    assert_int_equal(bomp_level(), 1);
    bomp_parallel_begin(inner, NULL, 2); /* not active: of one thread */
    assert_int_equal(bomp_level(), 2);
    assert_int_equal(bomp_num_threads(), 1);
    bomp_parallel_end();
    assert_ptr_equal(bomp_self(), first);
    bomp_parallel_end();
    assert_ptr_equal(bomp_self(), root);
}

/* ---- a num_threads clause that precedes the region ---- */

static void note_own(void *arg, int id) {
    assert_int_equal(id, bomp_thread_id());
    note(arg);
}

static void run_next(void) {
    bomp_parallel_next(note, note_own, NULL, 0, (const void *)(uintptr_t)run_next);
}

static void a_clause_is_for_the_next_region(void **state) {
    (void)state;
    bomp_icv_own()->threads = 2;
    bomp_next_threads(3);
    run_next();
    check_seen(3, 2);
    run_next();
    check_seen(2, 2);
    bomp_next_threads(3);
    bomp_parallel_alone_begin(NULL);
    assert_int_equal(bomp_level(), 1);
    assert_int_equal(bomp_active_level(), 0);
    assert_int_equal(bomp_num_threads(), 1);
    bomp_parallel_end();
    run_next();
    check_seen(2, 2);
}

static struct bz_a32 sum;

static void add_words(void *data) {
    const uint64_t *words = data;
    bz_fetch_add_relaxed(&sum, (uint32_t)(words[0] + words[1] + words[2]));
}

/* Before the other members read them. */
static void overwrite_words(void *data, int id) {
    uint64_t *words = data;
    (void)id;
    words[0] = words[1] = words[2] = 0;
}

static void members_have_a_copy_of_the_data(void **state) {
    uint64_t words[3];
    (void)state;
    bomp_icv_own()->threads = 3;
    for (int i = 0; i < 1000; i++) {
        bz_store_relaxed(&sum, 0);
        words[0] = 1, words[1] = 20, words[2] = 300;
        bomp_parallel_next(add_words, overwrite_words, words, sizeof words, NULL);
        assert_int_equal(bz_load_relaxed(&sum), 2 * 321);
    }
}

static void a_clause_says_what_holds_below(void **state) {
    static const uint32_t below[] = {4, 3};
    (void)state;
    bomp_icv_set_max_active_levels(bomp_icv_own(), 3);
    bomp_next_threads_clause(&(struct bomp_threads_clause){.threads = 1, .count = 2, .inner = below});
    bomp_parallel_alone_begin(NULL);
    assert_int_equal(bomp_icv()->threads, 4);
    bomp_parallel_alone_begin(NULL);
    assert_int_equal(bomp_icv()->threads, 3);
    bomp_parallel_alone_begin(NULL);
    assert_int_equal(bomp_icv()->threads, 3);
    bomp_parallel_end();
    bomp_parallel_end();
    bomp_parallel_end();
    bomp_icv_set_max_active_levels(bomp_icv_own(), 1);
}

static void inner_own(void *arg, int id) {
    (void)id;
    inner(arg);
}

static void fewer_threads_are_reported(void **state) {
    char text[256];
    struct capture c;
    (void)state;
    bomp_parallel_begin(inner, NULL, 2);
    capture_begin(&c);
    /* Regions inside have one thread, as the program asks. */
    bomp_next_threads_clause(&(struct bomp_threads_clause){.threads = 3, .fewer = BOMP_THREADS_FATAL});
    bomp_parallel_next(inner, inner_own, NULL, 0, NULL);
    bomp_next_threads_clause(&(struct bomp_threads_clause){.threads = 1, .fewer = BOMP_THREADS_FATAL});
    bomp_parallel_next(inner, inner_own, NULL, 0, NULL);
    bomp_next_threads_clause(&(struct bomp_threads_clause){
        .threads = 4, .fewer = BOMP_THREADS_WARN, .message = "four are needed"});
    bomp_parallel_alone_begin(NULL); /* an if clause that is false */
    bomp_parallel_end();
    capture_next(&c, text, sizeof text);
    capture_end(&c);
    bomp_parallel_end();
    assert_non_null(strstr(text, "num_threads(strict: 4): using 1: four are needed"));
}

static void an_end_needs_a_start(void **state) {
    char text[256];
    struct capture c;
    (void)state;
    bomp_self();
    capture_begin(&c);
    bomp_parallel_end();
    capture_next(&c, text, sizeof text);
    bomp_taskgroup_end();
    size_t length = capture_next(&c, text + 128, 128);
    capture_end(&c);
    assert_non_null(strstr(text, "parallel region without its start"));
    assert_true(length > 0);
    assert_non_null(strstr(text + 128, "taskgroup without its start"));
}

/* ---- host threads of the program ---- */

static const char *complaint; /* of the last thread of these tests; NULL: none */

static void *stranger(void *arg) {
    struct bomp_member **made = arg;
    complaint = "a question made something";
    if (bomp_thread_num() != 0 || bomp_num_threads() != 1 || bomp_level() != 0 || bomp_in_final() || bz_self)
        return NULL;
    complaint = "not in a root team";
    made[0] = bomp_self();
    if (made[0]->team->thread_team || made[0]->team->level != 0 || made[0]->num != 0)
        return NULL;
    bomp_icv_own()->threads = 3;
    bomp_parallel(note, NULL, 2);
    made[1] = seen[0].member;
    complaint = bomp_self() == made[0] && bomp_icv()->threads == 3 ? NULL : "not the same after a region";
    return NULL;
}

static void run_thread(void *(*main)(void *), void *arg) {
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, main, arg), 0);
    pthread_join(thread, NULL);
    if (complaint)
        fail_msg("%s", complaint);
}

static void every_thread_has_a_root(void **state) {
    struct bomp_member *theirs[2] = {NULL, NULL}, *ours = bomp_self();
    (void)state;
    bomp_icv_own()->threads = 2;
    for (unsigned i = 0; i < 20; i++) {
        run_thread(stranger, theirs);
        assert_ptr_not_equal(theirs[0], ours);
        assert_ptr_not_equal(theirs[1], theirs[0]);
    }
    assert_int_equal(bomp_icv()->threads, 2);
}

/* ---- without memory ---- */

static void *in_a_poor_thread(void *arg) {
    unsigned *size = arg;
    bomp_self();
    members =
        *size + (sizeof(struct bz_team) == sizeof(struct bomp_member_memory)); /* the threads come first */
    bomp_parallel(note, NULL, SIZE);
    members = UINT_MAX;
    *size = (unsigned)seen[0].size;
    bomp_parallel(note, NULL, SIZE);
    complaint = seen[0].size == SIZE ? NULL : "still poor";
    return NULL;
}

/* A member that cannot be created makes the team smaller, and the next region tries again. */
static void without_memory_teams_are_smaller(void **state) {
    (void)state;
    for (unsigned n = 1; n <= SIZE; n++) {
        unsigned size = n;
        run_thread(in_a_poor_thread, &size);
        assert_int_equal(size, n);
    }
}

static int set_up(void **state) {
    (void)state;
    members = UINT_MAX;
    return 0;
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(members_find_their_region),
        TEST(regions_use_what_is_there),
        TEST(regions_nest),
        TEST(halves_nest),
        TEST(a_clause_is_for_the_next_region),
        TEST(members_have_a_copy_of_the_data),
        TEST(a_clause_says_what_holds_below),
        TEST(fewer_threads_are_reported),
        TEST(an_end_needs_a_start),
        TEST(every_thread_has_a_root),
        TEST(without_memory_teams_are_smaller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
