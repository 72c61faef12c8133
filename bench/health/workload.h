/* health: simulates the hospitals of a country, in the manner of Olden's and Barcelona's benchmarks of that name.
 * Villages form a tree; each has a hospital. In each step of time a village's inhabitants fall ill, wait for staff, are
 * examined and then recover, are treated, or are sent to the hospital one level up. A village's step follows those of
 * the villages below it, whose patients it receives in their order: the result does not depend on the order of
 * execution. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <string.h>

#include "harness.h"

enum { HEALTH_BRANCHES = 4, HEALTH_LEVELS = 6, HEALTH_INHABITANTS = 12, HEALTH_STEPS = 100 };
enum { HEALTH_EXAMINE_STEPS = 3, HEALTH_TREAT_STEPS = 10 };

/* Chances, in 1024ths: to fall ill in one step; after the examination to be sent up, and to recover at once. */
enum { HEALTH_ILL = 200, HEALTH_SENT = 200, HEALTH_RECOVERED = 600 };

struct patient {
    struct patient *next;
    unsigned steps_left, steps_waited, hospitals;
};

/* First in, first out; last points to the link for the next one. */
struct queue {
    struct patient *first, **last;
};

struct village {
    struct village *below; /* the first of HEALTH_BRANCHES; NULL: a leaf */
    int level;             /* 0 at the leaves */
    unsigned staff;        /* that is free */
    uint64_t seed;
    struct queue healthy, waiting, examined, treated, sent;
};

/* Villages, the root first, level by level, and their inhabitants. `villages` and `patients` lie in one block; `image`
 * is a copy of it from the start. */
struct health {
    struct village *villages;
    struct patient *patients;
    size_t village_count, patient_count, bytes;
    void *image;
};

static inline void queue_clear(struct queue *queue) {
    queue->first = NULL;
    queue->last = &queue->first;
}
static inline void queue_add(struct queue *queue, struct patient *patient) {
    patient->next = NULL;
    *queue->last = patient;
    queue->last = &patient->next;
}
static inline struct patient *queue_take_all(struct queue *queue) {
    struct patient *first = queue->first;
    queue_clear(queue);
    return first;
}

/* A number from 0 to 1023. */
static inline unsigned health_dice(struct village *village) {
    return (unsigned)(harness_mix(++village->seed) >> 54);
}

static inline void health_arrive(struct village *village, struct patient *patient) {
    patient->hospitals++;
    queue_add(&village->waiting, patient);
}

static inline void health_leave_examination(struct village *village, struct patient *patient) {
    unsigned dice = health_dice(village);
    if (dice < HEALTH_SENT && village->level < HEALTH_LEVELS - 1) {
        village->staff++;
        queue_add(&village->sent, patient);
    } else if (dice < HEALTH_SENT + HEALTH_RECOVERED) {
        village->staff++;
        queue_add(&village->healthy, patient);
    } else {
        patient->steps_left = HEALTH_TREAT_STEPS;
        queue_add(&village->treated, patient);
    }
}

/* One step of a village by itself. */
static inline void health_step(struct village *village) {
    struct patient *next;
    for (struct patient *patient = queue_take_all(&village->treated); patient; patient = next) {
        next = patient->next;
        if (--patient->steps_left > 0)
            queue_add(&village->treated, patient);
        else
            village->staff++, queue_add(&village->healthy, patient);
    }
    for (struct patient *patient = queue_take_all(&village->examined); patient; patient = next) {
        next = patient->next;
        if (--patient->steps_left > 0)
            queue_add(&village->examined, patient);
        else
            health_leave_examination(village, patient);
    }
    for (struct patient *patient = queue_take_all(&village->waiting); patient; patient = next) {
        next = patient->next;
        if (village->staff > 0) {
            village->staff--, patient->steps_left = HEALTH_EXAMINE_STEPS;
            queue_add(&village->examined, patient);
        } else {
            patient->steps_waited++, queue_add(&village->waiting, patient);
        }
    }
    struct patient *ill = village->healthy.first;
    if (ill && health_dice(village) < HEALTH_ILL) {
        village->healthy.first = ill->next;
        if (!ill->next)
            village->healthy.last = &village->healthy.first;
        health_arrive(village, ill);
    }
}

