/* route.c: see route.h. The library path suffices if the loader finds every OpenMP runtime by name on it. A path in the
 * program (RPATH) precedes it, renamed copies have other names, and code that is loaded late may have either: then the
 * library is preloaded as well. Child programs inherit both. */
#include "run/route.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "run/say.h"

const char *const run_openmp_names[] = {"GOMP_", "GOACC_", "omp_",  "acc_", "__kmpc_",
                                        "kmp_",  "kmpc_",  "ompc_", NULL};

/* Names with acc_ and kmp_ may belong to other libraries. */
static const char *const asking[] = {"GOMP_", "GOACC_", "omp_", "__kmpc_", NULL};
/* Names of runtimes that tools which intercept calls lack. */
static const char *const serving[] = {"GOMP_offload_register ", "__kmpc_ok_to_fork ", NULL};
static const char *const libomp[] = {"__kmpc_ok_to_fork ", NULL};
static const char *const native[] = {"blitz_fork ", NULL};
/* In every program that links libblitz.a, unless its symbols were stripped. */
static const char *const linked[] = {"blitz_pool_create ", NULL};
static const char *const starting[] = {
    "dlopen ", "dlmopen ", "execve ",   "execv ",       "execvp ",       "execvpe ", "execl ", "execlp ",
    "execle ", "fexecve ", "execveat ", "posix_spawn ", "posix_spawnp ", "system ",  "popen ", NULL};
/* Libraries of every program. They may import the names above on the program's behalf. */
static const char *const system_libraries[] = {"libc.so.", "ld-linux",  "libdl.so.",    "libpthread.so.",
                                               "libm.so.", "librt.so.", "libgcc_s.so.", NULL};

/* ---- paths and lists in the environment ---- */

static const char *value_of(const char *variable) {
    const char *value = getenv(variable);
    return value ? value : "";
}

/* The list without our own entries. Empty entries stay, as they mean the current folder; the separator before a removed last
 * entry goes. */
static char *without(const char *list, const char *separators, const struct run_library *library) {
    char *rest = run_text("%s", "");
    while (*list) {
        size_t length = strcspn(list, separators), next = length + (list[length] != '\0');
        char *entry = run_text("%.*s", (int)length, list);
        size_t kept = strlen(rest);
        if (!*entry || !run_library_is(library, entry))
            rest = run_text("%s%.*s", rest, (int)next, list);
        else if (next == length && kept > 1)
            rest[kept - 1] = '\0';
        list += next;
    }
    return rest;
}

enum run_serves run_serves(const struct run_object *object) {
    return run_object_has(object, serving, false)  ? RUN_SERVES
           : run_object_has(object, serving, true) ? RUN_SERVES_INSIDE
                                                   : RUN_SERVES_NOT;
}

const char *run_runtime_of(const struct run_object *object) {
    return run_object_has(object, native, false)  ? "libblitz-omp"
           : run_object_has(object, libomp, true) ? "libomp"
                                                  : "libgomp";
}

bool run_is_runtime(const char *path) {
    struct run_object object = run_object_open(path);
    bool is = run_serves(&object) == RUN_SERVES;
    run_object_close(&object);
    return is;
}

/* Whether the list preloads another runtime, which must not come before ours. Entries without a path count by name. */
static bool preloads_runtime(const char *list) {
    static const char *const names[] = {"libgomp", "libomp.", "libomp-", "libiomp5", NULL};
    while (*list) {
        size_t length = strcspn(list, ": ");
        char *entry = run_text("%.*s", (int)length, list);
        if (run_names_have(names, run_base(entry)) || (strchr(entry, '/') && run_is_runtime(entry)))
            return true;
        list += length + (list[length] != '\0');
    }
    return false;
}

static char *path_change(const struct run_library *library) {
    char *old = without(value_of("LD_LIBRARY_PATH"), ":;", library);
    return run_text("LD_LIBRARY_PATH=%s%s%s", library->folder, *old ? ":" : "", old);
}

