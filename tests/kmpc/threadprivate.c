// Threadprivate variables by the calls of flang, of clang without thread-local storage, and of icc.
#include "calls.h"

void __kmpc_threadprivate_register(ident_t *, void *, void *(*)(void *), void *(*)(void *, void *),
                                   void (*)(void *));
void __kmpc_threadprivate_register_vec(ident_t *, void *, void *(*)(void *, size_t),
                                       void *(*)(void *, void *, size_t), void (*)(void *, size_t), size_t);
void *__kmpc_threadprivate_cached(ident_t *, int32_t, void *, size_t, void ***);
void *__kmpc_threadprivate(ident_t *, int32_t, void *, size_t);

enum { ROUNDS = 50 };

static int32_t number(void) {
    return __kmpc_global_thread_num(&here);
}

/* ---- plain data ---- */

static struct { int value, unused[20]; } plain = {42, {0}};
static void **plain_cache;

static int *plain_of_caller(void) {
    int *own = __kmpc_threadprivate_cached(&here, number(), &plain, sizeof plain, &plain_cache);
    CHECK(plain_cache[number()] == own);
    CHECK(__kmpc_threadprivate(&here, number(), &plain, sizeof plain) == (void *)own);
    return own;
}

/* The initial thread has the variable itself, others a copy of its initial value; each keeps its own from region to
 * region. */
static void data_stays(void) {
    CHECK(plain_of_caller() == &plain.value);
    plain.value = 7;
    for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel
        {
            int *own = plain_of_caller(), team = omp_get_num_threads();
            int first = omp_get_thread_num() == 0 ? 7 : 42;
            CHECK((own == &plain.value) == (omp_get_thread_num() == 0));
            CHECK(round == 0 ? *own == first : *own >= first + 1 && *own <= first + round);
#pragma omp barrier
            ++*own;
            CHECK(team >= 1);
        }
    }
    CHECK_EQ(plain.value, 7 + ROUNDS);
}

/* ---- objects ---- */

static int made, vectors;

struct object {
    int value;
    char pad[60];
};

static void *make(void *object) {
#pragma omp atomic
    made++;
    ((struct object *)object)->value = 5;
    return object;
}

static struct object object = {1, {0}};
static void **object_cache;

static struct object *object_of_caller(void) {
    return __kmpc_threadprivate_cached(&here, number(), &object, sizeof object, &object_cache);
}

static void use_object(void) {
    CHECK_EQ(object_of_caller()->value, 5);
    CHECK_EQ((uintptr_t)object_of_caller() % 16, 0);
    object_of_caller()->value = 6;
}

/* Constructed at a thread's first use. */
static void objects_are_made(void) {
    int team = 1;
    __kmpc_threadprivate_register(&here, &object, make, NULL, NULL);
    CHECK(object_of_caller() == &object && object.value == 1);
#pragma omp parallel
    {
        if (omp_get_thread_num() > 0)
            use_object();
#pragma omp single
        team = omp_get_num_threads();
    }
    CHECK_EQ(made, team - 1);
}

static void *make_all(void *objects, size_t count) {
    for (size_t i = 0; i < count; i++)
        ((int *)objects)[i] = (int)i + 3;
#pragma omp atomic
    vectors++;
    return objects;
}

static int vector[4] = {9, 9, 9, 9};
static void **vector_cache;

static void vectors_are_made(void) {
    __kmpc_threadprivate_register_vec(&here, vector, make_all, NULL, NULL, 4);
#pragma omp parallel num_threads(2)
    {
        int *own = __kmpc_threadprivate_cached(&here, number(), vector, sizeof vector, &vector_cache);
        for (int i = 0; i < 4; i++)
            CHECK_EQ(own[i], omp_get_thread_num() == 0 ? 9 : i + 3);
    }
    CHECK(vectors <= 1);
}

int main(void) {
    data_stays();
    objects_are_made();
    vectors_are_made();
    printf("made %d\n", made > 0);
    return check_done("threadprivate");
}
