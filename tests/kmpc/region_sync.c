// Barriers and exclusion in a team, including the forms of old compilers' code; and the guarantees of a reduction's
// calls, for each method.
#include "calls.h"

enum { ROUNDS = 200, VARIABLES = 8 };

/* ---- barriers in halves ---- */

static int before, between, after;

static void halves(int32_t *id, int32_t *num) {
    int size = omp_get_num_threads();
    (void)num;
    for (int i = 1; i <= ROUNDS; i++) {
        count_up(&before);
        if (__kmpc_barrier_master(&here, *id)) {
            CHECK_EQ(omp_get_thread_num(), 0);
            CHECK_EQ(count_read(&before), i * size);
            busy_work(1, 100);
            between++;
            CHECK_EQ(count_read(&after), (i - 1) * size);
            __kmpc_end_barrier_master(&here, *id);
        } else {
            CHECK(omp_get_thread_num() != 0);
        }
        CHECK_EQ(count_read(&between), i);
        count_up(&after);
        if (__kmpc_barrier_master_nowait(&here, *id)) {
            CHECK_EQ(omp_get_thread_num(), 0);
            CHECK_EQ(count_read(&after), i * size);
        }
        __kmpc_barrier(&here, *id);
    }
}

/* ---- copyprivate ---- */

struct list {
    int *a, *b;
};

static void copy_list(void *to, void *from) {
    *((struct list *)to)->a = *((struct list *)from)->a;
    *((struct list *)to)->b = *((struct list *)from)->b;
}

static int chosen;

static void copies(int32_t *id, int32_t *num) {
    (void)num;
    for (int i = 1; i <= ROUNDS; i++) {
        int a = -1, b = -1, did = 0;
        struct list list = {&a, &b};
        if (__kmpc_single(&here, *id)) {
            a = i, b = 2 * i, did = 1;
            count_up(&chosen);
            __kmpc_end_single(&here, *id);
        }
        __kmpc_copyprivate(&here, *id, sizeof list, &list, copy_list, did);
        CHECK(a == i && b == 2 * i);
    }
}

static void light_copies(int32_t *id, int32_t *num) {
    (void)num;
    for (int i = 1; i <= ROUNDS; i++) {
        int value = i, got;
        int mine = __kmpc_single(&here, *id);
        int *from = __kmpc_copyprivate_light(&here, *id, mine ? &value : NULL);
        got = *from;
        __kmpc_barrier(&here, *id);
        CHECK_EQ(got, i);
        CHECK(!mine || from == &value);
    }
}

/* ---- master, masked, critical ---- */

static int masters, masked, criticals;
static critical_name lock;

static void filters(int32_t *id, int32_t *num) {
    int size = omp_get_num_threads();
    for (int i = 0; i < ROUNDS; i++) {
        if (__kmpc_master(&here, *id)) {
            CHECK_EQ(*num, 0);
            count_up(&masters);
            __kmpc_end_master(&here, *id);
        }
        if (__kmpc_masked(&here, *id, i % (size + 1))) {
            CHECK_EQ(*num, i % (size + 1));
            count_up(&masked);
            __kmpc_end_masked(&here, *id);
        }
        if (i % 2)
            __kmpc_critical_with_hint(&here, *id, &lock, 0x40002u);
        else
            __kmpc_critical(&here, *id, &lock);
        criticals++;
        __kmpc_end_critical(&here, *id, &lock);
    }
}

/* ---- reductions ---- */

static long total, plain[VARIABLES];

struct parts {
    long *of[VARIABLES];
};

static void combine(void *into, void *from) {
    for (int i = 0; i < VARIABLES; i++)
        *((struct parts *)into)->of[i] += *((struct parts *)from)->of[i];
}

/* Merges as compiled code does, by the returned method. */
static void merge(int method, int count, long *const *part) {
    for (int i = 0; i < count; i++) {
        if (method == 1)
            plain[i] += *part[i];
        else if (method == 2)
            __atomic_fetch_add(&plain[i], *part[i], __ATOMIC_RELAXED);
    }
}

