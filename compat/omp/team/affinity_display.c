#include "omp/team/affinity_display.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>

#include "omp/affinity/affinity_format.h"
#include "omp/bomp.h"
#include "omp/icv/icv.h"
#include "omp/sync/lock.h"
#include "omp/team/affinity.h"
#include "omp/team/caller.h"
#include "runtime.h"

/* ---- the format of the process ---- */

static uint32_t format_lock; /* an owned lock: guards the next */
static char *format_set;     /* by omp_set_affinity_format; NULL: that of the environment holds */

void bomp_affinity_format_set(const char *format, size_t length) {
    char *copy = bomp_scratch(length + 1, "an affinity format");
    memcpy(copy, format, length);
    copy[length] = '\0';
    bomp_owned_lock(&format_lock);
    char *old = format_set;
    format_set = copy;
    bomp_owned_unlock(&format_lock);
    bz_free(old);
}

static const char *initial_format(void) {
    const struct bomp_global *global = bomp_global();
    if (!global->affinity_format_given && bomp_icv_is_llvm())
        return "OMP: pid %P tid %i thread %n bound to OS proc set {%A}";
    return global->affinity_format;
}

size_t bomp_affinity_format_get(char *text, size_t size) {
    const char *initial = initial_format();
    bomp_owned_lock(&format_lock);
    const char *format = format_set ? format_set : initial;
    size_t length = strlen(format);
    if (size > 0) {
        size_t part = length < size ? length : size - 1;
        memcpy(text, format, part);
        text[part] = '\0';
    }
    bomp_owned_unlock(&format_lock);
    return length;
}

/* ---- the calling thread ---- */

/* Those that the system lets it use, which may be others than its place's. To be freed. */
static uint64_t *find_cpus(size_t words) {
    uint64_t *cpus = bz_alloc_zero(words, sizeof *cpus);
    if (!cpus)
        bz_fatal("out of memory for a set of CPUs");
    (void)bz_cpus_of_thread(cpus);
    return cpus;
}

static size_t capture(char *text, size_t size, const char *format, size_t length) {
    char host[256];
    bool as_llvm = bomp_icv_is_llvm();
    struct bomp_affinity_facts facts = {
        .team_num = bomp_team_num(),
        .num_teams = bomp_num_teams(),
        .level = bomp_level(),
        .num = bomp_thread_num(),
        .threads = bomp_num_threads(),
        .ancestor = bomp_ancestor_thread_num(bomp_level() - 1),
        .process = (int)bz_os_process_id(),
        .thread = as_llvm ? bz_os_thread_id() : bz_os_thread_handle(),
        .as_llvm = as_llvm,
        .host = host,
        .words = bz_cpus_words(),
    };
    bz_os_host_name(host, sizeof host);
    uint64_t *cpus = find_cpus(facts.words);
    facts.cpus = cpus;
    size_t written = bomp_affinity_print(text, size, format, length, &facts);
    bz_free(cpus);
    return written;
}

size_t bomp_affinity_capture(char *text, size_t size, const char *format, size_t length) {
    (void)bomp_place_assignment_of_caller(); /* perhaps this binds it */
    if (format)
        return capture(text, size, format, length);
    size_t written = 0;
    size_t room = bomp_affinity_format_get(NULL, 0) + 1;
    char *copy = bomp_scratch(room, "an affinity format");
    size_t now = bomp_affinity_format_get(copy, room); /* may be another one by now, which has room in part */
    written = capture(text, size, copy, now < room ? now : room - 1);
    bz_free(copy);
    return written;
}

void bomp_affinity_display(const char *format, size_t length) {
    size_t room = bomp_affinity_capture(NULL, 0, format, length) + 1;
    char *line = bomp_scratch(room, "a thread's affinity");
    size_t written = bomp_affinity_capture(line, room, format, length);
    written = written < room ? written : room - 1; /* the format may be another one by now */
    int held = bz_os_cancel_hold();
    int count = (int)(written < INT_MAX ? written : INT_MAX);
    struct iovec parts[2] = {{line, (size_t)count}, {(void *)(uintptr_t) "\n", 1}};
    if (bomp_icv_is_llvm()) { /* past the buffer, which malloc would have to make, and behind what is in it */
        (void)fflush(stdout);
        (void)!writev(fileno(stdout), parts, 2);
    } else {
        fprintf(stderr, "%.*s\n", count, line);
    }
    bz_os_cancel_allow(held);
    bz_free(line);
}