/* Placed after the user's own preloads, such as tools that intercept calls to the runtime. */
static char *preload_change(const struct run_library *library) {
    char *old = without(value_of("LD_PRELOAD"), ": ", library);
    if (preloads_runtime(old))
        return run_text("LD_PRELOAD=%s:%s", library->file, old);
    return run_text("LD_PRELOAD=%s%s%s", old, *old ? ":" : "", library->file);
}

static char *own_change(const char *variable, const char *separators, const struct run_library *library) {
    char *old = without(value_of(variable), separators, library);
    return *old ? run_text("%s=%s", variable, old) : run_text("%s", variable);
}

/* AddressSanitizer's shared runtime ends a program if another library comes first, though it only must precede libc. The
 * user's options come last, and win. */
static char *asan_change(void) {
    static const char *const order = "verify_asan_link_order=";
    const char *old = value_of("ASAN_OPTIONS");
    return strstr(old, order) ? NULL : run_text("ASAN_OPTIONS=%s0%s%s", order, *old ? ":" : "", old);
}

/* `third` may be NULL. */
static run_changes changes(char *first, char *second, char *third) {
    run_changes list = run_take(4 * sizeof *list);
    list[0] = first;
    list[1] = second;
    list[2] = third;
    list[3] = NULL;
    return list;
}

/* ---- what is loaded ---- */

struct survey {
    bool asks;   /* needs OpenMP */
    bool others; /* loads a runtime that is not ours */
    bool starts; /* may load or start more code */
    bool native; /* has the scheduler */
};

static void survey_file(const char *path, const struct run_library *library, struct survey *survey) {
    if (run_library_is(library, path)) {
        survey->asks = true;
        return;
    }
    if (run_names_have(system_libraries, run_base(path)))
        return;
    struct run_object object = run_object_open(path);
    bool is_runtime = run_object_has(&object, serving, false);
    survey->asks |= is_runtime || run_object_imports(&object, asking);
    survey->others |= is_runtime && !run_object_has(&object, native, false);
    bool is_native = !is_runtime && run_object_has(&object, linked, true);
    survey->native |= is_native;
    survey->starts |= !is_runtime && !is_native && run_object_imports(&object, starting);
    run_object_close(&object);
}

/* With the library path, and the user's own preloads. */
static struct survey survey_of(const struct run_program *program, const struct run_library *library) {
    struct survey survey = {0};
    if (program->object.kind != RUN_DYNAMIC)
        return (struct survey){.starts = true};
    struct run_loaded loaded = run_loaded(
        program->loaded, changes(path_change(library), own_change("LD_PRELOAD", ": ", library), NULL));
    for (size_t i = 0; i < loaded.count; i++)
        survey_file(loaded.paths[i], library, &survey);
    survey.starts |= !loaded.known || loaded.missing;
    return survey;
}

void run_route_own(const struct run_program *program, struct run_route *route) {
    if (program->object.kind != RUN_DYNAMIC)
        return;
    struct run_loaded loaded = run_loaded(program->loaded, route->own);
    route->missing = loaded.missing;
    for (size_t i = 1; i < loaded.count && !route->runtime; i++) {
        struct run_object object = run_object_open(loaded.paths[i]);
        if (run_serves(&object) == RUN_SERVES)
            route->runtime = run_runtime_of(&object);
        run_object_close(&object);
    }
}

struct run_route run_route(const struct run_program *program, const struct run_library *library) {
    struct survey survey = survey_of(program, library);
    struct run_route route = {.demand = survey.asks     ? RUN_ASKS
                                        : survey.native ? RUN_NATIVE
                                        : survey.starts ? RUN_MAY_LOAD
                                                        : RUN_NEVER};
    bool preload = route.demand != RUN_NATIVE && (survey.others || survey.starts);
    char *preloaded = preload ? preload_change(library) : own_change("LD_PRELOAD", ": ", library);
    route.changes = changes(path_change(library), preloaded, preload ? asan_change() : NULL);
    route.own =
        changes(own_change("LD_LIBRARY_PATH", ":;", library), own_change("LD_PRELOAD", ": ", library), NULL);
    return route;
}
