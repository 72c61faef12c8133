// Places of threads, in the format of LLVM's runtime: on standard output, when the level or the number of threads
// differs from the thread's last region. Unknown fields are undefined, and zeros without a dot are accepted.
// env: OMP_DISPLAY_AFFINITY=true OMP_AFFINITY_FORMAT=here:%L:%N
// env: OMP_DISPLAY_AFFINITY=false
// threads: 1 2
#include <string.h>

#include "check.h"

static void region(int threads) {
#pragma omp parallel num_threads(threads)
    {
#pragma omp barrier
    }
}

static void captured(const char *format, const char *want) {
    char text[64] = "";
    CHECK_EQ(omp_capture_affinity(text, sizeof text, format), strlen(want));
    if (strcmp(text, want) != 0) {
        CHECK(!"the text");
        fprintf(stderr, "  %s gives '%s', not '%s'\n", format, text, want);
    }
}

int main(void) {
    omp_set_dynamic(0);
    omp_set_max_active_levels(2);
    region(1);
    region(1);
    region(2);
    region(2);
#pragma omp parallel num_threads(1)
    {
        region(2);
        region(2);
        region(1);
    }
    region(2);
    region(3);
    fflush(stdout);
    captured("%{foobar}", "undefined");
    captured("%X%n", "undefined0");
    captured("%05n|", "0    |");
    captured("%0.5n|%.3n|%3n|", "00000|  0|0  |");
    omp_set_affinity_format("%L of nobody");
    printf("what is written before comes before\n");
    omp_display_affinity(NULL);
    return check_done("affinity_words");
}
