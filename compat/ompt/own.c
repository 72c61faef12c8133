/* own.c: see own.h. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "ompt/own.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "omp/base/report.h"
#include "omp/icv/icv.h"
#include "ompt/blitz-tools.h"
#include "runtime.h"

/* A variable that asks for a tool, and what it says; NULL, both: none does. */
struct request {
    const char *variable, *value;
};

/* Each tool reads its own variable. Here an empty one and one that says no do not count. */
static struct request first_request(void) {
    static const char *const variables[] = {"BLITZ_STATS", "BLITZ_TRACE", "BLITZ_WATCHDOG"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = bz_os_getenv(variables[i]);
        bool asks = value && *value;
        if (asks)
            (void)bz_parse_bool(value, &asks);
        if (asks)
            return (struct request){variables[i], value};
    }
    return (struct request){NULL, NULL};
}

/* In the runtime's folder, or in the folder blitz below; else the loader's own places. NULL: no memory. */
static char *find(const char *runtime) {
    static const char *const below[] = {"", "blitz/"};
    const char *slash = strrchr(runtime, '/');
    for (int i = 0; slash && i < 2; i++) {
        char *path = bz_os_format("%.*s%s" BLITZ_TOOLS_FILE, (int)(slash + 1 - runtime), runtime, below[i]);
        if (!path || access(path, R_OK) == 0)
            return path;
        bz_free(path);
    }
    return bz_os_format("%s", BLITZ_TOOLS_FILE);
}

static blitz_tools_start_t load(const struct request *request) {
    char *runtime = bz_os_mapped_file((void *)(uintptr_t)ompt_own_tools);
    char *path = find(runtime ? runtime : "");
    blitz_tools_start_t start = NULL;
    void *library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (library)
        *(void **)&start = dlsym(library, BLITZ_TOOLS_START);
    if (!start)
        bz_warn_value(request->variable, request->value, "%s (the runtime is %s); no tool runs",
                      path ? dlerror() : "out of memory", runtime ? runtime : "not known");
    bz_free(path);
    bz_free(runtime);
    return start;
}

/* The tools have one state, so the library serves one runtime. */
ompt_start_tool_result_t *const *ompt_own_tools(void) {
    const struct blitz_tools_host host = {BLITZ_TOOLS_RUNTIME, BOMP_MESSAGE_PREFIX,
                                          bomp_global()->llvm_quiet};
    const struct request request = first_request();
    if (!request.variable)
        return NULL;
    if (bz_os_is_loaded_too(BLITZ_TOOLS_FILE, NULL)) {
        bz_warn_value(request.variable, request.value,
                      "another runtime in the process uses " BLITZ_TOOLS_FILE "; no tool runs for this one");
        return NULL;
    }
    blitz_tools_start_t start = load(&request);
    const char *other = NULL;
    ompt_start_tool_result_t *const *tools = start ? start(&host, &other) : NULL;
    if (start && !tools)
        bz_warn_value(request.variable, request.value,
                      BLITZ_TOOLS_FILE " belongs to %s and not to " BLITZ_TOOLS_RUNTIME "; no tool runs",
                      other);
    return tools;
}
