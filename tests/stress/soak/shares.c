/* shares.c: worksharing constructs of a team other than loops. */
#include "soak.h"

static struct scene alone(struct scene s) {
    s.outside = 0;
    return s;
}

void team_everyone(struct scene s, struct node n) {
    for (unsigned i = (unsigned)omp_get_thread_num(); i < node_count(n); i += s.team->size)
        solo(alone(s), node_child(n, i));
    if (pick(n, PICK_NOWAIT, 2)) {
#pragma omp barrier
    }
}

/* Every `step`-th child from `from` on. */
static void some(struct scene s, struct node n, unsigned from, unsigned step) {
    for (unsigned i = from; i < node_count(n); i += step)
        solo(s, node_child(n, i));
}

void team_sections(struct scene s, struct node n) {
    if (pick(n, PICK_VARIANT, 2)) {
#pragma omp sections nowait
        {
            some(s, n, 0, 3);
#pragma omp section
            some(s, n, 1, 3);
#pragma omp section
            some(s, n, 2, 3);
        }
    } else {
#pragma omp sections
        {
#pragma omp section
            some(s, n, 0, 2);
#pragma omp section
            some(s, n, 1, 2);
        }
    }
}

void team_single(struct scene s, struct node n) {
    if (pick(n, PICK_NOWAIT, 2)) {
#pragma omp single nowait
        some(s, n, 0, 1);
    } else {
#pragma omp single
        {
            for (unsigned i = 0; i < node_count(n); i++) {
                struct node c = node_child(n, i);
#pragma omp task firstprivate(s, c)
                solo(s, c);
            }
        }
    }
}

void team_copyprivate(struct scene s, struct node n) {
    uint64_t word = (uint64_t)omp_get_thread_num(), words[4] = {word, word, word, word};
#pragma omp single copyprivate(word, words)
    {
        some(s, n, 0, 1);
        word = n.seed;
        for (unsigned i = 0; i < 4; i++)
            words[i] = n.seed * (i + 1);
    }
    soak_check(word == n.seed, n);
    for (unsigned i = 0; i < 4; i++)
        soak_check(words[i] == n.seed * (i + 1), n);
}

void team_masked(struct scene s, struct node n) {
    int who = (int)pick(n, PICK_THREAD, s.team->size);
#pragma omp masked filter(who)
    some(s, n, 0, 2);
#pragma omp master
    some(s, n, 1, 2);
    if (pick(n, PICK_NOWAIT, 2)) {
#pragma omp barrier
    }
}

/* All threads create tasks, and a barrier completes them. After it, each thread sees the results. */
void team_tasks(struct scene s, struct node n) {
    uint64_t *words = NULL;
    unsigned count = node_count(n);
#pragma omp single copyprivate(words)
    {
        words = calloc(count, sizeof *words);
        if (!words)
            soak_refused("memory");
    }
    for (unsigned i = (unsigned)omp_get_thread_num(); i < count; i += s.team->size) {
        struct node c = node_child(n, i);
#pragma omp task firstprivate(s, c, words, i)
        {
            solo(s, c);
            words[i] = node_value(c);
        }
    }
#pragma omp barrier
    for (unsigned i = 0; i < count; i++)
        soak_check(words[i] == node_value(node_child(n, i)), n);
#pragma omp barrier
#pragma omp single nowait
    free(words);
}

/* A reduction over tasks of a scope: the sum of the team. */
void team_scope(struct scene s, struct node n) {
    uint64_t *sum = &s.team->sum, want = 0;
#pragma omp barrier
#pragma omp single
    *sum = 0;
#ifdef __clang__ /* clang 19 lacks this construct, and crashes over sections of pointer targets */
    for (unsigned i = (unsigned)omp_get_thread_num(); i < node_count(n); i += s.team->size) {
        struct node c = node_child(n, i);
#    pragma omp task firstprivate(s, c, sum)
        {
            solo(s, c);
            __atomic_fetch_add(sum, node_value(c), __ATOMIC_RELAXED);
        }
    }
#    pragma omp barrier
#else
#    pragma omp scope reduction(task, + : sum[:1])
    {
        for (unsigned i = (unsigned)omp_get_thread_num(); i < node_count(n); i += s.team->size) {
            struct node c = node_child(n, i);
#    pragma omp task in_reduction(+ : sum[:1]) firstprivate(s, c)
            {
                solo(s, c);
                *sum += node_value(c);
            }
        }
    }
#endif
    for (unsigned i = 0; i < node_count(n); i++)
        want += node_value(node_child(n, i));
    soak_check(*sum == want, n);
#pragma omp barrier
}
