/* Dependences of the children of one task: a hash table from addresses to the nodes that a new child with this address
 * waits for. Only the thread that runs the task uses it.
 *
 * A node of all memory waits for all nodes of the table and replaces them: all later nodes wait for it.
 *
 * For each address the table has the last node that all later ones must wait for, and the current set: later nodes of
 * one kind other than out, which do not wait for each other. Before the table or a set grows, it drops complete nodes,
 * so incomplete ones alone bound the memory. */
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

struct bomp_depend_entry {
    const void *address;
    struct bomp_node *last;      /* NULL: it is complete */
    struct bomp_depend_set *set; /* NULL: never had one; its members wait for `last` */
    bool used;
    bool wanted; /* by the current list, as `want`: enum bomp_depend_kind */
    uint8_t want;
    struct bomp_depend_entry *next; /* another wanted one; NULL: no more */
};

struct bomp_table {
    struct bomp_depend_entry *entries; /* 2^bits; open addressing */
    unsigned bits;
    size_t used;           /* entries */
    struct bomp_node *all; /* the last one of all memory; the entries are younger. NULL: no such node */
    /* Number and memory of the entered tasks; both are halved now and then. */
    uint64_t tasks, bytes;
    char *tsan_keys; /* tsan.h; NULL: not made yet */
    bool detached;   /* some task was: the parent itself may fulfill its event */
};

/* An empty one. NULL: no memory. */
struct bomp_table *bomp_table_new(void);
/* NULL: nothing. */
void bomp_table_free(struct bomp_table *table, struct bz_worker *self);

/* Dependences of the children of a task; NULL: they have none so far. */
static inline struct bomp_table *bomp_table_of(const struct bomp_task *parent) {
    const struct bomp_task_extra *extra = bomp_task_has_extra(parent);
    return extra ? extra->table : NULL;
}

/* Whether a task with this list would have to wait for anything. */
bool bomp_table_blocks(struct bomp_table *table, const struct bomp_depend_list *list, struct bz_worker *self);

/* Makes a node for the list, linked to its predecessors and known to later nodes; its creator still holds it open. Accounts
 * for `bytes` of its task. NULL: no memory, nothing has changed. */
struct bomp_node *bomp_table_enter(struct bomp_table *table, const struct bomp_depend_list *list,
                                   struct bz_worker *self, size_t bytes);

/* The same for a node on the stack that waits, and then runs a task (`runs`) or not: the table does not hold it, since it
 * ends before the next node. False: no memory. */
bool bomp_table_await(struct bomp_table *table, const struct bomp_depend_list *list, struct bz_worker *self,
                      bool runs, struct bomp_node *node);

#endif
