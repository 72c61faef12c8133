/* Common parts of these programs. Each has a table of cases, one for each construct, and runs them all: without a race,
 * or, with the argument "race", with one race in each. With "list" it prints their names. A second argument names the
 * only case to run.
 *
 * The race is in the case's own function (or in gcc's code for its constructs, which contains its name): so run.sh
 * finds which ones were reported. */
#ifndef CASES_H
#define CASES_H

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tsan_case {
    const char *name;
    void (*run)(void);
};
#define CASE(name)                                                                                           \
    { #name, name }

static bool racy;

/* Not inlined: in the racy mode its argument may also be a race. */
__attribute__((noinline, unused)) static void expect(bool right, const char *what) {
    if (!right && !racy) {
        fprintf(stderr, "wrong result: %s\n", what);
        exit(1);
    }
}
#define EXPECT(condition) expect(condition, #condition)

/* In the racy mode: waits until `count` threads have arrived, so that the accesses are on different threads. Relaxed:
 * it orders nothing, as ThreadSanitizer knows. Meetings begin at zero. */
__attribute__((unused)) static void meet(int *meeting, int count) {
    if (!racy)
        return;
    __atomic_fetch_add(meeting, 1, __ATOMIC_RELAXED);
    while (__atomic_load_n(meeting, __ATOMIC_RELAXED) < count)
        sched_yield();
}

static int run_cases(const struct tsan_case *cases, size_t count, int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    racy = strcmp(mode, "race") == 0;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(mode, "list") == 0)
            puts(cases[i].name);
        else if (argc < 3 || strcmp(argv[2], cases[i].name) == 0)
            cases[i].run();
    }
    return 0;
}
#define RUN_CASES(cases, argc, argv) run_cases(cases, sizeof cases / sizeof *cases, argc, argv)

#endif
