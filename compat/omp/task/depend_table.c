#include "omp/task/depend_table.h"

#include <string.h>

#include "omp/base/tuning.h"

/* ---- sets ---- */

static void set_clear(struct bomp_depend_set *set, struct bz_worker *self) {
    while (set->count > 0)
        bomp_node_drop(set->nodes[--set->count], self);
    if (set->mutex)
        bomp_mutex_unref(set->mutex);
    set->mutex = NULL;
}

static void set_prune(struct bomp_depend_set *set, struct bz_worker *self) {
    size_t left = 0;
    for (size_t i = 0; i < set->count; i++)
        if (bomp_node_is_complete(set->nodes[i]))
            bomp_node_drop(set->nodes[i], self);
        else
            set->nodes[left++] = set->nodes[i];
    set->count = left;
}

/* Whether a node is incomplete. Drops the complete ones that it meets: each is met once. */
static bool set_is_live(struct bomp_depend_set *set, struct bz_worker *self) {
    while (set && set->count > 0) {
        if (!bomp_node_is_complete(set->nodes[set->count - 1]))
            return true;
        bomp_node_drop(set->nodes[--set->count], self);
    }
    return false;
}

static bool set_make_room(struct bomp_depend_entry *entry, struct bz_worker *self) {
    struct bomp_depend_set *set = entry->set;
    if (set && set->count < set->room)
        return true;
    if (set)
        set_prune(set, self);
    if (set && set->count <= set->room / 2)
        return true;
    size_t room = set ? 2 * set->room : 2;
    struct bomp_depend_set *grown = bz_realloc(set, sizeof *set + room * sizeof set->nodes[0]);
    if (!grown)
        return set && set->count < set->room;
    if (!set)
        *grown = (struct bomp_depend_set){.kind = BOMP_DEPEND_IN};
    grown->room = room;
    entry->set = grown;
    return true;
}

/* ---- entries ---- */

static void forget(struct bomp_node **last, struct bz_worker *self) {
    if (*last)
        bomp_node_drop(*last, self);
    *last = NULL;
}

BZ_INLINE void forget_complete(struct bomp_node **last, struct bz_worker *self) {
    if (*last && bomp_node_is_complete(*last))
        forget(last, self);
}

/* Whether the address has incomplete nodes; forgets complete ones. */
static bool is_live(struct bomp_depend_entry *entry, struct bz_worker *self) {
    forget_complete(&entry->last, self);
    return set_is_live(entry->set, self) || entry->last;
}

static void entry_clear(struct bomp_depend_entry *entry, struct bz_worker *self) {
    forget(&entry->last, self);
    if (entry->set)
        set_clear(entry->set, self);
    bz_free(entry->set);
    entry->set = NULL;
}

static size_t place_of(const struct bomp_table *table, const void *address) {
    return (size_t)((uint64_t)(uintptr_t)address * UINT64_C(0x9e3779b97f4a7c15) >> (64 - table->bits));
}

/* The entry of an address, or the free one where it belongs. */
static struct bomp_depend_entry *look_up(const struct bomp_table *table, const void *address) {
    size_t mask = ((size_t)1 << table->bits) - 1;
    size_t at = place_of(table, address);
    while (table->entries[at].used && table->entries[at].address != address)
        at = (at + 1) & mask;
    return &table->entries[at];
}

struct bomp_table *bomp_table_new(void) {
    struct bomp_table *table = bz_alloc_zero(1, sizeof *table);
    if (!table)
        return NULL;
    table->bits = BOMP_TABLE_FIRST_BITS;
    table->entries = bz_alloc_zero((size_t)1 << BOMP_TABLE_FIRST_BITS, sizeof *table->entries);
    if (table->entries)
        return table;
    bz_free(table);
    return NULL;
}

void bomp_table_free(struct bomp_table *table, struct bz_worker *self) {
    if (!table)
        return;
    for (size_t i = 0; i < (size_t)1 << table->bits; i++)
        entry_clear(&table->entries[i], self);
    forget(&table->all, self);
    bz_free(table->entries);
    bz_free(table->tsan_keys);
    bz_free(table);
}

