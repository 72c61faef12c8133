/*
 * fuzz.h: the parsers of whatever comes from outside, each as a function of some bytes. libFuzzer makes up the bytes
 * (LLVMFuzzerTestOneInput); replay.c takes them from the files of corpus/.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* text ends with a null byte behind its length bytes, and has perhaps others among them. */
typedef void fuzz_fn(const char *text, size_t length);

struct fuzz_target {
    const char *name; /* of the folder of corpus/, too */
    fuzz_fn *run;
};

/* Ended by a row of zeroes. */
extern const struct fuzz_target fuzz_targets[];

/* Runs the target with a copy of the bytes, at whose end a sanitizer sees every step too far. */
void fuzz_run(const struct fuzz_target *target, const void *bytes, size_t length);

/* What the parsers promise, beyond staying within their memory. */
#define fuzz_check(condition) ((condition) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #condition))
_Noreturn void fuzz_fail(const char *file, int line, const char *condition);

#endif
