#include "omp/base/report.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <blitz.h>

#include "runtime.h"

#define INSTEAD "; use a newer libblitz-omp, or run without"
#define NEWER ": the program's compiler is newer" INSTEAD

/* The precision that prints no more than len bytes of a message. */
static int precision(size_t len) {
    return len < INT_MAX ? (int)len : INT_MAX;
}

void bomp_error_warning(const struct bomp_error_text *text) {
    char *line = bz_os_format("%s%.*s%s", text->before, precision(text->length),
                              text->message ? text->message : "", text->after);
    if (!line)
        bomp_no_memory("the message of an error directive");
    bz_error_write(line, strlen(line));
    bz_free(line);
}

void bomp_error_fatal(const struct bomp_error_text *text) {
    static struct bz_aflag said;
    (void)bz_os_cancel_hold();    /* for good: it ends the process */
    while (!bz_first_time(&said)) /* the first thread to get here ends the process */
        pause();
    bomp_error_warning(text);
    exit(EXIT_FAILURE);
}

void *bomp_scratch(size_t bytes, const char *what) {
    void *block = bz_alloc(bytes);
    if (!block)
        bomp_no_memory(what);
    return block;
}

void bomp_scratch_free(void *block) {
    bz_free_used(block);
}

void bomp_no_memory(const char *what) {
    bz_fatal("out of memory for %s", what);
}

void bomp_unknown_bits(const char *entry, const char *what, unsigned long bits) {
    bz_fatal("%s: %s 0x%lx not known to version " BZ_VERSION NEWER, entry, what, bits);
}

void bomp_bad_count(const char *entry, const char *what, long count, long most) {
    bz_fatal("%s: %ld %s; must be 0 to %ld", entry, count, what, most);
}

void bomp_too_many_iterations(const char *entry) {
    bz_fatal("%s: a loop of 2^64 iterations; the limit is one less", entry);
}

void bomp_unknown_layout(const char *what) {
    bz_fatal("%s of a layout not known to version " BZ_VERSION NEWER, what);
}

void bomp_no_function(const char *object, const char *name, const char *version) {
    bz_error_prefix(BOMP_MESSAGE_PREFIX); /* it may be the first message */
    bz_fatal("%s asks for %s%s%s, which version " BZ_VERSION " lacks" INSTEAD,
             *object ? object : "the program", name, *version ? "@" : "", version);
}

void bomp_bad_depend_object(long kind) {
    bz_warn("depend object: kind=%ld: unknown kind; using inout", kind);
}
