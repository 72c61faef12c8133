/* __kmpc_fork_call and related functions: parallel regions, clauses that come before them, and numbers of threads. */
#include "call.h"

static void run_own(void *call, int id) {
    kmpc_call_as(call, id, 0);
}

static void run_region(struct kmpc_call *call) {
    bomp_parallel_next(kmpc_call_run, run_own, call, kmpc_call_size(call), kmpc_call_code(call));
}

BOMP_EXPORT void __kmpc_fork_call(kmpc_loc at, int32_t count, kmpc_region_fn *fn, uint64_t a, uint64_t b,
                                  uint64_t c, ...) {
    struct kmpc_call call;
    BOMP_ENTERED_FOR(fn);
    KMPC_CALL_FILL(call, "__kmpc_fork_call");
    run_region(&call);
}

/* One argument, or none. */
BOMP_EXPORT void __kmpc_fork_call_if(kmpc_loc at, int32_t count, kmpc_region_fn *fn, int32_t condition,
                                     void *argument) {
    struct kmpc_call call;
    BOMP_ENTERED_FOR(fn);
    call.fn = fn;
    call.count = 1;
    call.words[0] = (uintptr_t)argument;
    if (count < 0 || count > 1)
        bomp_bad_count("__kmpc_fork_call_if", "arguments", count, 1);
    if (condition) {
        run_region(&call);
        return;
    }
    bomp_parallel_alone_begin(kmpc_call_code(&call));
    kmpc_call_as(&call, bomp_thread_id(), 0);
    bomp_parallel_end();
}

/* The caller runs the body itself, up to __kmpc_end_serialized_parallel. */
BOMP_EXPORT void __kmpc_serialized_parallel(kmpc_loc at, int32_t id) {
    BOMP_ENTERED();
    bomp_parallel_alone_begin(__builtin_return_address(0));
}

/* ---- clauses of the next region ---- */

/* The valid numbers at the beginning of a list: the first is the region's. */
static struct bomp_threads_clause threads_of(uint32_t count, const int32_t *list) {
    uint32_t good = 0;
    while (good < count && good <= UINT16_MAX && list[good] > 0)
        good++;
    return (struct bomp_threads_clause){
        .threads = good > 0 ? (unsigned)list[0] : 0,
        .count = good > 0 ? good - 1 : 0,
        .inner = (const uint32_t *)list + 1,
    };
}

static void push_strict(const char *entry, struct bomp_threads_clause clause, int severity,
                        const char *message) {
    if (severity != KMPC_SEVERITY_WARNING && severity != KMPC_SEVERITY_FATAL)
        bomp_unknown_bits(entry, "severity", (unsigned)severity);
    clause.fewer = severity == KMPC_SEVERITY_FATAL ? BOMP_THREADS_FATAL : BOMP_THREADS_WARN;
    clause.message = message;
    bomp_next_threads_clause(&clause);
}

BOMP_EXPORT void __kmpc_push_num_threads(kmpc_loc at, int32_t id, int32_t threads) {
    bomp_next_threads(threads > 0 ? (unsigned)threads : 0);
}

BOMP_EXPORT void __kmpc_push_num_threads_strict(kmpc_loc at, int32_t id, int32_t threads, int severity,
                                                const char *message) {
    push_strict("__kmpc_push_num_threads_strict", threads_of(1, &threads), severity, message);
}

BOMP_EXPORT void __kmpc_push_num_threads_list(kmpc_loc at, int32_t id, uint32_t count, const int32_t *list) {
    struct bomp_threads_clause clause = threads_of(count, list);
    bomp_next_threads_clause(&clause);
}

BOMP_EXPORT void __kmpc_push_num_threads_list_strict(kmpc_loc at, int32_t id, uint32_t count,
                                                     const int32_t *list, int severity, const char *message) {
    push_strict("__kmpc_push_num_threads_list_strict", threads_of(count, list), severity, message);
}

BOMP_EXPORT void __kmpc_push_proc_bind(kmpc_loc at, int32_t id, int policy) {
    if (policy < KMPC_PROC_BIND_FALSE || policy > KMPC_PROC_BIND_DEFAULT)
        bomp_unknown_bits("__kmpc_push_proc_bind", "policy", (unsigned)policy);
    if (policy == KMPC_PROC_BIND_PRIMARY_BY_NAME)
        policy = KMPC_PROC_BIND_PRIMARY;
    bomp_proc_bind(policy == KMPC_PROC_BIND_DEFAULT ? KMPC_PROC_BIND_FALSE : (unsigned)policy);
}

/* Old compilers ask. */
BOMP_EXPORT int32_t __kmpc_ok_to_fork(kmpc_loc at) {
    return 1;
}
