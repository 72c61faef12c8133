// The lock functions of the oldest binaries: nestable locks of 8 bytes that belong to a thread, not to a task. They can
// be reached only by versioned references, which such binaries have.
#include "../check.h"

#define OLD(type, call, lock_type)                                                                           \
    type old_##call(lock_type *lock);                                                                        \
    __asm__(".symver old_" #call ", omp_" #call "@OMP_1.0")

typedef struct {
    int words[2];
} old_nest_lock;

OLD(void, init_lock, int);
OLD(void, destroy_lock, int);
OLD(void, set_lock, int);
OLD(void, unset_lock, int);
OLD(int, test_lock, int);
OLD(void, init_nest_lock, old_nest_lock);
OLD(void, destroy_nest_lock, old_nest_lock);
OLD(void, set_nest_lock, old_nest_lock);
OLD(void, unset_nest_lock, old_nest_lock);
OLD(int, test_nest_lock, old_nest_lock);
OLD(void, init_nest_lock_, old_nest_lock);
OLD(void, destroy_nest_lock_, old_nest_lock);
OLD(void, set_nest_lock_, old_nest_lock);
OLD(void, unset_nest_lock_, old_nest_lock);
OLD(int, test_nest_lock_, old_nest_lock);
OLD(void, init_lock_, int);
OLD(void, destroy_lock_, int);
OLD(void, set_lock_, int);
OLD(void, unset_lock_, int);
OLD(int, test_lock_, int);

enum { ROUNDS = 500 };

/* The words around the lock detect writes beyond the old size. */
struct guarded {
    int before;
    old_nest_lock lock;
    int after;
};

static long plain(void) {
    int lock, fortran_lock;
    long count = 0;

    old_init_lock(&lock);
    old_init_lock_(&fortran_lock);
#pragma omp parallel
    for (int r = 0; r < ROUNDS; r++) {
        if (r % 2) {
            old_set_lock(&lock);
        } else {
            while (!old_test_lock(&lock))
                sched_yield();
        }
        count++;
        old_unset_lock(&lock);
        old_set_lock_(&fortran_lock);
        CHECK_EQ(old_test_lock_(&fortran_lock), 0);
        old_unset_lock_(&fortran_lock);
    }
    old_destroy_lock(&lock);
    old_destroy_lock_(&fortran_lock);
    return count;
}

/* A nested region's master and an undeferred task are other tasks on the same thread: they own the lock as well. */
static void owned_by_thread(void) {
    struct guarded g = {12345, {{0, 0}}, 67890};
    int depth = 0, refused = 0;

    old_init_nest_lock(&g.lock);
#pragma omp parallel num_threads(3)
    {
#pragma omp master
        old_set_nest_lock(&g.lock);
#pragma omp barrier
        if (omp_get_thread_num() != 0) {
#pragma omp atomic
            refused += old_test_nest_lock(&g.lock) == 0;
        } else {
#pragma omp task if (0) shared(g, depth)
            {
                depth = old_test_nest_lock(&g.lock);
                old_unset_nest_lock(&g.lock);
            }
        }
#pragma omp barrier
#pragma omp master
        old_unset_nest_lock(&g.lock);
    }
    old_destroy_nest_lock(&g.lock);
    CHECK_EQ(depth, 2);
    CHECK_EQ(refused, 2);
    CHECK(g.before == 12345 && g.after == 67890);
}

static long exclusion(void) {
    struct guarded g = {1, {{0, 0}}, 2};
    long count = 0;

    old_init_nest_lock_(&g.lock);
#pragma omp parallel
    for (int r = 0; r < ROUNDS; r++) {
        old_set_nest_lock_(&g.lock);
        CHECK_EQ(old_test_nest_lock_(&g.lock), 2);
        count++;
        old_unset_nest_lock_(&g.lock);
        old_unset_nest_lock_(&g.lock);
    }
    old_destroy_nest_lock_(&g.lock);
    CHECK(g.before == 1 && g.after == 2);
    return count;
}

int main(void) {
    long threads = omp_get_max_threads(), plain_count = plain(), nest_count;

    owned_by_thread();
    nest_count = exclusion();
    CHECK_EQ(plain_count, ROUNDS * threads);
    CHECK_EQ(nest_count, ROUNDS * threads);
    printf("plain %ld nest %ld\n", plain_count, nest_count);
    return check_done("legacy_locks");
}
