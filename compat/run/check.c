/* check.c: --check. The loader reports where it finds each name; the program does not run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/modes.h"
#include "run/say.h"

/* The program's rows first, then by object and name. */
static const char *first_object;

static int order(const void *one, const void *other) {
    const struct run_binding *a = one, *b = other;
    int later = (strcmp(a->object, first_object) != 0) - (strcmp(b->object, first_object) != 0);
    int objects = strcmp(a->object, b->object);
    int symbols = strcmp(a->symbol, b->symbol);
    return later ? later : objects ? objects : symbols ? symbols : strcmp(a->version, b->version);
}

/* Sorts them, each once. Leaves out the calls of runtimes to each other and to themselves. */
static void put_in_order(struct run_bindings *bindings) {
    struct run_binding *list = bindings->list;
    size_t kept = 0;
    qsort(list, bindings->count, sizeof *list, order);
    for (size_t i = 0; i < bindings->count; i++)
        if ((kept == 0 || order(&list[kept - 1], &list[i]) != 0) && !run_is_runtime(list[i].object))
            list[kept++] = list[i];
    bindings->count = kept;
}

static const char *server_of(const struct run_binding *binding, const struct run_library *library) {
    if (!binding->server)
        return "none";
    return run_library_is(library, binding->server) ? "Blitz" : binding->server;
}

static char *name_of(const struct run_binding *binding) {
    return run_text("%s%s%s", binding->symbol, *binding->version ? "@" : "", binding->version);
}

/* Returns the number of functions that Blitz does not serve. */
static size_t print(const struct run_bindings *bindings, const struct run_library *library) {
    int object = 6, symbol = 8;
    size_t others = 0;
    for (size_t i = 0; i < bindings->count; i++) {
        int length = (int)strlen(run_base(bindings->list[i].object));
        object = length > object ? length : object;
        length = (int)strlen(name_of(&bindings->list[i]));
        symbol = length > symbol ? length : symbol;
    }
    printf("%-*s  %-*s  %s\n", object, "OBJECT", symbol, "FUNCTION", "SERVED BY");
    for (size_t i = 0; i < bindings->count; i++) {
        const struct run_binding *binding = &bindings->list[i];
        const char *server = server_of(binding, library);
        others += strcmp(server, "Blitz") != 0;
        printf("%-*s  %-*s  %s\n", object, run_base(binding->object), symbol, name_of(binding), server);
    }
    return others;
}

int run_check(const struct run_program *program, const struct run_library *library,
              const struct run_route *route) {
    if (program->object.kind != RUN_DYNAMIC)
        run_fail(RUN_FAILED, "%s is not a dynamically linked program", program->loaded);
    struct run_bindings bindings = run_bindings(program->loaded, route->changes, run_openmp_names);
    if (!bindings.known)
        run_fail(RUN_FAILED, "the dynamic loader lists no libraries of %s; check that it starts",
                 program->loaded);
    first_object = program->loaded;
    if (bindings.count > 0)
        put_in_order(&bindings);
    const char *later =
        route->demand != RUN_NEVER && route->changes[1][0] != '\0' && strchr(route->changes[1], '=')
            ? "; libraries loaded later are served as well, but not listed"
            : "";
    if (bindings.count == 0) {
        printf("%s and its libraries import no OpenMP function%s\n", program->loaded, later);
        return EXIT_SUCCESS;
    }
    size_t others = print(&bindings, library);
    if (others == 0)
        printf("all %zu are served by Blitz, %s%s\n", bindings.count, library->file, later);
    else
        printf("%zu of %zu are not served by Blitz, %s\n", others, bindings.count, library->file);
    return others == 0 ? EXIT_SUCCESS : RUN_DIFFERS;
}
