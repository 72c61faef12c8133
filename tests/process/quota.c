/* Prints the numbers of threads and CPUs by each function that returns them: once, and again for each argument, which
 * it first writes to the file named by QUOTA_FILE, unless it is empty. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static void say(void) {
    int team = 0;
#pragma omp parallel
#pragma omp single
    team = omp_get_num_threads();
    printf("%d %d %d\n", team, omp_get_max_threads(), omp_get_num_procs());
}

static void change_quota(const char *quota) {
    FILE *file = *quota ? fopen(getenv("QUOTA_FILE"), "w") : NULL;
    if (file && (fputs(quota, file) < 0 || fclose(file) != 0))
        perror("QUOTA_FILE");
    double began = omp_get_wtime();
    while (omp_get_wtime() - began <
           0.15) /* the runtime sees a change within 100 ms; busy, so that a quota stops it */
        ;
}

int main(int argc, char **argv) {
    say();
    for (int i = 1; i < argc; i++) {
        change_quota(argv[i]);
        say();
    }
    return 0;
}
