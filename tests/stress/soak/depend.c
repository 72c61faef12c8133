/* depend.c: random graphs of dependences. The order of creation tells which tasks must have ended when a task begins.
 * Tasks count their ends, and each task compares. */
#include "soak.h"

#include <string.h>

enum { OBJECTS = 5 };
enum role { NONE, IN, OUT, INOUT, MUTEX, ROLES };

/* Shared by the tasks of one graph: for each object, the number of readers and of writers that have ended. `value` is
 * plain memory, as in a program: writers write it, readers read it. */
struct graph {
    struct object {
        unsigned readers, writers, inside;
        unsigned value;
    } objects[OBJECTS];
};

/* How many reads and writes of each object precede a task in the order of creation. For a mutexinoutset task, `least`
 * is the number of writes before its set. */
struct place {
    enum role roles[OBJECTS];
    unsigned readers[OBJECTS], writers[OBJECTS], least[OBJECTS];
};

static unsigned ends(const unsigned *count) {
    return __atomic_load_n(count, __ATOMIC_ACQUIRE);
}

static void end(unsigned *count) {
    __atomic_fetch_add(count, 1, __ATOMIC_RELEASE);
}

/* Checks that no task has run that the dependences keep from running before or together with this one. */
static void compare(struct object *object, const struct place *place, int o, struct node c) {
    switch (place->roles[o]) {
    case IN:
        soak_check(ends(&object->writers) == place->writers[o], c);
        soak_check(object->value == place->writers[o], c);
        break;
    case OUT:
    case INOUT:
        soak_check(ends(&object->writers) == place->writers[o], c);
        soak_check(ends(&object->readers) == place->readers[o], c);
        soak_check(object->value == place->writers[o], c);
        break;
    case MUTEX:
        soak_check(ends(&object->writers) >= place->least[o], c);
        soak_check(ends(&object->readers) == place->readers[o], c);
        soak_check(__atomic_load_n(&object->inside, __ATOMIC_RELAXED) == 1, c);
        break;
    default:
        break;
    }
}

/* The body of a task: compare, play the child, compare again, write. */
static void act(struct scene s, struct node c, struct graph *graph, const struct place *place) {
    for (int o = 0; o < OBJECTS; o++) {
        if (place->roles[o] == MUTEX)
            __atomic_fetch_add(&graph->objects[o].inside, 1, __ATOMIC_RELAXED);
        compare(&graph->objects[o], place, o, c);
    }
    solo(s, c);
    for (int o = 0; o < OBJECTS; o++) {
        struct object *object = &graph->objects[o];
        compare(object, place, o, c);
        if (place->roles[o] == MUTEX)
            __atomic_fetch_sub(&object->inside, 1, __ATOMIC_RELAXED);
        if (place->roles[o] == IN)
            end(&object->readers);
        if (place->roles[o] >= OUT) {
            object->value++;
            end(&object->writers);
        }
    }
}

/* Computes the place of the next task and updates `so_far` for the one after it. Any other task on the object ends a
 * set of mutexinoutset tasks. */
static void take_place(struct node c, struct place *place, struct place *so_far) {
    for (int o = 0; o < OBJECTS; o++) {
        enum role role = (enum role)pick(c, PICK_ROLE + (unsigned)o, ROLES + 3);
        place->roles[o] = role < ROLES ? role : NONE;
        if (place->roles[o] == MUTEX && so_far->roles[o] != MUTEX)
            so_far->least[o] = so_far->writers[o];
        place->readers[o] = so_far->readers[o];
        place->writers[o] = so_far->writers[o];
        place->least[o] = so_far->least[o];
        if (place->roles[o] != NONE)
            so_far->roles[o] = place->roles[o];
        so_far->readers[o] += place->roles[o] == IN;
        so_far->writers[o] += place->roles[o] >= OUT;
    }
}

/* The objects of the task that have one of two roles. */
static int list(struct graph *graph, const struct place *place, enum role one, enum role other,
                struct object **to) {
    int count = 0;
    for (int o = 0; o < OBJECTS; o++)
        if (place->roles[o] == one || place->roles[o] == other)
            to[count++] = &graph->objects[o];
    return count;
}

#ifdef __clang__ /* its code for iterators without values, and over depend objects, crashes */

/* A depend object for each object of the graph; where the task has no role it names a variable that no other task
 * uses. */
static void with_depobjs(struct scene s, struct node c, struct graph *graph, struct place place) {
    omp_depend_t objs[OBJECTS];
    int nothing;
    for (int o = 0; o < OBJECTS; o++) {
        struct object *object = &graph->objects[o];
        if (place.roles[o] == NONE) {
#    pragma omp depobj(objs[o]) depend(in : nothing)
            continue;
        }
#    pragma omp depobj(objs[o]) depend(in : *object)
        if (place.roles[o] == MUTEX) {
#    pragma omp depobj(objs[o]) update(mutexinoutset)
        } else if (place.roles[o] != IN) {
#    pragma omp depobj(objs[o]) update(inout)
        }
    }
    if (pick(c, PICK_VARIANT, 2)) {
#    pragma omp task firstprivate(s, c, graph, place) depend(depobj                                          \
                                                             : objs[0], objs[1], objs[2], objs[3], objs[4])
        act(s, c, graph, &place);
    } else {
#    pragma omp task untied firstprivate(s, c, graph, place) if (pick(c, PICK_IF, 6) != 0)                   \
        depend(depobj                                                                                        \
               : objs[0], objs[1], objs[2], objs[3], objs[4]) priority((int)pick(c, PICK_PRIORITY, 5))
        act(s, c, graph, &place);
    }
    for (int o = 0; o < OBJECTS; o++) {
#    pragma omp depobj(objs[o]) destroy
    }
}

