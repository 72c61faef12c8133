// gcc only: clang takes the result of level queries for constant between its own constructs
// The entry points of old compilers: a pair of calls around the region, the caller runs its own share.
#include "../check.h"

#include <stdbool.h>

void GOMP_parallel_start(void (*fn)(void *), void *data, unsigned num_threads);
void GOMP_parallel_end(void);
void GOMP_parallel_sections_start(void (*fn)(void *), void *data, unsigned num_threads, unsigned count);
unsigned GOMP_sections_start(unsigned count);
unsigned GOMP_sections_next(void);
void GOMP_sections_end(void);
void GOMP_sections_end_nowait(void);
bool GOMP_single_start(void);
void *GOMP_single_copy_start(void);
void GOMP_single_copy_end(void *data);
void GOMP_barrier(void);
void GOMP_critical_start(void);
void GOMP_critical_end(void);

struct region {
    int members, ids, singles, copied;
    int sections[6];
};

static void body(void *data) {
    struct region *r = data;
    int here = 3, *there;

    count_up(&r->members);
    __atomic_fetch_add(&r->ids, 1 << omp_get_thread_num(), __ATOMIC_RELAXED);
    if (GOMP_single_start())
        count_up(&r->singles);
    GOMP_barrier();
    CHECK_EQ(count_read(&r->members), omp_get_num_threads());
    there = GOMP_single_copy_start();
    if (there == NULL) {
        here = 4;
        GOMP_single_copy_end(&here);
        there = &here;
    }
    GOMP_critical_start();
    r->copied += *there;
    GOMP_critical_end();
    GOMP_barrier();
    for (unsigned s = GOMP_sections_start(5); s != 0; s = GOMP_sections_next())
        count_up(&r->sections[s]);
    GOMP_sections_end();
    for (int i = 1; i <= 5; i++)
        CHECK_EQ(count_read(&r->sections[i]), 1);
}

static void sections_body(void *data) {
    struct region *r = data;

    for (unsigned s = GOMP_sections_next(); s != 0; s = GOMP_sections_next()) {
        CHECK(s <= 5);
        count_up(&r->sections[s]);
    }
    GOMP_sections_end_nowait();
    count_up(&r->members);
}

static void check_region(unsigned asked, int size) {
    struct region r = {0, 0, 0, 0, {0}}, s = {0, 0, 0, 0, {0}};

    GOMP_parallel_start(body, &r, asked);
    CHECK_EQ(omp_get_level(), 1);
    CHECK_EQ(omp_get_num_threads(), size);
    body(&r);
    GOMP_parallel_end();
    CHECK_EQ(omp_get_level(), 0);
    CHECK_EQ(r.members, size);
    CHECK_EQ(r.ids, (1 << size) - 1);
    CHECK_EQ(r.singles, 1);
    CHECK_EQ(r.copied, 4 * size);

    GOMP_parallel_sections_start(sections_body, &s, asked, 5);
    sections_body(&s);
    GOMP_parallel_end();
    CHECK_EQ(s.members, size);
    for (int i = 1; i <= 5; i++)
        CHECK_EQ(s.sections[i], 1);
}

int main(void) {
    int threads = omp_get_max_threads();

    for (int round = 0; round < 30; round++) {
        check_region(0, threads);
        check_region(1, 1);
        check_region(2 + (unsigned)round % 4, 2 + round % 4);
    }
    printf("threads %d\n", threads);
    return check_done("legacy_parallel");
}
