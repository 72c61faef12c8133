/* GOMP_reduction_start and _end, GOMP_taskgroup_reduction_*, GOMP_task_reduction_remap,
 * GOMP_workshare_task_reduction_unregister, and GOMP_parallel_reductions. */
#include "reduction.h"

#include "region.h"

/* Around the merging of a thread's copies, by all threads of the team. A combiner of the program may need the lock that
 * stands for atomic instructions. */
BOMP_EXPORT void GOMP_reduction_start(void) {
    const struct bomp_merge alone = {.combine = NULL};
    BOMP_NOTIFY_HERE(bomp_tool_reduction(true));
    (void)bomp_merge_choose(&alone);
}

static struct bomp_reduction_item item_of(const void *arg, size_t index) {
    const uintptr_t *item = (const uintptr_t *)arg + RED_FIRST_ITEM + 3 * index;
    return (struct bomp_reduction_item){.original = (void *)item[0], .offset = item[1]};
}

static struct bomp_reduction *make_one(const uintptr_t *descriptor, unsigned threads,
                                       struct bomp_reduction *next) {
    struct bomp_reduction_spec spec = {
        .threads = threads,
        .stride = descriptor[RED_BYTES],
        .align = descriptor[RED_BASE],
        .count = descriptor[RED_ITEMS],
        .item = item_of,
        .arg = descriptor,
    };
    return bomp_reduction_new(&spec, next);
}

/* Reductions are in the order of their descriptors. */
static struct bomp_reduction *make_all(void *first, unsigned threads) {
    const uintptr_t *descriptor = first;
    void *next = (void *)descriptor[RED_NEXT];
    return make_one(descriptor, threads, next ? make_all(next, threads) : NULL);
}

static void publish(uintptr_t *descriptor, struct bomp_reduction *reduction) {
    descriptor[RED_OURS] = (uintptr_t)reduction;
    for (; reduction; reduction = bomp_reduction_next(reduction)) {
        descriptor[RED_BASE] = (uintptr_t)bomp_reduction_base(reduction);
        descriptor = (uintptr_t *)descriptor[RED_NEXT];
    }
}

/* Makes the copies for `threads` (0: those of the current team) and tells the compiled code where they are. */
static struct bomp_reduction *make(void *descriptor, unsigned threads) {
    struct bomp_reduction *reduction = make_all(descriptor, threads);
    publish(descriptor, reduction);
    return reduction;
}

void gomp_reduction_register(uintptr_t *descriptor) {
    (void)bomp_reduction_register(make(descriptor, 0));
}

void gomp_reduction_start(uintptr_t *descriptor) {
    publish(descriptor, bomp_construct_reduction_start(make_all, descriptor));
}

BOMP_EXPORT void GOMP_taskgroup_reduction_register(uintptr_t *data) {
    gomp_reduction_register(data);
}

BOMP_EXPORT void GOMP_taskgroup_reduction_unregister(uintptr_t *data) {
    bomp_reduction_release((struct bomp_reduction *)data[RED_OURS]);
}

/* ptrs: what the task knows of its variables, originals or copies of any thread; out: the thread's own copies, and behind
 * them the originals of the first cntorig. */
BOMP_EXPORT void GOMP_task_reduction_remap(size_t cnt, size_t cntorig, void **ptrs) {
    for (size_t i = 0; i < cnt; i++)
        ptrs[i] = bomp_reduction_copy(ptrs[i], NULL, i < cntorig ? &ptrs[cnt + i] : NULL);
}

/* When the copies are merged. There is no barrier where the region was cancelled. */
BOMP_EXPORT void GOMP_workshare_task_reduction_unregister(bool cancelled) {
    bomp_construct_reduction_end();
    if (!cancelled)
        bomp_barrier();
}

/* The first word of data is the descriptor. Returns the number of threads that there are copies for; the caller merges
 * them and unregisters. */
BOMP_EXPORT unsigned GOMP_parallel_reductions(void (*fn)(void *), void *data, unsigned num_threads,
                                              unsigned flags) {
    BOMP_ENTERED();
    decode_region_flags(flags);
    return bomp_parallel_reduction(fn, data, num_threads, make, *(void **)data);
}