static void with_iterators(struct scene s, struct node c, struct graph *graph, struct place place) {
    with_depobjs(s, c, graph, place);
}

#else

static void with_iterators(struct scene s, struct node c, struct graph *graph, struct place place) {
    struct object *in[OBJECTS], *out[OBJECTS], *mutex[OBJECTS];
    int ins = list(graph, &place, IN, IN, in), outs = list(graph, &place, OUT, INOUT, out);
    int mutexes = list(graph, &place, MUTEX, MUTEX, mutex);
    if (pick(c, PICK_VARIANT, 2)) {
#    pragma omp task firstprivate(s, c, graph, place) depend(iterator(j = 0                                  \
                                                                      : ins),                                \
                                                             in                                              \
                                                             : *in[j]) depend(iterator(j = 0                 \
                                                                                       : outs),              \
                                                                              inout                          \
                                                                              : *out[j])                     \
        depend(iterator(j = 0                                                                                \
                        : mutexes),                                                                          \
               mutexinoutset                                                                                 \
               : *mutex[j])
        act(s, c, graph, &place);
    } else {
#    pragma omp task untied firstprivate(s, c, graph, place) depend(iterator(j = 0                           \
                                                                             : outs),                        \
                                                                    out                                      \
                                                                    : *out[j]) depend(iterator(j = 0         \
                                                                                               : mutexes),   \
                                                                                      mutexinoutset          \
                                                                                      : *mutex[j])           \
        depend(iterator(j = 0                                                                                \
                        : ins),                                                                              \
               in                                                                                            \
               : *in[j]) if (pick(c, PICK_IF, 6) != 0) priority((int)pick(c, PICK_PRIORITY, 5))
        act(s, c, graph, &place);
    }
}

/* Uses depend objects, some of them after an update of their kind. */
static void with_depobjs(struct scene s, struct node c, struct graph *graph, struct place place) {
    omp_depend_t objs[OBJECTS];
    int count = 0;
    for (int o = 0; o < OBJECTS; o++) {
        struct object *object = &graph->objects[o];
        omp_depend_t *obj = &objs[count];
        if (place.roles[o] == NONE)
            continue;
        count++;
#    pragma omp depobj(*obj) depend(in : *object)
        if (place.roles[o] == MUTEX) {
#    pragma omp depobj(*obj) update(mutexinoutset)
        } else if (place.roles[o] != IN) {
#    pragma omp depobj(*obj) update(inout)
        }
    }
#    pragma omp task firstprivate(s, c, graph, place) depend(iterator(j = 0 : count), depobj : *(objs + j))
    act(s, c, graph, &place);
    for (int o = 0; o < count; o++) {
#    pragma omp depobj(objs[o]) destroy
    }
}

#endif

/* The shortest list: one reader of one object and one writer of another. The other roles are dropped. */
static int with_two(struct scene s, struct node c, struct graph *graph, struct place place) {
    struct object *in[OBJECTS], *out[OBJECTS];
    if (list(graph, &place, IN, IN, in) != 1 || list(graph, &place, OUT, INOUT, out) != 1 ||
        list(graph, &place, MUTEX, MUTEX, (struct object *[OBJECTS]){0}) != 0)
        return 0;
#pragma omp task firstprivate(s, c, graph, place) depend(in : *in[0]) depend(out : *out[0])
    act(s, c, graph, &place);
    return 1;
}

/* The creator waits for the predecessors that a reader of one object would have. */
static void wait_as_reader(struct graph *graph, const struct place *so_far, struct node c) {
    int o = (int)pick(c, PICK_SIZE, OBJECTS);
    struct object *object = &graph->objects[o];
#pragma omp taskwait depend(in : *object)
    soak_check(ends(&object->writers) == so_far->writers[o], c);
    soak_check(object->value == so_far->writers[o], c);
}

void depend_random(struct scene s, struct node n) {
    struct graph graph;
    struct place so_far, place;
    struct scene in = s;
    memset(&graph, 0, sizeof graph);
    memset(&so_far, 0, sizeof so_far);
    in.outside = 0;
    for (unsigned i = 0; i < node_count(n); i++) {
        struct node c = node_child(n, i);
        take_place(c, &place, &so_far);
        if (!with_two(in, c, &graph, place)) {
            if (pick(c, PICK_WAY, 4) == 0)
                with_depobjs(in, c, &graph, place);
            else
                with_iterators(in, c, &graph, place);
        }
        if (pick(c, PICK_END, 12) == 0)
            wait_as_reader(&graph, &so_far, c);
    }
#pragma omp taskwait
    for (int o = 0; o < OBJECTS; o++)
        soak_check(graph.objects[o].value == so_far.writers[o], n);
}