static void reductions(int32_t *id, int32_t *num, ident_t *at, int64_t count) {
    int size = omp_get_num_threads();
    int with_nowait = 0;
    for (int i = 1; i <= ROUNDS; i++) {
        long mine[VARIABLES];
        struct parts parts;
        for (int k = 0; k < VARIABLES; k++) {
            mine[k] = (long)(k + 1) * i;
            parts.of[k] = &mine[k];
        }
        int method;
        if (with_nowait) {
            method = __kmpc_reduce_nowait(at, *id, (int)count, sizeof parts, &parts, combine, &lock);
            merge(method, (int)count, parts.of);
            if (method == 1)
                __kmpc_end_reduce_nowait(at, *id, &lock);
            __kmpc_barrier(&here, *id);
        } else {
            method = __kmpc_reduce(at, *id, (int)count, sizeof parts, &parts, combine, &lock);
            merge(method, (int)count, parts.of);
            if (method)
                __kmpc_end_reduce(at, *id, &lock);
        }
        for (int k = 0; k < count; k++)
            CHECK_EQ(__atomic_load_n(&plain[k], __ATOMIC_RELAXED), (long)(k + 1) * i * (i + 1) / 2 * size);
        __kmpc_barrier(&here, *id);
        with_nowait = !with_nowait;
    }
    if (*num == 0) {
        for (int k = 0; k < count; k++)
            total += plain[k], plain[k] = 0;
    }
}

/* Without a barrier: threads may be in several at a time. */
static void reductions_ahead(int32_t *id, int32_t *num, ident_t *at, int64_t count) {
    (void)num;
    for (int i = 1; i <= ROUNDS; i++) {
        long mine[VARIABLES];
        struct parts parts;
        for (int k = 0; k < VARIABLES; k++) {
            mine[k] = i;
            parts.of[k] = &mine[k];
        }
        int method = __kmpc_reduce_nowait(at, *id, (int)count, sizeof parts, &parts, combine, &lock);
        merge(method, (int)count, parts.of);
        if (method == 1)
            __kmpc_end_reduce_nowait(at, *id, &lock);
    }
}

int main(void) {
    int size = omp_get_max_threads();
    omp_set_dynamic(0);
    __kmpc_fork_call(&here, 0, (microtask *)halves);
    __kmpc_fork_call(&here, 0, (microtask *)copies);
    CHECK_EQ(chosen, ROUNDS);
    __kmpc_fork_call(&here, 0, (microtask *)light_copies);
    __kmpc_fork_call(&here, 0, (microtask *)filters);
    CHECK_EQ(masters, ROUNDS);
    CHECK_EQ(criticals, ROUNDS * size);
    int want = 0;
    for (int i = 0; i < ROUNDS; i++)
        want += i % (size + 1) < size;
    CHECK_EQ(masked, want);
    for (int64_t count = 1; count <= VARIABLES; count++) {
        __kmpc_fork_call(&here, 2, (microtask *)reductions, &here, count);
        __kmpc_fork_call(&here, 2, (microtask *)reductions, &atomic_here, count);
        __kmpc_fork_call(&here, 2, (microtask *)reductions_ahead, &here, count);
        __kmpc_fork_call(&here, 2, (microtask *)reductions_ahead, &atomic_here, count);
        for (int k = 0; k < count; k++) {
            CHECK_EQ(plain[k], (long)ROUNDS * (ROUNDS + 1) * size);
            plain[k] = 0;
        }
    }
    long sum = 0;
    for (long count = 1; count <= VARIABLES; count++)
        sum += count * (count + 1) / 2;
    CHECK_EQ(total, sum * ROUNDS * (ROUNDS + 1) * size);
    __kmpc_flush(&here);
    return check_done("region_sync");
}
