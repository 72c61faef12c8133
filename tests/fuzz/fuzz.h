/*
 * fuzz.h: the parsers of outside input, each as a function of some bytes. libFuzzer generates the bytes
 * (LLVMFuzzerTestOneInput); replay.c reads them from the files of corpus/.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* A null byte follows the length bytes of text, which may contain others. */
typedef void fuzz_fn(const char *text, size_t length);

struct fuzz_target {
    const char *name; /* also of the folder in corpus/ */
    fuzz_fn *run;
};

/* Ended by a row of zeroes. */
extern const struct fuzz_target fuzz_targets[];

/* Runs the target with a copy of the bytes; a sanitizer detects each access beyond its end. */
void fuzz_run(const struct fuzz_target *target, const void *bytes, size_t length);

/* Guarantees of the parsers, besides staying within their memory. */
#define fuzz_check(condition) ((condition) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #condition))
_Noreturn void fuzz_fail(const char *file, int line, const char *condition);

#endif
