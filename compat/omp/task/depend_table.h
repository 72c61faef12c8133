/* Dependences of the children of a task: a hash table from addresses to the nodes that a new child with this address
 * waits for. Only the thread that runs the task uses it. depend.md. */
#ifndef BOMP_DEPEND_TABLE_H
#define BOMP_DEPEND_TABLE_H

#include "omp/bomp.h"
#include "omp/task/depend_node.h"
#include "omp/task/task.h"

struct bomp_depend_entry {
    const void *address;
    struct bomp_node *last;   /* all later nodes wait for it; NULL: it is complete */
    struct bomp_mutex *mutex; /* or NULL; since a mutexinoutset, until the set is closed */
    /* A set: later nodes of one kind other than out, which wait for `last`. */
    uint32_t count;
    bool has_many; /* they have a block */
    uint8_t kind;  /* enum bomp_depend_kind */
    union {
        struct bomp_node *few[4]; /* so an entry is a cache line */
        struct {
            struct bomp_node **nodes;
            uint32_t room;
        } many;
    };
};

static inline struct bomp_node **bomp_set_nodes(struct bomp_depend_entry *entry) {
    return entry->has_many ? entry->many.nodes : entry->few;
}
static inline uint32_t bomp_set_room(const struct bomp_depend_entry *entry) {
    return entry->has_many ? entry->many.room : sizeof entry->few / sizeof *entry->few;
}

struct bomp_table {
    struct bomp_depend_entry *entries; /* dense, in the order of their first use */
    size_t used;                       /* entries; at most half as many as slots */
    uint32_t *slots;                   /* 2^bits, open addressing: an entry's index, plus 1; 0: free */
    unsigned bits;
    bool detached; /* some task was: the parent itself may fulfill its event */
    /* The last node of all memory; the entries are younger. Or NULL. */
    struct bomp_node *all;
    char *tsan_keys; /* tsan.h; NULL: not made yet */
};

/* An empty one. No memory is fatal, here and below. */
struct bomp_table *bomp_table_new(void);
/* NULL: nothing. */
void bomp_table_free(struct bomp_table *table, struct bz_worker *self);

/* NULL: the children have none so far. */
static inline struct bomp_table *bomp_table_of(const struct bomp_task *parent) {
    const struct bomp_task_extra *extra = bomp_task_has_extra(parent);
    return extra ? extra->table : NULL;
}

/* Whether a task with this list would have to wait for any node. */
bool bomp_table_blocks(const struct bomp_table *table, const struct bomp_depend_list *list);

/* Links a new node with the list to its predecessors. Later nodes find it; its creator still holds it open. */
void bomp_table_enter(struct bomp_table *table, const struct bomp_depend_list *list, struct bz_worker *self,
                      struct bomp_node *node);

/* The same for a node on the stack, which ends before the next node: the table does not hold it. `runs`: a task runs after
 * the wait. */
void bomp_table_await(const struct bomp_table *table, const struct bomp_depend_list *list,
                      struct bz_worker *self, bool runs, struct bomp_node *node);

#endif
