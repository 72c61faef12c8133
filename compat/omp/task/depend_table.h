/* What the children of one task depend on: a hash table from addresses to the nodes that a new child with this address has
 * to wait for. Belongs to the thread that runs the task; nobody else looks at it.
 *
 * A node of all memory waits for all that the table knows, which then forgets it: whatever comes later waits for that node.
 *
 * Of each address it knows the last node that all later ones must wait for, and the current set: nodes of one kind other
 * than out that came after it and do not wait for each other. What is complete is forgotten when the table or a set would
 * have to grow: memory is bounded by what is outstanding. */
#ifndef BOMP_DEPEND_TABLE_H
#define BOMP_DEPEND_TABLE_H

#include "omp/bomp.h"
#include "omp/task/depend_node.h"
#include "omp/task/task.h"

struct bomp_depend_set {
    enum bomp_depend_kind kind;
    size_t count, room;
    struct bomp_mutex *mutex; /* of a mutexinoutset that has members; else NULL */
    struct bomp_node *nodes[];
};

#define BOMP_NO_PLACE UINT32_MAX

struct bomp_depend_entry {
    const void *address;
    struct bomp_node *last;      /* NULL: none that is not complete */
    struct bomp_depend_set *set; /* NULL: never had one; its members wait for `last` */
    bool used;
    bool wanted;   /* by the list that is being worked on, as the next two say */
    uint8_t want;  /* as what: enum bomp_depend_kind */
    uint32_t next; /* the place of another one that the list wants, or BOMP_NO_PLACE */
};

struct bomp_table {
    struct bomp_depend_entry *entries; /* 2^bits; open addressing */
    unsigned bits;
    size_t used;           /* entries */
    struct bomp_node *all; /* the last one of all memory; what is in the table came after it. NULL: none */
    /* Of the tasks that were entered: how many, and the bytes that they took; both halved now and then. */
    uint64_t tasks, bytes;
    char *tsan_keys; /* tsan.h; NULL: none yet */
    bool detached;   /* one of them was: it may be the parent who will fulfill its event */
};

/* An empty one. NULL: no memory. */
struct bomp_table *bomp_table_new(void);
/* NULL: nothing. */
void bomp_table_free(struct bomp_table *table, struct bz_worker *self);

/* What the children of a task depend on; NULL: nothing. */
static inline struct bomp_table *bomp_table_of(const struct bomp_task *parent) {
    const struct bomp_task_extra *extra = bomp_task_has_extra(parent);
    return extra ? extra->table : NULL;
}

/* Whether a task with this list would have to wait for anything. */
bool bomp_table_blocks(struct bomp_table *table, const struct bomp_depend_list *list, struct bz_worker *self);

/* Makes a node for the list, linked to all that it has to wait for and known to all that come later; its creator still holds
 * it open. Memory for `bytes` of its task is accounted for. NULL: no memory, nothing has changed. */
struct bomp_node *bomp_table_enter(struct bomp_table *table, const struct bomp_depend_list *list,
                                   struct bz_worker *self, size_t bytes);

/* The same for a node that waits on the stack, to run a task then (`runs`) or not: later ones need not know it, since there
 * are none before it is over. False: no memory. */
bool bomp_table_await(struct bomp_table *table, const struct bomp_depend_list *list, struct bz_worker *self,
                      bool runs, struct bomp_node *node);

#endif
