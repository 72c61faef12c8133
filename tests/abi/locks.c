/*
 * locks LIBRARY: the lock functions of both versions, C and Fortran, keep to the bytes that programs give them: 4 for a
 * plain lock; 16 for a nestable one of GCC since OpenMP 3.0, 8 for all others. Ours also serve LLVM, so they take 8.
 * LIBRARY may also be libgomp itself.
 */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define GUARD 0xa5

/* A lock with room to detect writes beyond it. */
struct guarded {
    unsigned char before[16];
    _Alignas(16) unsigned char lock[16];
    unsigned char after[16];
};

typedef void lock_function(void *);
typedef int test_function(void *);

static void *library;
static int failures;

static void expect(int condition, const char *what, const char *name, const char *version) {
    if (!condition) {
        printf("%s@%s: %s\n", name, version, what);
        failures++;
    }
}

/* The function "omp_VERB_KIND" with Fortran's underscore or without, of that version. */
static void *find(const char *verb, const char *kind, const char *underscore, const char *version) {
    char name[64];
    snprintf(name, sizeof name, "omp_%s_%s%s", verb, kind, underscore);
    void *function = dlvsym(library, name, version);
    expect(function != NULL, "not exported", name, version);
    return function;
}

static int intact(const struct guarded *g, size_t size) {
    for (size_t i = 0; i < 16; i++) {
        if (g->before[i] != GUARD || g->after[i] != GUARD || (i >= size && g->lock[i] != GUARD)) {
            return 0;
        }
    }
    return 1;
}

/* One set of functions on a lock of `size` bytes; `depth` is what a second test of a held lock returns. */
static void check(const char *kind, const char *underscore, const char *version, size_t size, int depth) {
    lock_function *init = (lock_function *)(uintptr_t)find("init", kind, underscore, version);
    lock_function *destroy = (lock_function *)(uintptr_t)find("destroy", kind, underscore, version);
    lock_function *set = (lock_function *)(uintptr_t)find("set", kind, underscore, version);
    lock_function *unset = (lock_function *)(uintptr_t)find("unset", kind, underscore, version);
    test_function *test = (test_function *)(uintptr_t)find("test", kind, underscore, version);
    if (init == NULL || destroy == NULL || set == NULL || unset == NULL || test == NULL) {
        return;
    }
    struct guarded g;
    memset(&g, GUARD, sizeof g);
    init(g.lock);
    expect(test(g.lock) == 1, "a new lock is not free", kind, version);
    expect(test(g.lock) == depth, "a held lock tests wrong", kind, version);
    for (int held = depth > 0 ? 2 : 1; held > 0; held--) {
        unset(g.lock);
    }
    set(g.lock);
    expect(test(g.lock) == depth, "a set lock tests wrong", kind, version);
    for (int held = depth > 0 ? 2 : 1; held > 0; held--) {
        unset(g.lock);
    }
    expect(test(g.lock) == 1, "an unset lock is not free", kind, version);
    unset(g.lock);
    expect(intact(&g, size), "writes beyond the lock", kind, version);
    destroy(g.lock);
    expect(intact(&g, size), "writes beyond the lock when it is destroyed", kind, version);
}

int main(int argc, char **argv) {
    library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (library == NULL) {
        printf("usage: locks LIBRARY; %s\n", argc == 2 ? dlerror() : "");
        return 2;
    }
    check("lock", "", "OMP_3.0", 4, 0);
    check("lock", "_", "OMP_3.0", 4, 0);
    check("lock", "", "OMP_1.0", 4, 0);
    check("lock", "_", "OMP_1.0", 4, 0);
    int has_llvm = dlvsym(library, "omp_init_nest_lock", "VERSION") != NULL;
    check("nest_lock", "", "OMP_3.0", has_llvm ? 8 : 16, 2);
    check("nest_lock", "_", "OMP_3.0", 8, 2);
    check("nest_lock", "", "OMP_1.0", 8, 2);
    check("nest_lock", "_", "OMP_1.0", 8, 2);
    if (has_llvm) {
        check("lock", "", "VERSION", 4, 0);
        check("lock", "_", "VERSION", 4, 0);
        check("nest_lock", "", "VERSION", 8, 2);
        check("nest_lock", "_", "VERSION", 8, 2);
    }
    return failures > 0;
}
