// Host threads also have their own threadprivate variables, which end with them.
// beyond libomp: a thread sees values of one that has ended, and copying is not allowed
#include <pthread.h>

#include "calls.h"

void __kmpc_threadprivate_register(ident_t *, void *, void *(*)(void *), void *(*)(void *, void *),
                                   void (*)(void *));
void *__kmpc_threadprivate_cached(ident_t *, int32_t, void *, size_t, void ***);

enum { THREADS = 20 };

struct object {
    int value;
    char pad[60];
};

static struct object object = {1, {0}}, another = {2, {0}};
static void **object_cache, **another_cache;
static int made, copied, ended;

static void *make(void *object) {
    made++;
    ((struct object *)object)->value = 5;
    return object;
}

static void *copy(void *object, void *original) {
    copied++;
    *(struct object *)object = *(struct object *)original;
    return object;
}

static struct object *mine(struct object *object, void ***cache) {
    return __kmpc_threadprivate_cached(&here, __kmpc_global_thread_num(&here), object, sizeof *object, cache);
}

/* Uses the other object once more. */
static void end(void *object) {
    CHECK_EQ(((struct object *)object)->value, 6);
    CHECK_EQ(mine(&another, &another_cache)->value, 2);
    ended++;
}

static void *use(void *unused) {
    (void)unused;
    CHECK_EQ(mine(&object, &object_cache)->value, 5);
    mine(&object, &object_cache)->value = 6;
    CHECK_EQ(mine(&object, &object_cache)->value, 6);
    CHECK_EQ(mine(&another, &another_cache)->value, 2);
    CHECK(mine(&another, &another_cache) != &another);
    return NULL;
}

int main(void) {
    __kmpc_threadprivate_register(&here, &object, make, NULL, end);
    __kmpc_threadprivate_register(&here, &another, NULL, copy, NULL);
    CHECK(mine(&object, &object_cache) == &object);
    for (int i = 0; i < THREADS; i++) {
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, use, NULL) == 0);
        pthread_join(thread, NULL);
    }
    CHECK_EQ(made, THREADS);
    CHECK_EQ(ended, THREADS);
    CHECK(copied >= THREADS);
    CHECK(object.value == 1 && another.value == 2);
    return check_done("threadprivate_ends");
}
