// Locks of 8 bytes, as in clang's omp.h, and by the calls of older compilers: neighbouring memory stays as it is.
#include "calls.h"

void __kmpc_init_lock(ident_t *, int32_t, void **), __kmpc_destroy_lock(ident_t *, int32_t, void **);
void __kmpc_set_lock(ident_t *, int32_t, void **), __kmpc_unset_lock(ident_t *, int32_t, void **);
int32_t __kmpc_test_lock(ident_t *, int32_t, void **);
void __kmpc_init_lock_with_hint(ident_t *, int32_t, void **, uintptr_t);
void __kmpc_init_nest_lock(ident_t *, int32_t, void **),
    __kmpc_destroy_nest_lock(ident_t *, int32_t, void **);
void __kmpc_set_nest_lock(ident_t *, int32_t, void **), __kmpc_unset_nest_lock(ident_t *, int32_t, void **);
int32_t __kmpc_test_nest_lock(ident_t *, int32_t, void **);
void __kmpc_init_nest_lock_with_hint(ident_t *, int32_t, void **, uintptr_t);

enum { ROUNDS = 500, BEFORE = 0x5a5a5a5a, AFTER = 0x3c3c3c3c };
#define WHERE &here, __kmpc_global_thread_num(&here)

static struct {
    int before[2];
    omp_nest_lock_t nest;
    int between[2];
    omp_lock_t plain;
    int after[2];
} api = {{BEFORE, BEFORE}, {0}, {BEFORE, AFTER}, {0}, {AFTER, AFTER}};

static struct {
    int before[2];
    void *nest;
    int between[2];
    void *plain;
    int after[2];
} old = {{BEFORE, BEFORE}, 0, {BEFORE, AFTER}, 0, {AFTER, AFTER}};

#define CHECK_BESIDE(s)                                                                                      \
    CHECK(s.before[1] == BEFORE && s.between[0] == BEFORE && s.between[1] == AFTER && s.after[0] == AFTER)

static long of_api(void) {
    long count = 0, nested = 0;
    omp_init_lock(&api.plain);
    omp_init_nest_lock(&api.nest);
#pragma omp parallel
    for (int i = 0; i < ROUNDS; i++) {
        omp_set_nest_lock(&api.nest);
        CHECK_EQ(omp_test_nest_lock(&api.nest), 2);
        nested++;
        omp_unset_nest_lock(&api.nest);
        omp_unset_nest_lock(&api.nest);
        omp_set_lock(&api.plain);
        CHECK(!omp_test_lock(&api.plain));
        count++;
        omp_unset_lock(&api.plain);
    }
    omp_destroy_lock(&api.plain);
    omp_destroy_nest_lock(&api.nest);
    CHECK_BESIDE(api);
    return count + nested;
}

static long of_old(int hinted) {
    long count = 0, nested = 0;
    if (hinted) {
        __kmpc_init_lock_with_hint(WHERE, &old.plain, 2);
        __kmpc_init_nest_lock_with_hint(WHERE, &old.nest, 2);
    } else {
        __kmpc_init_lock(WHERE, &old.plain);
        __kmpc_init_nest_lock(WHERE, &old.nest);
    }
#pragma omp parallel
    for (int i = 0; i < ROUNDS; i++) {
        __kmpc_set_lock(WHERE, &old.plain);
        CHECK_EQ(__kmpc_test_lock(WHERE, &old.plain), 0);
        count++;
        __kmpc_unset_lock(WHERE, &old.plain);
        __kmpc_set_nest_lock(WHERE, &old.nest);
        CHECK_EQ(__kmpc_test_nest_lock(WHERE, &old.nest), 2);
        nested++;
        __kmpc_unset_nest_lock(WHERE, &old.nest);
        __kmpc_unset_nest_lock(WHERE, &old.nest);
    }
    CHECK_EQ(__kmpc_test_lock(WHERE, &old.plain), 1);
    __kmpc_unset_lock(WHERE, &old.plain);
    __kmpc_destroy_lock(WHERE, &old.plain);
    __kmpc_destroy_nest_lock(WHERE, &old.nest);
    CHECK_BESIDE(old);
    return count + nested;
}

/* Nested locks, released in the order of their acquisition. */
static void chains(void) {
    enum { LOCKS = 20 };
    omp_nest_lock_t locks[LOCKS];
    for (int i = 0; i < LOCKS; i++)
        omp_init_nest_lock(&locks[i]);
#pragma omp parallel
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < LOCKS; i++) {
            omp_set_nest_lock(&locks[i]);
            omp_set_nest_lock(&locks[i / 2]);
        }
        for (int i = 0; i < LOCKS; i++)
            omp_unset_nest_lock(&locks[i / 2]);
        for (int i = 0; i < LOCKS; i++)
            omp_unset_nest_lock(&locks[i]);
    }
    for (int i = 0; i < LOCKS; i++) {
        CHECK_EQ(omp_test_nest_lock(&locks[i]), 1);
        omp_unset_nest_lock(&locks[i]);
        omp_destroy_nest_lock(&locks[i]);
    }
}

int main(void) {
    printf("%ld %ld %ld\n", of_api(), of_old(0), of_old(1));
    chains();
    return check_done("locks");
}
