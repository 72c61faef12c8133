// Ordered regions, which an iteration may skip, and loops whose iterations wait for each other: also for iterations
// that do not exist, and with bounds that do not begin at 0.
#include "calls.h"

enum { TRIPS = 300, ROWS = 20, COLUMNS = 30 };

static int order[TRIPS], place;

#define DEFINE_ORDERED(T, ST, n)                                                                             \
    static void ordered_##n(int32_t *gtid, int32_t *btid, int64_t kind, int64_t deinit) {                    \
        int32_t last = 0;                                                                                    \
        T low, up;                                                                                           \
        ST step;                                                                                             \
        (void)btid;                                                                                          \
        __kmpc_dispatch_init_##n(&here, *gtid, (int32_t)kind, 0, TRIPS - 1, 1, 2);                           \
        while (__kmpc_dispatch_next_##n(&here, *gtid, &last, &low, &up, &step))                              \
            for (T i = low; i <= up; i++) {                                                                  \
                if (i % 7 == 3)                                                                              \
                    busy_work(1, 300);                                                                       \
                if (i % 3 != 0) { /* some skip it */                                                         \
                    __kmpc_ordered(&here, *gtid);                                                            \
                    order[place++] = (int)i;                                                                 \
                    __kmpc_end_ordered(&here, *gtid);                                                        \
                }                                                                                            \
                __kmpc_dispatch_fini_##n(&here, *gtid);                                                      \
            }                                                                                                \
        if (deinit)                                                                                          \
            __kmpc_dispatch_deinit(&here, *gtid);                                                            \
    }
LOOP_WIDTHS(DEFINE_ORDERED)

static void check_ordered(microtask *body, int kind, int threads) {
    for (int deinit = 0; deinit < 2; deinit++) {
        place = 0;
        REGION(threads, body, 2, (int64_t)kind, (int64_t)deinit);
        CHECK_EQ(place, TRIPS - TRIPS / 3);
        for (int k = 0, i = 0; k < place; k++, i++) {
            i += i % 3 == 0;
            CHECK_EQ(order[k], i);
        }
    }
}

/* ---- doacross ---- */

static int done[ROWS + 1][COLUMNS + 1];
static struct loop { dimension rows, columns; } space;

/* Each iteration waits for the one above and the one to the left, and for one outside of the iteration space. */
static void doacross(int32_t *gtid, int32_t *btid, int64_t kind) {
    dimension both[2] = {space.rows, space.columns};
    int32_t last, low, up, step;
    (void)btid;
    __kmpc_doacross_init(&here, *gtid, 2, both);
    __kmpc_dispatch_init_4(&here, *gtid, (int32_t)kind, 0, ROWS - 1, 1, 1);
    while (__kmpc_dispatch_next_4(&here, *gtid, &last, &low, &up, &step))
        for (int i = low; i <= up; i++)
            for (int j = 0; j < COLUMNS; j++) {
                int64_t r = space.rows.low + i * space.rows.step,
                        c = space.columns.low + j * space.columns.step;
                int64_t above[2] = {r - space.rows.step, c}, left[2] = {r, c - space.columns.step};
                int64_t far[2] = {r - 1000 * space.rows.step, c},
                        right[2] = {r - space.rows.step, c + 1000 * space.columns.step};
                __kmpc_doacross_wait(&here, *gtid, above); /* may be outside */
                __kmpc_doacross_wait(&here, *gtid, left);
                __kmpc_doacross_wait(&here, *gtid, far);
                __kmpc_doacross_wait(&here, *gtid, right);
                CHECK_EQ(i == 0 || __atomic_load_n(&done[i - 1][j], __ATOMIC_RELAXED), 1);
                CHECK_EQ(j == 0 || __atomic_load_n(&done[i][j - 1], __ATOMIC_RELAXED), 1);
                __atomic_store_n(&done[i][j], 1, __ATOMIC_RELAXED);
                int64_t me[2] = {r, c};
                __kmpc_doacross_post(&here, *gtid, me);
            }
    __kmpc_doacross_fini(&here, *gtid);
}

