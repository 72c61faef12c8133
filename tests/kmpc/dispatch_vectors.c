// Loops of vectors, from schedule(simd:...): all chunks but the last consist of whole vectors, and a chunk size of the
// program counts vectors.
#include "calls.h"

enum { WIDTH = 4, GUIDED_SIMD = 46, RUNTIME_SIMD = 47, TRIPS = 203 };

static int seen[TRIPS];

static void loop(int32_t *gtid, int32_t *btid, int64_t kind, int64_t vectors, int64_t step) {
    int32_t last = 0, low, up, stride, lasts = 0;
    (void)btid;
    __kmpc_dispatch_init_4(&here, *gtid, (int32_t)kind, 0, (int32_t)(step * (TRIPS - 1)), (int32_t)step,
                           WIDTH);
    while (__kmpc_dispatch_next_4(&here, *gtid, &last, &low, &up, &stride)) {
        int count = (up - low) / (int)step + 1;
        CHECK_EQ(stride, step);
        CHECK(last || count % (WIDTH * vectors) == 0);
        CHECK_EQ(last, up == step * (TRIPS - 1));
        lasts += last;
        for (int i = low / (int)step, n = 0; n < count; n++)
            count_up(&seen[i + n]);
    }
    CHECK(lasts <= 1);
    __kmpc_barrier(&here, *gtid);
}

static void run(int threads, int kind, int vectors) {
    for (int step = -3; step <= 3; step += 2) {
        memset(seen, 0, sizeof seen);
        REGION(threads, loop, 3, (int64_t)kind, (int64_t)vectors, (int64_t)step);
        for (int i = 0; i < TRIPS; i++)
            CHECK_EQ(seen[i], 1);
    }
}

int main(void) {
    omp_set_dynamic(0);
    for (int threads = 1; threads <= 4; threads++) {
        run(threads, GUIDED_SIMD, 1);
        for (int chunk = 0; chunk <= 3; chunk++) {
            int vectors = chunk > 0 ? chunk : 1;
            omp_set_schedule(omp_sched_static, chunk);
            run(threads, RUNTIME_SIMD, vectors);
            omp_set_schedule(omp_sched_dynamic, chunk);
            run(threads, RUNTIME_SIMD, vectors);
            omp_set_schedule(omp_sched_guided, chunk);
            run(threads, RUNTIME_SIMD, vectors);
        }
        omp_set_schedule(omp_sched_auto, 0);
        run(threads, RUNTIME_SIMD, 1);
    }
    return check_done("dispatch_vectors");
}
