// repeat
// Reductions: every operator, several variables at once, arrays, structures, on parallel, for and sections.
#include "../check.h"

struct extent {
    int low, high, count;
};

static struct extent unite(struct extent a, struct extent b) {
    struct extent r = {a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high, a.count + b.count};

    return r;
}

#pragma omp declare reduction(unite                                                                          \
                              : struct extent                                                                \
                              : omp_out = unite(omp_out, omp_in))                                            \
    initializer(omp_priv = {1 << 30, -(1 << 30), 0})

enum { N = 1000 };

static void operators(const int *v) {
    long sum = 100, xor = 0, low = 1 << 30, high = -1, bits = -1L, any_bits = 0;
    unsigned long product = 1;
    int all = 1, any = 0;
    double real = 0;
    long double extended = 0;

#pragma omp parallel for schedule(guided) reduction(+ : sum, real, extended) reduction(* : product) \
    reduction(^ : xor) reduction(min : low) reduction(max : high) reduction(& : bits) reduction(| : any_bits) \
    reduction(&& : all) reduction(|| : any)
    for (int i = 0; i < N; i++) {
        sum += v[i];
        real += v[i] * 0.5;
        extended += v[i] * 0.25L;
        product *= (unsigned long)v[i] | 1;
        xor ^= v[i];
        low = v[i] < low ? v[i] : low;
        high = v[i] > high ? v[i] : high;
        bits &= v[i] | 0x10;
        any_bits |= v[i];
        all = all && v[i] >= 0;
        any = any || v[i] == v[N / 2];
    }
    CHECK(real * 2 == (double)(sum - 100));
    CHECK(extended * 4 == sum - 100);
    CHECK(all == 1 && any == 1);
    printf("sum %ld product %lx xor %lx low %ld high %ld and %lx or %lx\n", sum, product, xor, low, high,
           (unsigned long)bits, (unsigned long)any_bits);
}

static void arrays_and_structures(const int *v) {
    int histogram[16] = {0};
    struct extent all = {v[0], v[0], 0};
    int total = 0;

#pragma omp parallel reduction(+ : histogram [0:16]) reduction(unite : all)
    {
#pragma omp for schedule(dynamic, 7)
        for (int i = 0; i < N; i++) {
            struct extent one = {v[i], v[i], 1};

            histogram[v[i] & 15]++;
            all = unite(all, one);
        }
    }
    CHECK_EQ(all.count, N);
    for (int i = 0; i < 16; i++)
        total += histogram[i] * (i + 1);
    printf("histogram %d extent %d..%d\n", total, all.low, all.high);
}

static void other_constructs(int threads) {
    int in_parallel = 1, in_sections = 0, in_loop = 0, twice = 0;

#pragma omp parallel reduction(* : in_parallel) reduction(+ : twice)
    {
        in_parallel = 2;
        twice += 1;
#pragma omp sections reduction(+ : in_sections)
        {
#pragma omp section
            in_sections += 1;
#pragma omp section
            in_sections += 10;
#pragma omp section
            in_sections += 100;
        }
#pragma omp for nowait reduction(- : in_loop)
        for (int i = 0; i < 50; i++)
            in_loop += i;
        twice += 1;
    }
    CHECK_EQ(in_parallel, 1 << threads);
    CHECK_EQ(in_sections, 111);
    CHECK_EQ(in_loop, 1225);
    CHECK_EQ(twice, 2 * threads);
}

int main(void) {
    int v[N];

    for (int i = 0; i < N; i++)
        v[i] = (int)(scramble((unsigned)i) & 0xfffff);
    for (int round = 0; round < 100; round++)
        other_constructs(omp_get_max_threads());
    operators(v);
    arrays_and_structures(v);
    return check_done("reductions");
}