/* The same with a static schedule, which the caller computes itself. */
static void doacross_static(int32_t *gtid, int32_t *btid) {
    dimension one = {0, ROWS * COLUMNS, 1};
    int32_t last = 0, low = 0, up = ROWS * COLUMNS - 1, stride = 1;
    int *flat = &done[0][0];
    (void)btid;
    __kmpc_doacross_init(&here, *gtid, 1, &one);
    __kmpc_for_static_init_4(&here, *gtid, STATIC_CHUNK, &last, &low, &up, &stride, 1, 1);
    for (int64_t i = low; i < ROWS * COLUMNS; i += stride) {
        int64_t sinks[2] = {i - 1, i - 5};
        __kmpc_doacross_wait(&here, *gtid, &sinks[0]);
        __kmpc_doacross_wait(&here, *gtid, &sinks[1]);
        CHECK_EQ(i == 0 || __atomic_load_n(&flat[i - 1], __ATOMIC_RELAXED), 1);
        __atomic_store_n(&flat[i], 1, __ATOMIC_RELAXED);
        __kmpc_doacross_post(&here, *gtid, &i);
    }
    __kmpc_for_static_fini(&here, *gtid);
    __kmpc_doacross_fini(&here, *gtid);
}

/* Two rows of a space with inclusive bounds, the outer loop divided: not clang's collapsed form, one row of two
 * columns, which has as many iterations. */
static void doacross_rows(int32_t *gtid, int32_t *btid) {
    dimension both[2] = {{0, 1, 1}, {0, 2, 1}};
    int32_t last = 0, low = 0, up = 1, stride = 1;
    (void)btid;
    __kmpc_doacross_init(&here, *gtid, 2, both);
    __kmpc_for_static_init_4(&here, *gtid, STATIC_CHUNK, &last, &low, &up, &stride, 1, 1);
    for (int64_t i = low; i < 2; i += stride)
        for (int64_t j = 0; j < 3; j++) {
            if (i == 0)
                busy_work(1, 3000);
            __kmpc_doacross_wait(&here, *gtid, (int64_t[]){i - 1, j});
            CHECK_EQ(i == 0 || __atomic_load_n(&done[0][j], __ATOMIC_RELAXED), 1);
            __atomic_store_n(&done[i][j], 1, __ATOMIC_RELAXED);
            __kmpc_doacross_post(&here, *gtid, (int64_t[]){i, j});
        }
    __kmpc_for_static_fini(&here, *gtid);
    __kmpc_doacross_fini(&here, *gtid);
}

int main(void) {
    static const int kinds[] = {ORDERED_STATIC_CHUNK, ORDERED_STATIC, ORDERED_DYNAMIC,
                                ORDERED_GUIDED,       ORDERED_AUTO,   ORDERED_DYNAMIC | NONMONOTONIC};
    static const int doacross_kinds[] = {STATIC, DYNAMIC, DYNAMIC | NONMONOTONIC, GUIDED, STATIC_CHUNK};
    static const struct loop spaces[] = {
        {{0, ROWS - 1, 1}, {0, COLUMNS - 1, 1}},
        {{0, ROWS, 1}, {0, COLUMNS, 1}}, /* `up` is the trip count, as in clang's code */
        {{5, 5 + 3 * (ROWS - 1), 3}, {-7, -7 + COLUMNS - 1, 1}},
        {{100, 100 - 2 * (ROWS - 1), -2}, {0, COLUMNS - 1, 1}}};
    omp_set_dynamic(0);
    for (int threads = 1; threads <= 4; threads++) {
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            check_ordered((microtask *)ordered_4, kinds[k], threads);
            check_ordered((microtask *)ordered_4u, kinds[k], threads);
            check_ordered((microtask *)ordered_8, kinds[k], threads);
            check_ordered((microtask *)ordered_8u, kinds[k], threads);
        }
        for (size_t k = 0; k < sizeof doacross_kinds / sizeof *doacross_kinds; k++)
            for (size_t s = 0; s < sizeof spaces / sizeof *spaces; s++) {
                memset(done, 0, sizeof done);
                space = spaces[s];
                REGION(threads, doacross, 1, (int64_t)doacross_kinds[k]);
            }
        memset(done, 0, sizeof done);
        REGION(threads, doacross_static, 0);
        memset(done, 0, sizeof done);
        REGION(threads, doacross_rows, 0);
    }
    return check_done("ordered");
}