/* After the step of the villages below: the patients that they sent arrive. */
static inline void health_receive(struct village *village) {
    struct patient *next;
    for (int i = 0; village->below && i < HEALTH_BRANCHES; i++)
        for (struct patient *patient = queue_take_all(&village->below[i].sent); patient; patient = next) {
            next = patient->next;
            health_arrive(village, patient);
        }
}

static inline void health_serial(struct village *village) {
    for (int i = 0; village->below && i < HEALTH_BRANCHES; i++)
        health_serial(&village->below[i]);
    health_step(village);
    health_receive(village);
}

static inline void health_found(struct village *village, int level, struct patient *inhabitants) {
    struct queue *queues[] = {&village->healthy, &village->waiting, &village->examined, &village->treated,
                              &village->sent};
    for (size_t i = 0; i < sizeof queues / sizeof *queues; i++)
        queue_clear(queues[i]);
    for (int i = 0; i < HEALTH_INHABITANTS; i++)
        queue_add(&village->healthy, &inhabitants[i]);
    village->level = level;
    village->staff = 1u << level;
}

static inline void health_build(struct health *health) {
    health->village_count = 0;
    for (size_t level = 0, width = 1; level < HEALTH_LEVELS; level++, width *= HEALTH_BRANCHES)
        health->village_count += width;
    health->patient_count = health->village_count * HEALTH_INHABITANTS;
    size_t village_bytes = health->village_count * sizeof(struct village);
    health->bytes = village_bytes + health->patient_count * sizeof(struct patient);
    char *memory = (char *)harness_memory(health->bytes);
    memset(memory, 0, health->bytes);
    health->villages = (struct village *)memory;
    health->patients = (struct patient *)(memory + village_bytes);
    struct village *next = health->villages + 1;
    int level = HEALTH_LEVELS - 1;
    size_t level_end = 1;
    for (size_t i = 0; i < health->village_count; i++) {
        if (i == level_end)
            level--, level_end = (size_t)(next - health->villages);
        struct village *village = &health->villages[i];
        health_found(village, level, &health->patients[i * HEALTH_INHABITANTS]);
        village->seed = harness_mix(i);
        if (level > 0)
            village->below = next, next += HEALTH_BRANCHES;
    }
    health->image = memcpy(harness_memory(health->bytes), memory, health->bytes);
}

static inline void health_prepare(void *arg) {
    struct health *health = (struct health *)arg;
    memcpy(health->villages, health->image, health->bytes);
}

/* A hash of all patients' histories. */
static inline uint64_t health_result(void *arg) {
    const struct health *health = (const struct health *)arg;
    uint64_t sum = 0;
    for (size_t i = 0; i < health->patient_count; i++) {
        const struct patient *patient = &health->patients[i];
        sum += harness_mix(i ^ (uint64_t)patient->steps_waited << 20 ^ (uint64_t)patient->hospitals << 40);
    }
    return sum;
}

/* Prints health.task, the time per step of a village. Arguments: MS. */
static inline int health_main(int argc, char **argv, uint64_t (*simulate_all)(void *health)) {
    struct health health;
    harness_begin(argc, argv);
    health_build(&health);
    for (int i = 0; i < HEALTH_STEPS; i++)
        health_serial(health.villages);
    const struct harness_kernel kernel = {health_prepare, simulate_all, health_result};
    harness_measure_kernel("health.task", &kernel, &health, health_result(&health),
                           (double)health.village_count * HEALTH_STEPS);
    free(health.villages), free(health.image);
    return harness_end();
}

#endif