/* Room for `more` entries: forgets addresses without incomplete nodes, then grows or shrinks to four times the rest, which
 * pays for the scan. False: no memory. */
static bool make_room(struct bomp_table *table, size_t more, struct bz_worker *self) {
    size_t size = (size_t)1 << table->bits;
    if (table->used + more <= size / 2)
        return true;
    size_t live = 0;
    for (size_t i = 0; i < size; i++)
        if (table->entries[i].used && is_live(&table->entries[i], self))
            live++;
    unsigned bits = BOMP_TABLE_FIRST_BITS;
    while ((size_t)1 << bits < 4 * (live + more))
        bits++;
    struct bomp_table new = {.bits = bits, .entries = bz_alloc_zero((size_t)1 << bits, sizeof *new.entries)};
    if (!new.entries)
        return table->used + more < size;
    for (size_t i = 0; i < size; i++) {
        struct bomp_depend_entry *old = &table->entries[i];
        if (!old->used)
            continue;
        if (old->last || (old->set && old->set->count > 0))
            *look_up(&new, old->address) = *old;
        else
            entry_clear(old, self);
    }
    bz_free(table->entries);
    table->entries = new.entries;
    table->bits = bits;
    table->used = live;
    return true;
}

/* Forgets all addresses, and shrinks, if there is memory for that: the next scan is short. */
static void forget_all(struct bomp_table *table, struct bz_worker *self) {
    size_t size = (size_t)1 << table->bits;
    for (size_t i = 0; i < size && table->used > 0; i++) {
        table->used -= table->entries[i].used;
        entry_clear(&table->entries[i], self);
        table->entries[i].used = false;
    }
    struct bomp_depend_entry *small = table->bits > BOMP_TABLE_FIRST_BITS
                                          ? bz_alloc_zero((size_t)1 << BOMP_TABLE_FIRST_BITS, sizeof *small)
                                          : NULL;
    if (!small)
        return;
    bz_free(table->entries);
    table->entries = small;
    table->bits = BOMP_TABLE_FIRST_BITS;
}

/* ---- a list ---- */

static bool is_set(enum bomp_depend_kind kind) {
    return kind != BOMP_DEPEND_OUT;
}

/* Whether it names all memory; the other items make no difference then. */
static bool names_all(const struct bomp_depend_list *list) {
    return list->count > 0 && list->items[0].kind == BOMP_DEPEND_ALL;
}

static bool waits_for_set(const struct bomp_depend_entry *entry, enum bomp_depend_kind kind) {
    return entry->set && entry->set->count > 0 && !(is_set(kind) && entry->set->kind == kind);
}

/* Whether a new task of this kind waits for a node of the entry, which has incomplete ones. */
static bool entry_blocks(const struct bomp_depend_entry *entry, enum bomp_depend_kind kind) {
    return kind == BOMP_DEPEND_MUTEX || entry->last || waits_for_set(entry, kind);
}

static bool all_blocks(struct bomp_table *table, struct bz_worker *self) {
    forget_complete(&table->all, self);
    return table->all;
}

/* If all nodes are complete, forgets them: otherwise each task of all memory that runs at once would scan them. */
static bool blocks_all(struct bomp_table *table, struct bz_worker *self) {
    bool blocks = all_blocks(table, self);
    for (size_t i = 0; table->used > 0 && i < (size_t)1 << table->bits && !blocks; i++)
        blocks = table->entries[i].used && is_live(&table->entries[i], self) &&
                 entry_blocks(&table->entries[i], BOMP_DEPEND_OUT);
    if (!blocks)
        forget_all(table, self);
    return blocks;
}

bool bomp_table_blocks(struct bomp_table *table, const struct bomp_depend_list *list,
                       struct bz_worker *self) {
    if (names_all(list))
        return blocks_all(table, self);
    bool blocks = false;
    for (size_t i = 0; i < list->count && !blocks; i++) {
        struct bomp_depend_entry *entry = look_up(table, list->items[i].address);
        blocks = entry->used ? is_live(entry, self) && entry_blocks(entry, list->items[i].kind)
                             : all_blocks(table, self);
    }
    return blocks;
}

/* The wanted entries of a list, linked by `next`. */
struct wanted {
    struct bomp_depend_entry *first; /* NULL: the table is empty */
    bool all;                        /* it names all memory: all entries, as out */
};

