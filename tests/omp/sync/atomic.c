// atomic in its forms; long double and __int128 need the runtime's lock.
#include "../check.h"

static long double extended;
static __int128 wide;
static double real = 0.0;
static float small = 0.0f;
static long counter;
static unsigned char byte;
static int flags;
static unsigned long mixed = 1;

static void add_all(int rounds) {
    int arrived = 0;

#pragma omp parallel
    for (int r = 0; r < rounds; r++) {
        if (r == 0)
            start_together(&arrived);
#pragma omp atomic
        extended += 0.5L;
#pragma omp atomic
        wide += 3;
#pragma omp atomic
        real += 0.25;
#pragma omp atomic
        small += 1.0f;
#pragma omp atomic update
        counter++;
#pragma omp atomic
        byte += 1;
#pragma omp atomic
        flags |= 1 << (r % 20);
#pragma omp atomic
        mixed = 5 * mixed;
    }
}

/* Each captured number is unique. */
static void tickets(int rounds) {
    int total = rounds * omp_get_max_threads();
    char *taken = calloc((size_t)total, 1);
    char *taken_long = calloc((size_t)total, 1);
    int next = 0, arrived = 0;
    long double next_long = 0;

#pragma omp parallel
    for (int r = 0; r < rounds; r++) {
        int mine;
        long double mine_long;

        if (r == 0)
            start_together(&arrived);

#pragma omp atomic capture
        mine = next++;
#pragma omp atomic capture
        {
            mine_long = next_long;
            next_long += 1;
        }
        taken[mine]++;
        taken_long[(int)mine_long]++;
    }
    for (int i = 0; i < total; i++)
        CHECK(taken[i] == 1 && taken_long[i] == 1);
    free(taken);
    free(taken_long);
}

/* A long double written whole is read whole. */
static void no_tearing(int rounds) {
    long double shared = 1.0L / 3;
    int arrived = 0;

#pragma omp parallel
    for (int r = 0; r < rounds; r++) {
        long double seen;

        if (r == 0)
            start_together(&arrived);

#pragma omp atomic write
        shared = r % 2 ? 1.0L / 3 : -1.0e4000L;
#pragma omp atomic read
        seen = shared;
        CHECK(seen == 1.0L / 3 || seen == -1.0e4000L);
    }
}

int main(void) {
    enum { ROUNDS = 20000 };
    int threads = omp_get_max_threads();
    long total = (long)ROUNDS * threads;
    unsigned long power = 1;

    add_all(ROUNDS);
    for (long i = 0; i < total; i++)
        power *= 5;
    CHECK(extended == total * 0.5L);
    CHECK(wide == (__int128)total * 3);
    CHECK(real == (double)total * 0.25);
    CHECK(small == (float)total);
    CHECK_EQ(counter, total);
    CHECK_EQ(byte, (unsigned char)total);
    CHECK_EQ(flags, (1 << 20) - 1);
    CHECK_EQ(mixed, power);
    tickets(ROUNDS / 4);
    no_tearing(ROUNDS / 2);
    printf("extended %.1Lf wide %ld mixed %lu\n", extended, (long)wide, mixed);
    return check_done("atomic");
}
