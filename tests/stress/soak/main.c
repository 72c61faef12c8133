/* main.c: soak SEED [ROUNDS | SECONDSs] [THREADS] */
#include "soak.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { HANG_SECONDS = 240 }; /* longer than any round takes on a loaded machine under a sanitizer */

static const char usage[] = "usage: soak SEED [ROUNDS | SECONDSs] [THREADS]\n"
                            "Plays random trees of OpenMP constructs, the first of SEED (1 round), the next\n"
                            "of SEED + 1, and so on, by at most THREADS threads and a few more (8). A round\n"
                            "that fails is named; `soak ROUND 1 THREADS` plays it again.\n"
                            "SOAK_WITHOUT=NAME,...  leaves constructs out\n"
                            "SOAK_BLITZ=1           refuses to run on another runtime\n"
                            "SOAK_HOLD=1            a process that hangs waits for a debugger\n";

static uint64_t number(const char *text, const char *ends) {
    char *end;
    uint64_t value = strtoull(text, &end, 10);
    if (end == text || (*end != '\0' && strcmp(end, ends) != 0)) {
        fputs(usage, stderr);
        exit(2);
    }
    return value;
}

/* The runtime reads the environment before main, so this sets it and executes the program again. */
static void with_environment(char **argv) {
    if (getenv("SOAK_ENVIRONMENT"))
        return;
    setenv("SOAK_ENVIRONMENT", "1", 1);
    setenv("OMP_MAX_ACTIVE_LEVELS", "20", 1);
    setenv("OMP_MAX_TASK_PRIORITY", "4", 0);
    setenv("OMP_CANCELLATION", "true", 0);
    execv("/proc/self/exe", argv);
    perror("soak: /proc/self/exe");
    exit(2);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void one_after_the_other(struct scene s, struct node n) {
#pragma omp taskgroup
    for (unsigned i = 0; i < node_count(n); i++)
        solo(s, node_child(n, i));
}

/* Plays one tree on the main thread, either with tasks and regions of its own or as the parent of host threads. */
static int play(uint64_t round, unsigned threads) {
    struct node root = {round * 0x9e3779b97f4a7c15u + 1, 0};
    struct ledger ledger;
    struct scene scene = {&ledger, NULL, threads, 0, 1, 0};
    unsigned failures = soak_failures();
    root.budget = 50u << pick(root, PICK_SIZE, UNDER_TSAN ? 5 : 8);
    soak_round = round;
    trail_watch(HANG_SECONDS);
    ledger_open(&ledger);
    if (pick(root, PICK_VARIANT, 3) == 0)
        hosts_threads(scene, root);
    else
        one_after_the_other(scene, root);
    ledger_close(&ledger, root, "round");
    return soak_failures() != failures;
}

int main(int argc, char **argv) {
    if (argc < 2 || argc > 4) {
        fputs(usage, stderr);
        return 2;
    }
    uint64_t seed = number(argv[1], ""), amount = argc > 2 ? number(argv[2], "s") : 1, rounds = 0, failed = 0;
    int timed = argc > 2 && strchr(argv[2], 's') != NULL;
    unsigned threads = argc > 3 ? (unsigned)number(argv[3], "") : 8;
    with_environment(argv);
    soak_is_blitz = dlsym(RTLD_DEFAULT, "blitz_version") != NULL;
    if (!soak_is_blitz && getenv("SOAK_BLITZ")) {
        fputs("soak: not served by Blitz\n", stderr);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0); /* output is complete even after a hang */
    for (double begin = now(); timed ? now() - begin < (double)amount : rounds < amount; rounds++)
        if (play(seed + rounds, threads)) {
            printf("soak: round %" PRIu64 " failed, %u threads\n", seed + rounds, threads);
            failed++;
        }
    printf("soak: %" PRIu64 " rounds from %" PRIu64 ", %u threads at a time: %s\n", rounds, seed, threads,
           failed ? "FAILED" : "ok");
    return failed != 0;
}