static void mark_all(struct bomp_table *table, struct bz_worker *self, struct wanted *wanted) {
    *wanted = (struct wanted){NULL, true};
    forget_complete(&table->all, self);
    for (size_t i = 0; table->used > 0 && i < (size_t)1 << table->bits; i++) {
        struct bomp_depend_entry *entry = &table->entries[i];
        if (!entry->used || !is_live(entry, self))
            continue;
        entry->wanted = true;
        entry->want = BOMP_DEPEND_OUT;
        entry->next = wanted->first;
        wanted->first = entry;
    }
}

/* Marks the entries of a list that is not empty, and makes missing ones: an address that is there twice is wanted once.
 * `next` stays after unmark. False: no memory. */
static bool mark(struct bomp_table *table, const struct bomp_depend_list *list, struct bz_worker *self,
                 struct wanted *wanted) {
    if (names_all(list)) {
        mark_all(table, self, wanted);
        return true;
    }
    if (!make_room(table, list->count, self))
        return false;
    struct bomp_depend_entry *first = NULL;
    forget_complete(&table->all, self);
    for (size_t i = 0; i < list->count; i++) {
        const struct bomp_depend *item = &list->items[i];
        struct bomp_depend_entry *entry = look_up(table, item->address);
        if (!entry->used) {
            *entry = (struct bomp_depend_entry){.address = item->address, .last = table->all, .used = true};
            if (table->all)
                bomp_node_hold(table->all);
            table->used++;
        }
        if (entry->wanted) {
            if (entry->want != item->kind)
                entry->want = BOMP_DEPEND_OUT;
            continue;
        }
        entry->wanted = true;
        entry->want = item->kind;
        entry->next = first;
        first = entry;
    }
    *wanted = (struct wanted){first, false};
    return true;
}

static void unmark(struct bomp_depend_entry *entry) {
    for (; entry; entry = entry->next)
        entry->wanted = false;
}

/* Joins the current set in one node, for which each member of the next set waits: otherwise two sets of a thousand would be
 * a million edges. False: no memory. */
static bool close_set(struct bomp_depend_entry *entry, struct bz_worker *self) {
    struct bomp_depend_set *set = entry->set;
    set_prune(set, self);
    struct bomp_node *join = NULL;
    if (set->count == 1) {
        join = set->nodes[0];
        bomp_node_hold(join);
    } else if (set->count > 1) {
        if (!(join = bomp_node_new(self, BOMP_NODE_JOIN, set->count)))
            return false;
        bomp_node_hold(join);
        for (size_t i = 0; i < set->count; i++)
            bomp_node_link(join, set->nodes[i]);
        if (bomp_node_start(join))
            bomp_node_complete(join, self);
    }
    set_clear(set, self);
    if (join) {
        forget(&entry->last, self);
        entry->last = join;
    }
    return true;
}

static bool open_set(struct bomp_depend_entry *entry, struct bz_worker *self) {
    if (waits_for_set(entry, entry->want) && !close_set(entry, self))
        return false;
    if (!set_make_room(entry, self))
        return false;
    entry->set->kind = entry->want;
    if (entry->want == BOMP_DEPEND_MUTEX && !entry->set->mutex)
        return (entry->set->mutex = bomp_mutex_new()) != NULL;
    return true;
}

struct needs {
    size_t edges;
    uint32_t mutexes;
};

enum purpose {
    ENTER, /* later ones will wait for the node */
    AWAIT_AND_RUN,
    AWAIT /* no task runs afterwards that a mutex could exclude */
};

/* Prepares the wanted entries, and counts edges and mutexes. False: no memory. */
static bool prepare(const struct bomp_table *table, const struct wanted *wanted, struct bz_worker *self,
                    enum purpose purpose, struct needs *needs) {
    *needs = (struct needs){.edges = wanted->all && table->all};
    for (struct bomp_depend_entry *entry = wanted->first; entry; entry = entry->next) {
        is_live(entry, self);
        if (purpose == AWAIT && entry->want == BOMP_DEPEND_MUTEX)
            entry->want = BOMP_DEPEND_OUT;
        if (purpose == ENTER && is_set(entry->want) && !open_set(entry, self))
            return false;
        needs->edges += waits_for_set(entry, entry->want) ? entry->set->count : entry->last != NULL;
        needs->mutexes += entry->want == BOMP_DEPEND_MUTEX;
    }
    return true;
}

