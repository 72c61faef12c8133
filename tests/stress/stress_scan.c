/* stress_scan.c: scans, reductions and searches by several external threads in one pool. Their functions sometimes
 * pause, so that tiles become known and are summed in every order. In some scans the first tile waits until others are
 * summed. */
#include "blitz/algo.h"
#include "stress.h"

/* x -> a x + b modulo 2^64, composed in order. */
struct affine {
    uint64_t a, b;
};

struct round {
    struct affine *in, *out; /* the same array in every second round */
    uint64_t seed;           /* of the delays */
    size_t count;
    struct bz_a64 summed; /* indices; the summing thread raises it, the scan of the first tile reads it */
    size_t await;         /* the first tile's scan waits for this value */
};

static struct affine element(uint64_t seed, size_t i) {
    struct stress_rng rng = {seed + i * 31};
    uint64_t a = stress_random(&rng, UINT32_MAX);
    return (struct affine){a | 1, stress_random(&rng, UINT32_MAX)};
}

static void then(struct affine *left, struct affine right) {
    left->b = left->b * right.a + right.b;
    left->a = left->a * right.a;
}

/* Sometimes the thread loses its CPU. */
static void dally(const struct round *round, size_t place) {
    struct stress_rng rng = {round->seed + place};
    uint32_t what = stress_random(&rng, 64);
    for (uint32_t i = 0; what == 0 && i < stress_random(&rng, 2000); i++)
        bz_cpu_relax();
    if (what == 1)
        sched_yield();
    if (what == 2)
        usleep(stress_random(&rng, 50));
}

static int sum_up(size_t lo, size_t hi, void *value, void *ctx) {
    struct round *round = ctx;
    dally(round, lo);
    for (size_t i = lo; i < hi; i++)
        then(value, round->in[i]);
    bz_fetch_add_relaxed(&round->summed, hi - lo); /* relaxed: a count */
    return 0;
}

static int scan(size_t lo, size_t hi, void *value, void *ctx) {
    struct round *round = ctx;
    for (int i = 0; lo == 0 && i < 2000 && bz_load_relaxed(&round->summed) < round->await; i++)
        sched_yield(); /* not forever: no other thread may have come */
    dally(round, hi);
    for (size_t i = lo; i < hi; i++) {
        then(value, round->in[i]);
        round->out[i] = *(struct affine *)value;
    }
    return 0;
}

static void combine(void *left, const void *right, void *ctx) {
    dally(ctx, (size_t)((const struct affine *)right)->b);
    then(left, *(const struct affine *)right);
}

static void check_scan(struct round *round, uint64_t seed, struct affine total) {
    struct affine sum = {1, 0};
    for (size_t i = 0; i < round->count; i++) {
        then(&sum, element(seed, i));
        stress_check(round->out[i].a == sum.a && round->out[i].b == sum.b);
    }
    stress_check(total.a == sum.a && total.b == sum.b);
}

static void scan_once(struct stress_rng *rng, struct affine *arrays, size_t most) {
    static const struct affine same = {1, 0};
    static const blitz_reduce_op op = {sizeof same, &same, sum_up, combine};
    uint64_t seed = stress_random(rng, UINT32_MAX);
    struct round round = {.in = arrays, .seed = seed, .count = 1 + stress_random(rng, (uint32_t)most)};
    struct affine total;
    round.out = stress_random(rng, 2) ? arrays : arrays + most;
    round.await = stress_random(rng, 4) == 0 ? round.count / 2 : 0;
    for (size_t i = 0; i < round.count; i++)
        round.in[i] = element(seed, i);
    stress_check(blitz_scan(0, round.count, stress_random(rng, 20), &op, scan, &round, &total) == 0);
    check_scan(&round, seed, total);
}

/* ---- reductions ---- */

struct uneven {
    const struct affine *in;
    size_t slow; /* from here on SLOW indices take far longer than others: they are dealt out one by one */
};

