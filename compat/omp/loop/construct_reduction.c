/* The task reduction that the members of a worksharing construct share. */
#include "omp/bomp.h"
#include "omp/loop/construct_storage.h"
#include "omp/loop/workshare.h"
#include "omp/task/reduction.h"
#include "omp/task/taskgroup.h"
#include "omp/team/team_data.h"

/* How the first member makes it. The construct is one of its users. */
struct first {
    bomp_reduction_make *make;
    void *arg;
};

static void make_first(void *block, const void *arg) {
    const struct first *first = arg;
    *(struct bomp_reduction **)block = first->make(first->arg, 0);
}

struct bomp_reduction *bomp_construct_reduction_start(bomp_reduction_make *make, void *arg) {
    struct bomp_member *self = bomp_self();
    struct first first = {make, arg};
    struct bomp_reduction **shared =
        bomp_storage_get(self, BOMP_STORAGE_REDUCTION, sizeof(struct bomp_reduction *), make_first, &first);
    bomp_reduction_use(*shared);
    (void)bomp_reduction_group_start(*shared, false);
    return *shared;
}

void bomp_construct_reduction_end(void) {
    struct bomp_member *self = bomp_self();
    struct bomp_group *group = self->current->group;
    if (!group || !group->reduction) {
        bz_warn("the end of a construct's task reduction without its start: ignored");
        return;
    }
    struct bomp_reduction *reduction = group->reduction;
    bomp_taskgroup_end();
    bomp_reduction_release(reduction);
    if (self->ws->unshared)
        bomp_storage_clear(&self->ws->own);
}