static void link_entry(struct bomp_depend_entry *entry, struct bomp_node *node) {
    if (waits_for_set(entry, entry->want))
        for (size_t i = 0; i < entry->set->count; i++)
            bomp_node_link(node, entry->set->nodes[i]);
    else if (entry->last)
        bomp_node_link(node, entry->last);
    struct bomp_mutex *mutex = entry->want == BOMP_DEPEND_MUTEX && entry->set ? entry->set->mutex : NULL;
    if (mutex && node->mutexes) {
        bomp_mutex_ref(mutex);
        node->mutexes->items[node->mutexes->count++] = mutex;
    }
}

static void link_wanted(const struct bomp_table *table, const struct wanted *wanted, struct bomp_node *node) {
    for (struct bomp_depend_entry *entry = wanted->first; entry; entry = entry->next)
        link_entry(entry, node);
    if (wanted->all && table->all)
        bomp_node_link(node, table->all);
}

static void record(struct bomp_depend_entry *entry, struct bomp_node *node, struct bz_worker *self) {
    bomp_node_hold(node);
    if (is_set(entry->want)) {
        entry->set->nodes[entry->set->count++] = node;
        return;
    }
    if (entry->set)
        set_clear(entry->set, self);
    forget(&entry->last, self);
    entry->last = node;
}

/* A node of all memory replaces all others. */
static void record_all(struct bomp_table *table, struct bomp_node *node, struct bz_worker *self) {
    bomp_node_hold(node);
    forget_all(table, self);
    forget(&table->all, self);
    table->all = node;
}

static void account(struct bomp_table *table, size_t bytes) {
    table->tasks++;
    table->bytes += bytes;
    if (table->tasks >= 4096) {
        table->tasks /= 2;
        table->bytes /= 2;
    }
}

struct bomp_node *bomp_table_enter(struct bomp_table *table, const struct bomp_depend_list *list,
                                   struct bz_worker *self, size_t bytes) {
    struct needs needs;
    struct wanted wanted;
    struct bomp_node *node = NULL;
    if (!mark(table, list, self, &wanted))
        return NULL;
    if (prepare(table, &wanted, self, ENTER, &needs))
        node = bomp_node_new(self, BOMP_NODE_TASK, needs.edges);
    if (node && needs.mutexes > 0 && !(node->mutexes = bomp_mutexes_new(needs.mutexes))) {
        bomp_node_discard(node, self);
        node = NULL;
    }
    unmark(wanted.first);
    if (!node)
        return NULL;
    for (struct bomp_depend_entry *entry = wanted.first; entry && !wanted.all; entry = entry->next) {
        link_entry(entry, node);
        record(entry, node, self);
    }
    if (wanted.all) {
        link_wanted(table, &wanted, node);
        record_all(table, node, self);
    }
    if (node->mutexes)
        bomp_mutexes_sort(node->mutexes);
    account(table, bytes + sizeof *node + list->count * 4 * sizeof(struct bomp_depend_entry) +
                       needs.edges * sizeof(struct bomp_edge));
    return node;
}

bool bomp_table_await(struct bomp_table *table, const struct bomp_depend_list *list, struct bz_worker *self,
                      bool runs, struct bomp_node *node) {
    struct needs needs;
    struct wanted wanted;
    if (!mark(table, list, self, &wanted))
        return false;
    prepare(table, &wanted, self, runs ? AWAIT_AND_RUN : AWAIT, &needs); /* cannot fail: it makes nothing */
    unmark(wanted.first);
    if (!bomp_node_init_wait(node, self, needs.edges))
        return false;
    if (needs.mutexes > 0 && !(node->mutexes = bomp_mutexes_new(needs.mutexes))) {
        bomp_node_free_wait(node);
        return false;
    }
    link_wanted(table, &wanted, node);
    if (node->mutexes)
        bomp_mutexes_sort(node->mutexes);
    return true;
}
