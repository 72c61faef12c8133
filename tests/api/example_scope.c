/* A scope: any number of tasks, with one wait for all of them. Here, the ways to walk down a grid. */
#include <blitz.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 7 };

struct walk {
    blitz_scope *scope;
    unsigned *ways; /* one count per place of a worker */
    unsigned right, down;
};

static void go(void *arg) {
    struct walk *walk = arg;
    if (walk->right == SIZE && walk->down == SIZE)
        walk->ways[blitz_worker_index()]++;
    for (int turn = 0; turn < 2; turn++) {
        struct walk *next = malloc(sizeof *next);
        if (!next)
            abort();
        *next = *walk;
        *(turn ? &next->down : &next->right) += 1;
        if (next->right <= SIZE && next->down <= SIZE)
            blitz_scope_spawn(walk->scope, go, next); /* tasks may spawn more */
        else
            free(next);
    }
    free(walk);
}

int main(void) {
    blitz_scope scope;
    unsigned places = blitz_pool_workers(NULL) + 1, total = 0;
    unsigned *ways = calloc(places, sizeof *ways);
    struct walk *first = malloc(sizeof *first);
    if (!ways || !first)
        return 2;
    *first = (struct walk){&scope, ways, 0, 0};
    blitz_scope_begin(&scope);
    blitz_scope_spawn(&scope, go, first);
    blitz_scope_wait(&scope);
    for (unsigned i = 0; i < places; i++)
        total += ways[i];
    printf("%u ways\n", total);
    free(ways);
    return total != 3432; /* 14 over 7 */
}
