// Host threads: each has a number that no other live thread has, the same in and after its regions, whose primary
// thread it is. A clause applies to the host's own next region, not to another host's.
// flags: -pthread
// threads: 2
#include <pthread.h>

#include "calls.h"

enum { ROOTS = 4, TEAM = 3, ROUNDS = 20 };

static int32_t numbers[ROOTS][TEAM]; /* by root and member, in the current round */
static pthread_barrier_t all_there;

static void member(int32_t *gtid, int32_t *btid, int64_t root) {
    CHECK_EQ(*gtid, ME);
    CHECK_EQ(*btid, omp_get_thread_num());
    CHECK_EQ(omp_get_num_threads(), TEAM - root % 2);
    CHECK_EQ(omp_get_level(), 1);
    numbers[root][*btid] = *gtid;
    __kmpc_barrier(&here, *gtid);
    CHECK_EQ(*gtid, ME);
}

static void *run_root(void *arg) {
    int64_t root = *(int *)arg;
    int32_t me = ME;
    CHECK(me > 0); /* 0 is the initial thread's */
    CHECK_EQ(__kmpc_bound_thread_num(&here), 0);
    for (int i = 0; i < ROUNDS; i++) {
        for (int k = 0; k < TEAM; k++)
            numbers[root][k] = -1;
        __kmpc_push_num_threads(&here, me, (int32_t)(TEAM - root % 2));
        pthread_barrier_wait(&all_there);
        __kmpc_fork_call(&here, 1, (microtask *)member, root);
        CHECK_EQ(numbers[root][0], me);
        CHECK_EQ(ME, me);
        pthread_barrier_wait(&all_there);
    }
    return NULL;
}

/* Members of different teams are distinct threads only while both teams exist, so this compares only the roots, and the
 * members of one team. */
static void check_apart(void) {
    for (int root = 0; root < ROOTS; root++) {
        CHECK(numbers[root][0] != ME);
        for (int other = 0; other < root; other++)
            CHECK(numbers[root][0] != numbers[other][0]);
        for (int k = 0; k < TEAM - root % 2; k++)
            for (int j = 0; j < k; j++)
                CHECK(numbers[root][k] != numbers[root][j]);
    }
}

/* One after the other, each with a region. */
static void *one_of_many(void *last) {
    int32_t me = ME;
    CHECK(me > 0 && me != *(int32_t *)last);
    REGION(2, member, 1, (int64_t)1);
    CHECK_EQ(numbers[1][0], me);
    return NULL;
}

int main(void) {
    pthread_t threads[ROOTS];
    int32_t me = ME, roots[ROOTS];
    omp_set_dynamic(0);
    CHECK_EQ(me, 0);
    pthread_barrier_init(&all_there, NULL, ROOTS);
    for (int i = 0; i < ROOTS; i++) {
        roots[i] = i;
        CHECK_EQ(pthread_create(&threads[i], NULL, run_root, &roots[i]), 0);
    }
    for (int i = 0; i < ROOTS; i++)
        pthread_join(threads[i], NULL);
    check_apart();
    for (int i = 0; i < 50; i++) {
        CHECK_EQ(pthread_create(&threads[0], NULL, one_of_many, &me), 0);
        pthread_join(threads[0], NULL);
    }
    CHECK_EQ(ME, 0);
    return check_done("roots");
}
