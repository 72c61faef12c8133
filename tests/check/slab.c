/* Slabs (src/sched/slab.[ch]): an object that another worker frees comes home, intact, and is allocated once. */
#include "sched/slab.h"
#include "check.h"

#include <string.h>

static struct bz_slabs homes[3];
struct object {
    unsigned content;
};
static struct object *objects[2];
static struct bz_aflag given[2];

static void begin(void) {
    for (unsigned i = 0; i < 3; i++)
        homes[i] = (struct bz_slabs){.list = NULL};
    memset(given, 0, sizeof given);
}

static struct object *get(unsigned content) {
    struct object *object = bz_slabs_alloc(&homes[0], sizeof *object);
    object->content = content;
    return object;
}

static void give(unsigned i) {
    objects[i] = get(i);
    bz_store_release(&given[i], true);
}
static void owner(void) {
    give(0);
    give(1);
    for (unsigned i = 0; i < 2; i++) /* objects freed in between are reused */
        bz_slabs_free(&homes[0], get(9));
    (void)bz_slabs_refill(&homes[0], 0);
}

/* Two objects: the second makes room for itself by sending the first home. */
static void free_given(unsigned self, unsigned i) {
    while (!bz_load_acquire(&given[i]))
        bz_cpu_relax();
    check_that(objects[i]->content == i);
    objects[i]->content = 8;
    bz_slabs_free(&homes[self], objects[i]);
}
static void frees_both(void) {
    free_given(1, 0);
    free_given(1, 1);
}
static void frees_first(void) {
    free_given(1, 0);
}
static void frees_second(void) {
    free_given(2, 1);
}

static const struct check_test tests[] = {
    {"both", begin, {owner, frees_both}, NULL, -1, 0},
    {"two", begin, {owner, frees_first, frees_second}, NULL, 3, 0},
};

int main(int argc, char **argv) {
    return check_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
