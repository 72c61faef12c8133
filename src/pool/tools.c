#include "pool/tools.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "base/hooks.h"
#include "env/error.h"
#include "env/options.h"
#include "os/files.h"
#include "os/objects.h"
#include "os/os.h"
#include "os/topology.h"
#include "pool/pool.h"
#include "sched/worker.h"

/* Written before the first pool. */
static const struct bz_hooks *(*layer)(void);

/* Each tool reads its own variable. Empty values and those that mean no do not count. */
bool bz_tools_are_asked(struct bz_tools_request *request) {
    static const char *const variables[] = {"BLITZ_STATS", "BLITZ_TRACE", "BLITZ_WATCHDOG"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = bz_os_getenv(variables[i]);
        bool asks = value && *value;
        if (asks)
            (void)bz_parse_bool(value, &asks);
        *request = (struct bz_tools_request){variables[i], value};
        if (asks)
            return true;
    }
    return false;
}

/* In the runtime's folder, or in its subfolder blitz; else where the loader searches. NULL: out of memory. */
static char *find(const char *runtime) {
    static const char *const below[] = {"", "blitz/"};
    const char *slash = strrchr(runtime, '/');
    for (int i = 0; slash && i < 2; i++) {
        char *path = bz_os_format("%.*s%s" BZ_TOOLS_FILE, (int)(slash + 1 - runtime), runtime, below[i]);
        if (!path || access(path, R_OK) == 0)
            return path;
        bz_free(path);
    }
    return bz_os_format("%s", BZ_TOOLS_FILE);
}

/* NULL: *why is the reason. Looks dlopen up, since a fully static program has no loader and linkers would warn. */
static void *function_in(const char *path, const char *function, const char **why) {
    void *(*open)(const char *path, int flags);
    *(void **)&open = dlsym(RTLD_DEFAULT, "dlopen");
    *why = !path ? "out of memory" : "the program is linked statically";
    void *library = path && open ? open(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    void *found = library ? dlsym(library, function) : NULL;
    if (!found && path && open)
        *why = dlerror();
    return found;
}

void *bz_tools_load(const struct bz_tools_request *request, const char *function) {
    if (bz_os_is_loaded_too(BZ_TOOLS_FILE, NULL)) {
        bz_warn_value(request->variable, request->value,
                      "another runtime in the process uses " BZ_TOOLS_FILE "; no tool runs for this one");
        return NULL;
    }
    char *runtime = bz_os_mapped_file((void *)(uintptr_t)bz_tools_load);
    char *path = find(runtime ? runtime : "");
    const char *why;
    void *found = function_in(path, function, &why);
    if (!found)
        bz_warn_value(request->variable, request->value, "%s (the runtime is %s); no tool runs", why,
                      runtime ? runtime : "not known");
    bz_free(path);
    bz_free(runtime);
    return found;
}

void bz_tools_refuse(const struct bz_tools_request *request, const char *other, const char *own) {
    bz_warn_value(request->variable, request->value,
                  BZ_TOOLS_FILE " belongs to %s and not to %s; no tool runs", other, own);
}

static const void *worker(void) {
    return bz_self && bz_self->domain->start ? bz_self : NULL;
}

const struct bz_hooks_host *bz_tools_host(void) {
    static const struct bz_hooks_host host = {BZ_HOOKS_VERSION, "blitz: ", bz_topology_default_workers,
                                              bz_stats_each_pool, worker};
    return &host;
}

void bz_tools_watch(void) {
    struct bz_tools_request request;
    const char *other = NULL;
    if (!bz_tools_are_asked(&request))
        return;
    if (layer) {
        bz_hooks = layer();
        return;
    }
    bz_hooks_start_t start;
    *(void **)&start = bz_tools_load(&request, BZ_HOOKS_START);
    if (start)
        bz_hooks = start(bz_tools_host(), &other);
    if (other)
        bz_tools_refuse(&request, other, BZ_HOOKS_VERSION);
}

void bz_tools_come_from(const struct bz_hooks *(*start)(void)) {
    layer = start;
}