enum { SLOW = 16 };

static int sum_up_unevenly(size_t lo, size_t hi, void *value, void *ctx) {
    const struct uneven *uneven = ctx;
    for (size_t i = lo; i < hi; i++) {
        for (int n = 0; i - uneven->slow < SLOW && n < 2000; n++)
            bz_cpu_relax();
        then(value, uneven->in[i]);
    }
    return 0;
}

static void combine_at_once(void *left, const void *right, void *ctx) {
    (void)ctx;
    then(left, *(const struct affine *)right);
}

static void reduce_once(struct stress_rng *rng, struct affine *in, size_t most) {
    static const struct affine same = {1, 0};
    static const blitz_reduce_op op = {sizeof same, &same, sum_up_unevenly, combine_at_once};
    size_t count = 1 + stress_random(rng, (uint32_t)most);
    struct uneven uneven = {in, stress_random(rng, (uint32_t)count)};
    struct affine total, sum = same;
    for (size_t i = 0; i < count; i++) {
        in[i] = element(uneven.slow, i);
        then(&sum, in[i]);
    }
    stress_check(blitz_reduce(0, count, stress_random(rng, 4), &op, &uneven, &total) == 0);
    stress_check(total.a == sum.a && total.b == sum.b);
}

/* ---- searches ---- */

struct hunt {
    struct round round;
    size_t first, last; /* matches; all between are no matches, or all are */
    bool all;
};

static bool is_match(const struct hunt *hunt, size_t i) {
    return i == hunt->first || i == hunt->last || (hunt->all && hunt->first < i && i < hunt->last);
}

static size_t first_match(size_t lo, size_t hi, void *ctx) {
    const struct hunt *hunt = ctx;
    dally(&hunt->round, lo);
    while (lo < hi && !is_match(hunt, lo))
        lo++;
    return lo;
}

static size_t last_match(size_t lo, size_t hi, void *ctx) {
    const struct hunt *hunt = ctx;
    size_t i = hi;
    dally(&hunt->round, hi);
    while (i > lo && !is_match(hunt, i - 1))
        i--;
    return i > lo ? i - 1 : hi;
}

static void search_once(struct stress_rng *rng) {
    struct hunt hunt = {.round.seed = stress_random(rng, UINT32_MAX)};
    size_t count = 1 + stress_random(rng, 200000), grain = stress_random(rng, 20);
    hunt.first = stress_random(rng, (uint32_t)count);
    hunt.last = hunt.first + stress_random(rng, (uint32_t)(count - hunt.first));
    hunt.all = stress_random(rng, 2);
    stress_check(blitz_seek_first(0, count, grain, first_match, &hunt) == hunt.first);
    stress_check(blitz_seek_last(0, count, grain, last_match, &hunt) == hunt.last);
    stress_check(is_match(&hunt, blitz_seek_any(0, count, grain, first_match, &hunt)));
}

static void visit(unsigned index, void *arg) {
    enum { MOST = 30000 };
    struct stress_rng rng = stress_rng(index);
    struct affine *arrays = malloc(2 * MOST * sizeof *arrays);
    stress_check(arrays);
    (void)arg;
    for (unsigned i = 0; i < stress_scaled(40); i++) {
        scan_once(&rng, arrays, i % 2 ? MOST : MOST / 100);
        reduce_once(&rng, arrays, MOST / 100);
        search_once(&rng);
    }
    free(arrays);
}

int main(int argc, char **argv) {
    stress_begin(argc, argv);
    for (unsigned i = 0; i < stress.iter; i++, stress.seed++) {
        const blitz_config config = {.workers = i % 2 ? stress.threads : stress.threads / 2 + 1};
        stress_part("scans, reductions and searches");
        stress_check(blitz_configure(&config) == 0);
        stress_run(stress.threads / 2 + 1, visit, NULL);
        stress_check(blitz_shutdown() == 0);
    }
    return 0;
}
