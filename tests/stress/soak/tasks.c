/* tasks.c: explicit tasks with every clause that affects when and where they run. */
#include "soak.h"

/* Plays the child in a task of its own. */
static void one_task(struct scene s, struct node c) {
    int deferred = pick(c, PICK_IF, 8) != 0, last = pick(c, PICK_FINAL, 10) == 0;
    int urgency = (int)pick(c, PICK_PRIORITY, 6) - 1; /* sometimes above the maximum, or none */
    struct scene in = s;
    in.outside = 0;
    in.final = s.final || last;
    if (urgency < 0)
        urgency = 0;
    switch (pick(c, PICK_VARIANT, 6)) {
    case 0:
#pragma omp task firstprivate(in, c) if (deferred) final(last) priority(urgency)
        solo(in, c);
        break;
    case 1:
#pragma omp task untied firstprivate(in, c) if (deferred) final(last)
        solo(in, c);
        break;
    case 2:
#pragma omp task mergeable firstprivate(in, c) if (deferred) final(last) priority(urgency)
        solo(in, c);
        break;
    case 3:
#pragma omp task untied mergeable firstprivate(in, c) if (deferred)
    {
#pragma omp taskyield
        solo(in, c);
    } break;
    default:
        in.final = s.final;
#pragma omp task firstprivate(in, c)
        solo(in, c);
    }
}

void tasks_loose(struct scene s, struct node n) {
    for (unsigned i = 0; i < node_count(n); i++)
        one_task(s, node_child(n, i));
    if (pick(n, PICK_END, 3) == 0) {
#pragma omp taskwait
    }
}

/* Each child writes a word in its parent's frame; taskwait makes all of them visible. */
void tasks_family(struct scene s, struct node n) {
    unsigned count = node_count(n);
    uint64_t words[MOST_CHILDREN] = {0};
    struct scene in = s;
    in.outside = 0;
    for (unsigned i = 0; i < count; i++) {
        struct node c = node_child(n, i);
        uint64_t *word = &words[i];
#pragma omp task firstprivate(in, c, word) if (pick(c, PICK_IF, 8) != 0)
        {
            solo(in, c);
            *word = node_value(c);
        }
        if (pick(c, PICK_END, 40) == 0) {
#pragma omp taskwait
            for (unsigned j = 0; j <= i; j++)
                soak_check(words[j] == node_value(node_child(n, j)), n);
        }
    }
#pragma omp taskwait
    for (unsigned i = 0; i < count; i++)
        soak_check(words[i] == node_value(node_child(n, i)), n);
}

static void group(struct scene s, struct node n) {
#pragma omp taskgroup
    {
        for (unsigned i = 0; i < node_count(n); i++)
            one_task(s, node_child(n, i));
    }
}

/* At the end of the group everything below it is complete, including grandchildren. */
void tasks_group(struct scene s, struct node n) {
    scene_within(s, n, "taskgroup", group);
}

/* Firstprivate copies of random size: a task sees the values from its creation. */
void tasks_payload(struct scene s, struct node n) {
    struct scene in = s;
    in.outside = 0;
    for (unsigned i = 0; i < node_count(n); i++) {
        struct node c = node_child(n, i);
        unsigned size = 1 + pick(c, PICK_SIZE, pick(c, PICK_SIZE, 4) == 0 ? 4000 : 100);
#ifdef __clang__
        unsigned char load[4096];
#else
        unsigned char load[size]; /* for a variable length gcc passes a copy function */
#endif
        for (unsigned j = 0; j < size; j++)
            load[j] = (unsigned char)(c.seed >> j % 8 * 8);
#pragma omp task firstprivate(in, c, size, load)
        {
            for (unsigned j = 0; j < size; j++)
                soak_check(load[j] == (unsigned char)(c.seed >> j % 8 * 8), c);
            solo(in, c);
        }
        load[0]++;
    }
}

/* Siblings and their creator yield to each other. */
void tasks_yielding(struct scene s, struct node n) {
    struct scene in = s;
    in.outside = 0;
    for (unsigned i = 0; i < node_count(n); i++) {
        struct node c = node_child(n, i);
        if (pick(c, PICK_VARIANT, 2)) {
#pragma omp task untied firstprivate(in, c)
            {
#pragma omp taskyield
                solo(in, c);
#pragma omp taskyield
            }
        } else {
#pragma omp task firstprivate(in, c)
            {
#pragma omp taskyield
                solo(in, c);
            }
        }
#pragma omp taskyield
    }
}

/* Only its own tasks inherit the control variables that a task sets. */
void tasks_settings(struct scene s, struct node n) {
    struct scene in = s;
    in.outside = 0;
    for (unsigned i = 0; i < node_count(n); i++) {
        struct node c = node_child(n, i);
        int threads = 1 + (int)pick(c, PICK_SIZE, 50), before = omp_get_max_threads();
#pragma omp task firstprivate(in, c, threads)
        {
            omp_set_num_threads(threads);
            omp_set_schedule(omp_sched_guided, threads);
#pragma omp task firstprivate(in, c, threads)
            {
                omp_sched_t kind;
                int chunk;
                soak_check(omp_get_max_threads() == threads, c);
                omp_get_schedule(&kind, &chunk);
                soak_check(kind == omp_sched_guided && chunk == threads, c);
                omp_set_num_threads(threads + 1);
                solo(in, c);
            }
#pragma omp taskyield
            soak_check(omp_get_max_threads() == threads, c);
        }
        soak_check(omp_get_max_threads() == before, c);
    }
}
