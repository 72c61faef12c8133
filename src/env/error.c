/* See error.h. vsnprintf allocates nothing for the formats that error.h allows.
 *
 * Pairing table
 *   E1 bz_error_prefix publishes the prefix   E2 begin reads it   the bytes of the string */
#include "env/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "os/os.h"

#define SHOWN_VALUE_MAX 200 /* bytes of a bad value in a message */

/* Before each message. Written by bz_error_prefix, read by any thread. */
static struct { const char *v; } error_prefix = {"blitz: "};

/* Suppresses messages that are not fatal. Written by bz_error_quiet, read by any thread. */
static struct bz_aflag error_quiet;

/* The thread that ends the process: process number * 2^32 + thread number; 0: none. Written by the first such thread, read
 * by later ones. A forked child may inherit the number of another process. */
static struct bz_a64 fatal_owner;

void bz_error_prefix(const char *prefix) {
    bz_store_release(&error_prefix, prefix); /* E1: pairs with E2 */
}

void bz_error_quiet(bool quiet) {
    bz_store_relaxed(&error_quiet, quiet); /* relaxed: a flag alone */
}

/* Resumes a partial write (a full pipe, a signal). */
void bz_error_write(const char *line, size_t size) {
    int held = bz_os_cancel_hold();
    while (size > 0) {
        ssize_t done = write(STDERR_FILENO, line, size);
        if (done < 0 && errno != EINTR)
            break;
        line += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0;
    }
    bz_os_cancel_allow(held);
}

/* An unfinished message: text[0, used), with a byte left for the newline. */
struct message {
    char text[BZ_MESSAGE_MAX];
    size_t used;
};

__attribute__((format(printf, 2, 0))) static void append(struct message *m, const char *format,
                                                         va_list args) {
    size_t room = sizeof m->text - m->used; /* newline or terminator included */
    int want = vsnprintf(m->text + m->used, room, format, args);
    if (want < 0)
        return;
    if ((size_t)want < room) {
        m->used += (size_t)want;
        return;
    }
    m->used = sizeof m->text - 1;
    memcpy(m->text + m->used - 3, "...", 3);
}

__attribute__((format(printf, 2, 3))) static void append_text(struct message *m, const char *format, ...) {
    va_list args;
    va_start(args, format);
    append(m, format, args);
    va_end(args);
}

/* Replaces control characters, and writes the line. */
static void finish(struct message *m) {
    for (size_t i = 0; i < m->used; i++) {
        unsigned char c = (unsigned char)m->text[i];
        if (c < ' ' || c == 0x7f)
            m->text[i] = '?';
    }
    m->text[m->used] = '\n';
    bz_error_write(m->text, m->used + 1);
}

/* A message that begins with the name, if any, and its value. */
__attribute__((format(printf, 3, 0))) static void give(const char *name, const char *value,
                                                       const char *format, va_list args) {
    struct message m = {.used = 0};
    append_text(&m, "%s", bz_load_acquire(&error_prefix)); /* E2: pairs with E1 */
    if (name)
        append_text(&m, "%s=%.*s%s: ", name, SHOWN_VALUE_MAX, value,
                    strlen(value) > SHOWN_VALUE_MAX ? "..." : "");
    append(&m, format, args);
    finish(&m);
}

void bz_warn_value(const char *name, const char *value, const char *format, ...) {
    BZ_KEEP_ERRNO;
    va_list args;
    if (bz_load_relaxed(&error_quiet)) /* relaxed: a flag alone */
        return;
    va_start(args, format);
    give(name, value, format, args);
    va_end(args);
}

/* Returns in the first thread that ends this process, and again in that thread; other threads stop here. True: again. */
static bool own_the_end(void) {
    uint64_t process = (uint64_t)getpid() << 32;
    uint64_t me = process | bz_os_thread_id();
    uint64_t owner = bz_load_relaxed(&fatal_owner); /* relaxed: a number alone */
    while (owner >> 32 != process >> 32)
        if (bz_cas_relaxed(&fatal_owner, &owner, me))
            return false;
    while (owner != me)
        (void)pause();
    return true;
}

void bz_fatal(const char *format, ...) {
    (void)bz_os_cancel_hold(); /* the process ends */
    bool again = own_the_end();
    va_list args;
    va_start(args, format);
    give(NULL, NULL, format, args);
    va_end(args);
    if (again)
        _exit(EXIT_FAILURE);
    exit(EXIT_FAILURE);
}

void bz_misuse(const char *verb, const char *what, const void *object, const char *rule, ...) {
    (void)own_the_end();
    struct message m = {.used = 0};
    append_text(&m, "%s%s: %s %p: ", bz_load_acquire(&error_prefix), verb, what,
                object); /* E2: pairs with E1 */
    va_list args;
    va_start(args, rule);
    append(&m, rule, args);
    va_end(args);
    finish(&m);
    abort();
}
