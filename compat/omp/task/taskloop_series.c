#include "omp/task/taskloop_series.h"

#include <string.h>

#include "omp/task/task_inner.h"

static void series_enter(const struct bomp_series *series) {
    bomp_task_init_at_once(&series->stage->task, series->parent, series->like, series->flags);
    series->self->current = &series->stage->task;
}

/* The last task has moved or changed: a new descriptor. */
static void series_renew(struct bomp_series *series) {
    struct bomp_task *outer = series->outer;
    bomp_task_end_at_once(series->self, outer);
    series->outer = series->self->current;
    if (series->parent == outer) /* it may have moved */
        series->parent = series->outer;
    series_enter(series);
}

void bomp_series_begin(struct bomp_series *series, uint64_t number) {
    const struct bomp_taskloop *loop = series->loop;
    series->number = number;
    series->first = bomp_schedule_span(&loop->loop, bomp_taskloop_part(loop, series->cut, number)).first;
    series->outer = series->self->current;
    series_enter(series);
}

void bomp_series_end(const struct bomp_series *series) {
    series->self->current = series->outer;
}

uint64_t bomp_series_alike(struct bomp_series *series, uint64_t last) {
    const struct bomp_loop *loop = &series->loop->loop;
    const struct bomp_cut *cut = series->cut;
    bool longer = series->number < cut->more;
    uint64_t alike = longer ? cut->more : cut->tasks - 1;
    series->stride = (cut->each + longer) * loop->step;
    if (series->number + 1 == cut->tasks) {
        series->stride = loop->end - series->first;
        series->what |= BOMP_TASKLOOP_LAST;
        alike = cut->tasks;
    }
    if (bz_unlikely(series->flags & BOMP_TASK_CANCELLABLE))
        alike = series->number + 1; /* cancellation is checked before each */
    return (alike < last ? alike : last) - series->number;
}

/* A task's flags and its number of children, by one load. */
static inline uint64_t state_of(const struct bomp_task *task) {
    uint64_t state;
    _Static_assert(offsetof(struct bomp_task, created) ==
                           offsetof(struct bomp_task, flags) + sizeof task->flags &&
                       offsetof(struct bomp_task, flags) % sizeof state == 0,
                   "they are one word");
    memcpy(&state, (const char *)task + offsetof(struct bomp_task, flags), sizeof state);
    return state;
}

/* The arguments are copied each time: a task may write to them. The bounds are stored apart: to join them for one store
 * takes longer. */
BZ_INLINE void place_args(char *to, const char *from, size_t size, uint64_t first, uint64_t end) {
    memcpy(to, &first, sizeof first);
    for (size_t i = 2 * sizeof first; i < size; i += sizeof(uint64_t))
        memcpy(to + i, from + i, sizeof(uint64_t));
    memcpy(to + sizeof first, &end, sizeof end);
}

/* The loop of bomp_series_run. Its variables are in registers: in memory, a task would wait for the stores of the one
 * before. */
__attribute__((noinline)) static uint64_t run_alike(struct bomp_series *series, uint64_t left,
                                                    const struct bz_worker *feeder) {
    const struct bomp_taskloop *loop = series->loop;
    struct bomp_stage *stage = series->stage;
    const char *from = series->args;
    size_t size = loop->task.size;
    void (*fn)(void *) = loop->task.fn;
    const bool made = loop->own.make;
    uint64_t first = series->first, stride = series->stride, before = state_of(&stage->task);
    do {
        uint64_t end = first + stride;
        if (made) {
            loop->own.make_and_run(stage->args, (void *)from, (struct bomp_span){first, end}, series->what);
            series->what |= BOMP_TASKLOOP_AGAIN;
        } else {
            place_args(stage->args, from, size, first, end);
            fn(stage->args);
        }
        first = end;
    } while (--left > 0 && bz_likely(state_of(&stage->task) == before) &&
             !(feeder && bomp_feeds_thieves(feeder)));
    series->first = first;
    return left;
}

uint64_t bomp_series_run(struct bomp_series *series, uint64_t left, const struct bz_worker *feeder) {
    struct bomp_task *task = &series->stage->task;
    left = run_alike(series, left, feeder);
    if (bz_unlikely(!bomp_task_stayed(task, series->flags)))
        series_renew(series);
    task->created = 0;
    return left;
}

const char *bomp_series_words(char *words, const struct bomp_taskloop *loop) {
    size_t size = loop->task.size, last = (size - 1) / sizeof(uint64_t) * sizeof(uint64_t);
    memset(words + last, 0, sizeof(uint64_t));
    memcpy(words, loop->task.data, size);
    return words;
}
