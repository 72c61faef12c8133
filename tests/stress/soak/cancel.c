/* cancel.c: constructs that are cancelled in the middle. Timing decides what is discarded, so the children of the node
 * run outside of the construct. Work that has begun must end, and later constructs must be complete. */
#include "soak.h"

static unsigned read_count(const unsigned *count) {
    return __atomic_load_n(count, __ATOMIC_RELAXED);
}

static void add(unsigned *count) {
    __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
}

static int size_of(struct scene s, struct node n) {
    return 1 + (int)pick(n, PICK_THREAD, s.width < 8 ? s.width : 8);
}

static void children(struct scene s, struct node n) {
    for (unsigned i = 0; i < node_count(n); i++)
        solo(s, node_child(n, i));
}

void cancel_loop(struct scene s, struct node n) {
    int size = size_of(s, n), count = 10 + (int)pick(n, PICK_SIZE, 50), goal = (int)pick(n, PICK_WAY, 60);
    unsigned begun = 0, ended = 0, later = 0;
#pragma omp parallel num_threads(size)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < count; i++) {
#pragma omp cancellation point for
            add(&begun);
            if (i == goal) {
                add(&ended);
#pragma omp cancel for
                add(&begun);
            }
            add(&ended);
        }
#pragma omp for schedule(guided)
        for (int i = 0; i < count; i++)
            add(&later);
    }
    soak_check(begun == ended, n);
    soak_check(later == (unsigned)count, n);
    soak_check(begun <= (unsigned)count + 1, n);
    children(s, n);
}

void cancel_sections(struct scene s, struct node n) {
    int size = size_of(s, n);
    unsigned first = 0, others = 0, later = 0;
#pragma omp parallel num_threads(size)
    {
#pragma omp sections
        {
            {
                add(&first);
#pragma omp cancel sections
                add(&others);
            }
#pragma omp section
            add(&others);
#pragma omp section
            {
#pragma omp cancellation point sections
                add(&others);
            }
        }
#pragma omp single
        later++;
    }
    soak_check(first == 1 && later == 1, n);
    soak_check(omp_get_cancellation() ? others <= 2 : others == 3, n);
    children(s, n);
}

/* One thread cancels. The others notice at the latest in the barrier, where they would otherwise wait forever. */
void cancel_region(struct scene s, struct node n) {
    int size = size_of(s, n), who = (int)pick(n, PICK_WAY, (unsigned)size),
        tasks = (int)pick(n, PICK_SIZE, 20);
    unsigned begun = 0, ended = 0, past = 0;
#pragma omp parallel num_threads(size)
    {
        for (int i = 0; i < tasks; i++) {
#pragma omp task
            {
                add(&begun);
#pragma omp task
                {
                    add(&begun);
                    add(&ended);
                }
#pragma omp taskwait
                add(&ended);
            }
        }
        if (omp_get_thread_num() == who) {
#pragma omp cancel parallel
        }
#pragma omp barrier
        add(&past);
    }
    soak_check(begun == ended, n);
    soak_check(past == (omp_get_cancellation() ? 0 : (unsigned)size), n);
    if (!omp_get_cancellation())
        soak_check(begun == 2u * (unsigned)(tasks * size), n);
    children(s, n);
}

/* Tasks of the cancelled group, of a group inside it, and of the group around it. */
void cancel_group(struct scene s, struct node n) {
    unsigned begun = 0, ended = 0, around = 0;
    unsigned count = 5 + pick(n, PICK_SIZE, 40), goal = pick(n, PICK_WAY, 40);
#pragma omp taskgroup
    {
#pragma omp task shared(around)
        add(&around);
#pragma omp taskgroup
        {
            for (unsigned i = 0; i < count; i++) {
#pragma omp task shared(begun, ended) depend(out : begun) if (i % 7 != 0)
                {
                    add(&begun);
                    add(&ended);
                    if (i == goal) {
#pragma omp cancel taskgroup
                    }
                }
#pragma omp task shared(begun, ended)
                {
                    add(&begun);
#pragma omp taskgroup
                    {
#pragma omp task shared(begun, ended)
                        {
                            add(&begun);
                            add(&ended);
                        }
                    }
                    add(&ended);
                }
            }
        }
        soak_check(read_count(&begun) == read_count(&ended), n);
#pragma omp task shared(around)
        add(&around);
    }
    soak_check(around == 2, n);
    if (goal >= count)
        soak_check(begun == 3 * count, n);
    children(s, n);
}
