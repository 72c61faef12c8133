// flags: -lm
// threads: 1 2 8
// The floating-point environment of a region is that of the thread that opens it, whatever its threads did in the
// previous one; changes inside a region end with it.
#include <fenv.h>

#include "check.h"

static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST};

/* The number of threads with this rounding mode. */
static int rounding_so(int mode) {
    int count = 0;
#pragma omp parallel reduction(+ : count)
    count += fegetround() == mode;
    return count;
}

static int threads_of(void) {
    int count = 0;
#pragma omp parallel reduction(+ : count)
    count++;
    return count;
}

static void region_begins_as_its_opener(int size) {
    for (int i = 0; i < 4; i++) {
        fesetround(modes[i]);
        CHECK(rounding_so(modes[i]) == size);
    }
}

static void what_is_set_in_a_region_ends_with_it(int size) {
#pragma omp parallel
    {
        fesetround(FE_DOWNWARD);
#pragma omp barrier
        CHECK(fegetround() == FE_DOWNWARD);
    }
    CHECK(fegetround() == FE_TONEAREST);
    CHECK(rounding_so(FE_TONEAREST) == size);
#pragma omp parallel if (0)
    fesetround(FE_UPWARD);
    CHECK(fegetround() == FE_TONEAREST);
}

static void nested_region_begins_as_its_opener(void) {
    int wrong = 0;
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) reduction(+ : wrong)
    {
        int mode = modes[omp_get_thread_num()];
        fesetround(mode);
#pragma omp parallel num_threads(2) reduction(+ : wrong)
        {
            wrong += fegetround() != mode;
            fesetround(FE_TOWARDZERO);
        }
        wrong += fegetround() != mode;
    }
    CHECK(wrong == 0);
    CHECK(fegetround() == FE_TONEAREST);
}

int main(void) {
    int size = threads_of();
    region_begins_as_its_opener(size);
    what_is_set_in_a_region_ends_with_it(size);
    nested_region_begins_as_its_opener();
    return check_done("region_rounding");
}
