/* error.c: see error.h. vsnprintf allocates nothing for the formats allowed there.
 *
 * Pairing table
 *   E1 bz_error_prefix publishes the prefix   E2 begin reads it   the bytes of the string */
#include "env/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "os/os.h"

#define SHOWN_VALUE_MAX 200 /* bytes of a bad value that are repeated to the user */

/* What stands before every message. Written by bz_error_prefix, read by whoever gives a message. */
static struct { const char *v; } error_prefix = {"blitz: "};

/* Whether messages are left out that end nothing. Written by bz_error_quiet, read by whoever would give one. */
static struct bz_aflag error_quiet;

/* Who ends the process by bz_fatal: process number * 2^32 + thread number, 0 for nobody. Written by the first thread
 * of a process to get there; read by all that follow. A forked child may inherit the number of another process. */
static struct bz_a64 fatal_owner;

void bz_error_prefix(const char *prefix) {
    bz_store_release(&error_prefix, prefix); /* E1: pairs with E2 */
}

void bz_error_quiet(bool quiet) {
    bz_store_relaxed(&error_quiet, quiet); /* relaxed: nothing else hangs on it */
}

/* Put all of the line out; a write cut short (a full pipe, a signal) goes on where it stopped. */
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

/* A message line in the making: text[0, used), with a byte kept for the newline. */
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

/* Make it one line whatever the user's strings hold, and give it out. */
static void finish(struct message *m) {
    for (size_t i = 0; i < m->used; i++) {
        unsigned char c = (unsigned char)m->text[i];
        if (c < ' ' || c == 0x7f)
            m->text[i] = '?';
    }
    m->text[m->used] = '\n';
    bz_error_write(m->text, m->used + 1);
}

/* With a name, the value that it has comes first. */
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
    int saved = errno;
    va_list args;
    if (bz_load_relaxed(&error_quiet)) /* relaxed: as its store */
        return;
    va_start(args, format);
    give(name, value, format, args);
    va_end(args);
    errno = saved;
}

/* Become the thread that ends this process. Returns at once in the first thread to ask and, with *again, in that
 * thread asking once more; never in any other, which must not run on beside a process that is being taken down. */
static void own_the_end(bool *again) {
    uint64_t process = (uint64_t)getpid() << 32;
    uint64_t me = process | bz_os_thread_id();
    uint64_t owner = bz_load_relaxed(&fatal_owner); /* relaxed: only the number counts, no data hangs on it */
    while (owner >> 32 != process >> 32) {
        if (bz_cas_relaxed(&fatal_owner, &owner, me)) {
            *again = false;
            return;
        }
    }
    while (owner != me)
        (void)pause();
    *again = true;
}

void bz_fatal(const char *format, ...) {
    bool again;
    (void)bz_os_cancel_hold(); /* for good: it ends the process */
    own_the_end(&again);
    va_list args;
    va_start(args, format);
    give(NULL, NULL, format, args);
    va_end(args);
    if (again)
        _exit(EXIT_FAILURE);
    exit(EXIT_FAILURE);
}

void bz_misuse(const char *verb, const char *what, const void *object, const char *rule, ...) {
    bool again;
    own_the_end(&again);
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

void bz_assert_fail(const char *file, int line, const char *condition) {
    bz_error_quiet(false);
    bz_warn("%s:%d: assertion failed: %s", file, line, condition);
    abort();
}
