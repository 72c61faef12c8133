/* Threadprivate variables of compilers without thread-local memory; see bomp_api.h. A copy is in the array of the caller's
 * cache, by the thread's number, or in the thread's list. Threads with high numbers have only the list.
 *
 * Pairing table
 *   PV1 keep publishes an array   PV2 bomp_private sees it   its entries, those of the caller's included */
#include <pthread.h>
#include <string.h>

#include "omp/base/tuning.h"
#include "omp/bomp.h"
#include "omp/sync/lock.h"
#include "omp/task/hidden_helper.h"

#define COPY_ALIGN ((size_t)64)

/* Constant once its size is set, except for next. */
struct variable {
    const void *original;
    struct variable *next; /* of all; written under the lock */
    struct bomp_private_kind kind;
    size_t size; /* 0: no copy was asked for yet */
    void *image; /* what its copies begin as, if they are not constructed */
};

/* A thread's; its own only. */
struct copy {
    struct copy *next;
    const struct variable *variable;
    void *data;
};

/* An array of copies, by the numbers of their threads. */
struct array {
    struct array *next; /* of all, also of replaced ones; constant */
    size_t count;
    void *entries[]; /* entry i: written by thread i, under the lock, or copied from a shorter array */
};

static struct {
    uint32_t lock;              /* owned: the child of a fork uses it too */
    struct variable *variables; /* under the lock, both */
    struct array *arrays;
} all;

/* Each thread's first struct copy. Written under pthread_once, read after it. */
static pthread_key_t key;

/* ---- variables ---- */

/* Under the lock. */
static struct variable *find_or_add(const void *original) {
    struct variable *variable = all.variables;
    while (variable && variable->original != original)
        variable = variable->next;
    if (variable)
        return variable;
    variable = bz_alloc_zero(1, sizeof *variable);
    if (!variable)
        bomp_no_memory("a threadprivate variable");
    variable->original = original;
    variable->next = all.variables;
    all.variables = variable;
    return variable;
}

/* Its value is nearly always still the initial one: code that changes the variable asks before. */
static const struct variable *variable_of(const void *original, size_t size) {
    bomp_owned_lock(&all.lock);
    struct variable *variable = find_or_add(original);
    if (variable->size == 0) {
        variable->image = bomp_scratch(size, "a threadprivate variable");
        memcpy(variable->image, original, size);
        variable->size = size;
    }
    bomp_owned_unlock(&all.lock);
    return variable;
}

void bomp_private_register(const void *original, const struct bomp_private_kind *kind) {
    bomp_owned_lock(&all.lock);
    find_or_add(original)->kind = *kind;
    bomp_owned_unlock(&all.lock);
}

/* ---- copies ---- */

static void construct(const struct variable *variable, void *data) {
    const struct bomp_private_kind *kind = &variable->kind;
    if (kind->construct)
        kind->construct(data, kind->count);
    else if (kind->copy)
        kind->copy(data, (void *)(uintptr_t)variable->original, kind->count);
    else
        memcpy(data, variable->image, variable->size);
}

/* At the end of the thread; again if destructors make new copies. */
static void destroy_all(void *first) {
    struct copy *copy = first;
    while (copy) {
        struct copy *next = copy->next;
        if (copy->variable->kind.destroy)
            copy->variable->kind.destroy(copy->data, copy->variable->kind.count);
        bz_free_used(copy);
        copy = next;
    }
}

static void make_key(void) {
    if (pthread_key_create(&key, destroy_all) != 0)
        bz_fatal("no thread-specific key is left for threadprivate variables");
}

static void *new_copy(const struct variable *variable, struct copy *first) {
    struct copy *copy = bomp_scratch(sizeof *copy + COPY_ALIGN + variable->size, "a threadprivate variable");
    char *behind = (char *)(copy + 1);
    char *data = behind + (-(uintptr_t)behind & (COPY_ALIGN - 1));
    *copy = (struct copy){first, variable, data};
    construct(variable, data);
    copy->next = pthread_getspecific(key);
    (void)pthread_setspecific(key, copy);
    return data;
}

static void *own_copy(const void *original, size_t size) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, make_key);
    struct copy *first = pthread_getspecific(key);
    for (struct copy *copy = first; copy; copy = copy->next)
        if (copy->variable->original == original)
            return copy->data;
    const struct variable *variable = variable_of(original, size);
    return bomp_thread_id() == 0 ? (void *)(uintptr_t)original : new_copy(variable, first);
}

/* ---- caches ---- */

struct cache {
    void **v; /* the entries of an array, or NULL */
};

static struct array *array_of(void **entries) {
    return bz_container_of(entries, struct array, entries);
}

/* The calling thread has this number no longer. */
static void leave(int id) {
    size_t at = (size_t)id;
    bomp_owned_lock(&all.lock);
    for (struct array *array = all.arrays; array; array = array->next)
        if (at < array->count)
            array->entries[at] = NULL;
    bomp_owned_unlock(&all.lock);
}

/* Under the lock. The old array stays, as readers take no lock. */
static void grow(struct cache *cache, size_t least) {
    void **old = bz_load_relaxed(cache); /* relaxed: by the lock */
    size_t count = old ? array_of(old)->count : BOMP_PRIVATE_FIRST;
    while (count <= least)
        count *= 2;
    struct array *array = bz_alloc_zero(1, sizeof *array + count * sizeof array->entries[0]);
    if (!array)
        bomp_no_memory("a threadprivate variable");
    array->count = count;
    array->next = all.arrays;
    all.arrays = array;
    if (old)
        memcpy(array->entries, old, array_of(old)->count * sizeof *old);
    bz_store_release(cache, array->entries); /* PV1: pairs with PV2 */
}

/* Not for high numbers, which are never used again: memory for threads that have ended would grow. */
static void keep(struct cache *cache, size_t id, void *data) {
    if (id >= BOMP_PRIVATE_MOST)
        return;
    bz_store_relaxed(&bomp_hidden_helper_left, leave); /* relaxed: for this thread */
    bomp_owned_lock(&all.lock);
    void **entries = bz_load_relaxed(cache); /* relaxed: by the lock */
    if (!entries || id >= array_of(entries)->count)
        grow(cache, id);
    bz_load_relaxed(cache)[id] = data; /* relaxed: by the lock */
    bomp_owned_unlock(&all.lock);
}

void *bomp_private(const void *original, size_t size, void ***cache) {
    size_t id = (size_t)bomp_thread_id();
    void **entries = cache ? bz_load_acquire((struct cache *)cache) : NULL; /* PV2: pairs with PV1 */
    if (bz_likely(entries && id < array_of(entries)->count && entries[id]))
        return entries[id];
    void *data = own_copy(original, size);
    if (cache)
        keep((struct cache *)cache, id, data);
    return data;
}
