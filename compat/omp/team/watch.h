/* What ThreadSanitizer is told of teams and tasks (src/base/sanitizer.h). Where it is there all teams and tasks are watched.
 *
 * A watched team has a key for its start, which all members come after, and two for meetings, which barriers use in turns:
 * a member that is already on its way to the next one must not be taken for one that was at this one. Tasks come before
 * the meeting that the thread which runs them comes to next; all of them that began before it are complete then.
 *
 * A watched task has arguments of its own on the heap, so that the accesses to them are not taken for those to what was
 * there before, and a record with the keys that its creator, its children and its siblings use. It runs as any other, but
 * it is queued whenever it may be: what runs at once is no race to be seen. */
#ifndef BOMP_WATCH_H
#define BOMP_WATCH_H

#include "omp/bomp.h"
#include "runtime.h"

struct bomp_member;
struct bomp_table;
struct bomp_task;
struct bomp_team;

/* Keys: their addresses are all that matters. */
struct bomp_watch_team {
    char start __attribute__((aligned(8)));
    uint64_t meet[2];
};

/* On the heap: what was known of an address before is forgotten. */
struct bomp_watch {
    uint64_t created;  /* before it: its creator */
    uint64_t children; /* before it: those that are complete */
    const void *up;    /* the parent's key for its children; constant */
    char *keys;   /* of its parent's table of dependences; NULL: it has none. Constant, and so is the rest */
    size_t count; /* of what it depends on */
    struct bomp_depend depend[];
};

/* The start and the end of a region, for a member and for the primary thread; both sides of a meeting. */
void bomp_watch_start(struct bomp_member *member);
void bomp_watch_close(struct bomp_team *team);
void bomp_watch_arrive(struct bomp_member *member);
void bomp_watch_go_on(struct bomp_member *member);

/* bomp_task_create for a watched parent. */
void bomp_watch_create(struct bomp_member *self, const struct bomp_task_spec *spec);
/* bomp_task_prepare for one. */
struct bomp_task *bomp_watch_prepare(struct bomp_member *self, const struct bomp_task_spec *spec);
/* Its creator has filled it in; `table`: where it has entered its dependences, or NULL. Nobody else has seen it. */
void bomp_watch_created(struct bomp_task *task, struct bomp_table *table);

/* Around its body: before it, after it, and when it is complete, before anybody is told. */
void bomp_watch_begin(struct bomp_task *task);
void bomp_watch_end_body(struct bomp_task *task);
void bomp_watch_complete(struct bomp_task *task, struct bz_worker *self);

/* What its children come before when they are complete. The task is in a slab object. */
const void *bomp_watch_children(const struct bomp_task *task);

/* The current task comes after those of its children that one with this list would have to wait for; they are complete. */
void bomp_watch_depend(struct bomp_table *table, const struct bomp_depend_list *list);

#endif
