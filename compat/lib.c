/* lib.c: what happens when libblitz-omp is loaded. A program that was linked with GCC's OpenMP has its environment and its
 * CPUs looked at now, before it can change them, as libgomp does, and the thread that runs it is bound if that is asked
 * for. One that asks for libomp alone may set its variables itself before its first call, which reads them, as libomp does.
 * So may one without either, into which we are preloaded all the same and which may load OpenMP later, or never. Nothing is
 * printed before. Threads are made when the first region needs them.
 *
 * A second OpenMP runtime in the process is no error: every entry point that our tables name resolves to us where we
 * come first, and where we do not, none of ours is called. Then there is nothing to do here, either. */
#include <dlfcn.h>
#include <string.h>

#include "acc/acc.h"
#include "omp/base/missing.h"
#include "omp/base/report.h"
#include "omp/bomp.h"
#include "omp/icv/env_kinds.h"
#include "omp/icv/icv.h"
#include "omp/task/hidden_helper.h"
#include "omp/team/affinity.h"
#include "omp/team/caller.h"
#include "omp/tool/hooks.h"
#include "runtime.h"

/* The program or one of its libraries: what is loaded as an OpenMP runtime, under whichever name, asks for none. */
static bool is_linked_by_gcc(void) {
    static const char *const libraries[] = {"libgomp", "libblitz-omp", NULL};
    static const char *const versions[] = {"GOMP_", "OMP_", "GOACC_", "OACC_", NULL};
    static const char *const functions[] = {"GOMP_", "GOACC_", NULL};
    static const struct bz_links links = {libraries, versions, functions};
    return bz_os_is_linked(&links);
}

/* Whether calls come to us, and not to another runtime that is loaded before us. All have the function, and hardly a program
 * takes its address: where one that is not position-independent does, dlsym() finds a place in the program. */
static bool is_serving(void) {
    return dlsym(RTLD_DEFAULT, "omp_in_final") == (void *)(uintptr_t)bomp_in_final;
}

/* Whether the program asks for OpenMP, and we serve it. Written while it is loaded. */
static bool is_ours;

/* A report that is asked for begins with the first use of OpenMP. Without one the user hears that there is none. */
static void say_no_report(const char *variable) {
    const char *value = bz_os_getenv(variable);
    bool asked = value && strchr(value, '.'); /* for a file */
    if (value)
        (void)bz_parse_bool(value, &asked);
    if (asked)
        bz_warn_value(variable, value, "the program has used no OpenMP; no report is written");
}

__attribute__((destructor)) static void unload(void) {
    if (!is_ours || !bomp_tool_is_unused())
        return;
    say_no_report("BLITZ_STATS");
    say_no_report("BLITZ_TRACE");
}

__attribute__((constructor)) static void load(void) {
    bz_host_register_main();
    bool by_gcc = is_linked_by_gcc(), by_llvm = bomp_llvm_is_asked();
    if ((!by_gcc && !by_llvm) || !is_serving())
        return;
    is_ours = true;
    bz_tools_come_from(bomp_tool_hooks);
    bz_error_prefix(BOMP_MESSAGE_PREFIX);
    bomp_missing_check();
    if (by_gcc)
        (void)bomp_icv_initial();
    bz_thread_number_keep(); /* bomp_thread_id of this thread is 0 */
    if (by_llvm)
        bomp_hidden_helpers_reserve();
    if (by_gcc) {
        bomp_affinity_load();
        bacc_load();
    } else {
        bomp_affinity_load_later();
    }
}
