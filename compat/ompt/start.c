/* Finding the tools, when the program first uses OpenMP, and finalising them, when it ends. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "omp/icv/icv.h"
#include "omp/tool/hooks.h"
#include "ompt/blitz-tools.h"
#include "ompt/notify.h"
#include "ompt/ompt.h"

/* The version of OpenMP whose interface this is: 5.2. */
#define OPENMP 202111u

typedef ompt_start_tool_result_t *start_fn(unsigned omp_version, const char *runtime_version);

/* How long another thread's first use waits for a tool that initialises, and an exit for threads that end. */
#define WAIT_NS UINT64_C(1000000000)

/* ---- the program's tool ---- */

#define START "ompt_start_tool"

static start_fn *function_at(void *address) {
    start_fn *function;
    memcpy(&function, &address, sizeof function);
    return function;
}

static ompt_start_tool_result_t *start_from(void *library, const char *name) {
    ompt_say("Searching for ompt_start_tool in %s... ", name);
    start_fn *function = function_at(dlsym(library, START));
    ompt_start_tool_result_t *tool = function ? function(OPENMP, BLITZ_TOOLS_RUNTIME) : NULL;
    if (!function)
        ompt_say("Failed: %s\n", dlerror());
    else if (tool)
        ompt_say("Success.\n");
    else
        ompt_say("Found but not using the OMPT interface.\nContinuing search...\n");
    return tool;
}

static ompt_start_tool_result_t *start_library(const char *name) {
    ompt_say("Opening %s... ", name);
    void *library = dlopen(name, RTLD_LAZY);
    if (!library) {
        ompt_say("Failed: %s\n", dlerror());
        return NULL;
    }
    ompt_say("Success.\n");
    ompt_start_tool_result_t *tool = start_from(library, name);
    if (!tool)
        (void)dlclose(library);
    return tool;
}

static ompt_start_tool_result_t *search_libraries(void) {
    const char *list = bz_os_getenv("OMP_TOOL_LIBRARIES");
    ompt_start_tool_result_t *tool = NULL;
    if (list) {
        ompt_say("Searching tool libraries...\nOMP_TOOL_LIBRARIES = %s\n", list);
        char *names = bz_os_format("%s", list), *rest = names;
        if (!names)
            bomp_no_memory("the list of tools");
        while (rest && !tool) {
            const char *name = strsep(&rest, ":");
            tool = *name ? start_library(name) : NULL;
        }
        bz_free(names);
    } else {
        ompt_say("No OMP_TOOL_LIBRARIES defined.\n");
    }
    if (!tool)
        ompt_say("...searching tool libraries failed.\n");
    return tool;
}

/* Not by dlsym: that waits for a thread that loads a library, and so for its constructors, which may wait for this
 * thread. Runtimes of OpenMP may have such a function, which is for themselves. */
static ompt_start_tool_result_t *search_program(void) {
    static const char *const runtimes[] = {"GOMP_parallel", "__kmpc_fork_call", NULL};
    ompt_say("Search for OMP tool in current address space... ");
    start_fn *function = function_at(bz_os_defined_by_any(START, runtimes));
    ompt_start_tool_result_t *tool = function ? function(OPENMP, BLITZ_TOOLS_RUNTIME) : NULL;
    ompt_say(tool ? "Success.\n" : "Failed.\n");
    return tool;
}

static ompt_start_tool_result_t *search_for_program(void) {
    ompt_start_tool_result_t *tool = NULL;
    ompt_verbose_open();
    if (!bomp_global()->no_tool && !(tool = search_program()))
        tool = search_libraries();
    if (tool)
        ompt_say("Tool was started and is using the OMPT interface.\n");
    else
        ompt_say(bomp_global()->no_tool ? "OMP tool disabled.\n" : "No OMP tool loaded.\n");
    ompt_verbose_close();
    return tool;
}

/* ---- the library's own ---- */

static unsigned own; /* clients of the library; constant after the start */

/* Each once, even if the start begins again in the child of a fork. */
static void start_own(void) {
    static ompt_start_tool_result_t *const *rest;
    static bool loaded;
    if (!loaded) {
        loaded = true;
        rest = ompt_own_tools();
    }
    while (rest && *rest)
        own += ompt_client_add(*rest++);
}

/* ---- the end ---- */

