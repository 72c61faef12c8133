/* cycle.c: the cycles of scene.h: a search in depth from each task that a thread waits in. */
#include "tools/watchdog/scene.h"

/* A task on the path from the first one. */
struct step {
    const struct bomp_hang_item *task;
    struct bomp_hang_reason reasons[BOMP_HANG_REASONS];
    size_t count, next;
};

struct search {
    const struct bomp_hang_scene *scene;
    struct step *steps; /* BOMP_HANG_NODES_MOST of them */
    size_t depth;
    const struct bomp_hang_item *done[BOMP_HANG_NODES_MOST]; /* no cycle goes through these */
    size_t done_count;
};

static bool is_done(const struct search *search, const struct bomp_hang_item *task) {
    for (size_t i = 0; i < search->done_count; i++)
        if (search->done[i] == task)
            return true;
    return false;
}

static void enter(struct search *search, const struct bomp_hang_item *task) {
    struct step *step = &search->steps[search->depth++];
    step->task = task;
    step->next = 0;
    step->count = bomp_hang_reasons(search->scene, task, step->reasons, BOMP_HANG_REASONS);
    if (step->count > 1 && step->reasons[0].why == BOMP_HANG_TURN)
        step->count = 0; /* it is not known which of them has the turn */
}

/* Copies the ring: the steps from `first` on. */
static void keep(const struct search *search, size_t first, struct bomp_hang_cycle *cycle) {
    for (size_t i = first; i < search->depth; i++) {
        const struct step *step = &search->steps[i];
        cycle->steps[cycle->count].task = step->task;
        cycle->steps[cycle->count++].reason = step->reasons[step->next - 1];
    }
}

/* The step of the task; depth: none. */
static size_t place_of(const struct search *search, const struct bomp_hang_item *task) {
    size_t i = 0;
    while (i < search->depth && search->steps[i].task != task)
        i++;
    return i;
}

static void search_from(struct search *search, const struct bomp_hang_item *first,
                        struct bomp_hang_cycle *cycle) {
    search->depth = 0;
    enter(search, first);
    while (search->depth > 0 && cycle->count == 0) {
        struct step *step = &search->steps[search->depth - 1];
        if (step->next == step->count) {
            if (search->done_count < BOMP_HANG_NODES_MOST)
                search->done[search->done_count++] = step->task;
            search->depth--;
            continue;
        }
        const struct bomp_hang_item *other = step->reasons[step->next++].other;
        if (!other || is_done(search, other))
            continue;
        size_t place = place_of(search, other);
        if (place < search->depth)
            keep(search, place, cycle);
        else if (search->depth < BOMP_HANG_NODES_MOST && search->done_count < BOMP_HANG_NODES_MOST)
            enter(search, other);
    }
}

void bomp_hang_find_cycle(const struct bomp_hang_scene *scene, struct bomp_hang_cycle *cycle) {
    struct search *search = bz_os_alloc(sizeof *search);
    struct step *steps = bz_os_alloc(BOMP_HANG_NODES_MOST * sizeof *steps);
    cycle->count = 0;
    if (search && steps) {
        search->scene = scene;
        search->steps = steps;
        for (size_t i = 0; i < scene->thread_count && cycle->count == 0; i++) {
            const struct bomp_hang_item *task = bz_load_relaxed(&scene->threads[i]->current);
            if (task && bomp_hang_standing(scene->threads[i]) == BOMP_HANG_WAITS)
                search_from(search, task, cycle);
        }
    }
    bz_os_free(steps, BOMP_HANG_NODES_MOST * sizeof *steps);
    bz_os_free(search, sizeof *search);
}
