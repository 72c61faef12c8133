/* A pool of your own: jobs that are waited for together, a call inside it, and one on each of its workers. */
#include <blitz.h>
#include <stdio.h>

static unsigned done[8]; /* by job */
static unsigned marks;   /* guarded by the atomic builtin */

static void job(void *arg) {
    ++*(unsigned *)arg;
}

static void mark(unsigned index, void *arg) {
    (void)index;
    __atomic_fetch_add((unsigned *)arg, 1, __ATOMIC_RELAXED);
}

static void inside(void *arg) {
    *(int *)arg = blitz_pool_current() != NULL;
    blitz_join(job, &done[0], job, &done[1]); /* in this pool, not in the global one */
}

int main(void) {
    blitz_config config = {.workers = 3, .name = "example"};
    blitz_pool *pool;
    if (blitz_pool_create(&config, &pool))
        return 2;
    for (int i = 0; i < 8; i++)
        if (blitz_submit(pool, job, &done[i]))
            return 2;
    blitz_wait_idle(pool);

    int is_inside = 0;
    blitz_call(pool, inside, &is_inside);
    blitz_broadcast(pool, mark, &marks);
    blitz_pool_resize(pool, 2);

    char line[200];
    blitz_stats_line(pool, line, sizeof line);
    printf("%u workers reached\n%s\n", marks, line);
    blitz_pool_destroy(pool);

    int wrong = marks != 3 || !is_inside;
    for (int i = 0; i < 8; i++)
        wrong |= done[i] != (i < 2 ? 2u : 1u);
    return wrong;
}