/* Threads that are idle go, and report it. Not from within a region, whose members are busy. Those that are parked in the
 * teams of other threads stay, and are among the threads of the cache. */
static void dismiss_threads(void) {
    struct bomp_member *self = bomp_self_if_any();
    if (self && self->team->level > 0)
        return;
    if (self)
        bz_team_drop(self->worker);
    bz_thread_cache_dismiss(false);
    unsigned staying = bz_thread_cache_size();
    uint64_t end = bz_os_now_ns() + WAIT_NS;
    while (ompt_workers() > staying && bz_os_now_ns() < end)
        bz_os_yield();
}

/* The calling thread, unless it is in a region or an explicit task: these have no end then, nor has what is around
 * them. */
static void leave(void) {
    struct bomp_member *root = ompt_thread_own ? ompt_thread_own->root : NULL;
    if (!root || bomp_self_if_any() != root || root->current != &root->implicit)
        return;
    ompt_region_hooks.thread_end(root);
}

static void finalize(void) {
    dismiss_threads();
    leave();
    ompt_clients_finalize();
}

/* From a callback, perhaps, in the middle of what the thread does: its threads go on, and for the only client that there
 * is the calling one has ended. */
void ompt_finalize_early(unsigned client) {
    if (ompt_clients() == 1 && client == 0)
        leave();
    ompt_client_finalize(client);
}

/* The child of a fork: a tool of the program's does not know of it, and what it has gathered is the parent's to write. */
static void forget(void) {
    for (unsigned client = own; client < ompt_clients(); client++)
        ompt_client_forget(client);
    ompt_workers_lost(); /* or its end would wait for them */
}

/* ---- once ---- */

enum { NOT_YET, SEARCHING, DONE };
static struct bz_a32 state;
static __thread bool searches; /* this thread does: what its tools call goes on without */

static void search(void) {
    (void)bomp_icv_initial(); /* bad variables are complained of first */
    start_own();
    ompt_start_tool_result_t *tool = search_for_program();
    if (tool)
        (void)ompt_client_add(tool);
    if (ompt_clients() == 0) {
        bz_store_relaxed((struct ompt_hooks_word *)&bomp_hooks, NULL); /* relaxed: known by TS1 */
        return;
    }
    (void)atexit(finalize); /* no memory: it is never finalised */
    (void)at_quick_exit(finalize);
    (void)bz_os_at_fork(NULL, NULL, forget);
    bomp_region_extras = true;
    bz_thread_attend();
}

/* A thread that a tool has started, and waits for, must not wait for the tool. */
static void wait_for_search(void) {
    uint64_t end = bz_os_now_ns() + WAIT_NS;
    while (bz_load_acquire(&state) != DONE && /* TS1: pairs with TS2 */
           bz_os_futex_wait_until(&state.v, SEARCHING, end, 0) == 0)
        continue;
}

static BZ_COLD void first_use(void) {
    uint32_t before = NOT_YET;
    if (searches)
        return;
    if (!bz_cas_acquire(&state, &before, SEARCHING)) { /* TS1: pairs with TS2 */
        wait_for_search();
        return;
    }
    searches = true;
    search();
    searches = false;
    bz_store_release(&state, DONE); /* TS2: pairs with TS1: the tools that there are */
    bz_os_futex_wake(&state.v, INT_MAX);
    if (ompt_clients() > 0 && bomp_self_if_any()) /* one of them has made it use OpenMP */
        ompt_region_hooks.thread_begin(bomp_self_if_any());
}

/* The child of a fork may lack the thread that starts tools: the next thread then starts them. */
static void search_again(void) {
    if (bz_load_relaxed(&state) != SEARCHING || searches) /* relaxed, both: the only thread */
        return;
    forget();
    bz_store_relaxed(&state, NOT_YET);
}

__attribute__((constructor)) static void follow_forks(void) {
    (void)bz_os_at_fork(NULL, NULL, search_again);
}

bool bomp_tool_is_unused(void) {
    return bz_load_relaxed(&state) == NOT_YET; /* relaxed: nothing but the word itself hangs on it */
}

bool bomp_tool_first_use(void) {
    if (bz_unlikely(bz_load_acquire(&state) != DONE)) /* TS1: pairs with TS2 */
        first_use();
    return bz_load_acquire(&state) == DONE && bomp_hooks; /* TS1: pairs with TS2 */
}
