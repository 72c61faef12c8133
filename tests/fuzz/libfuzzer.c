/* libfuzzer.c: the entry point for libFuzzer. The variable FUZZ_TARGET names the target. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static const struct fuzz_target *target;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    const char *name = getenv("FUZZ_TARGET");
    (void)argc;
    (void)argv;
    for (target = fuzz_targets; target->name && (!name || strcmp(target->name, name) != 0); target++)
        ;
    if (!target->name) {
        fputs("FUZZ_TARGET names no target; see fuzz_targets\n", stderr);
        exit(2);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    fuzz_run(target, bytes, length);
    return 0;
}
