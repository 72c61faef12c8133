#include "omp/task/depend_table.h"

#include <string.h>

#include "omp/base/tuning.h"

/* No memory is fatal, as for a peer. */
static void *need(void *memory) {
    if (bz_unlikely(!memory))
        bomp_no_memory("the dependences of a task");
    return memory;
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

static void set_clear(struct bomp_depend_entry *entry, struct bz_worker *self) {
    struct bomp_node **nodes = bomp_set_nodes(entry);
    while (entry->count > 0)
        bomp_node_drop(nodes[--entry->count], self);
    if (bz_unlikely(entry->mutex))
        bomp_mutex_unref(entry->mutex);
    entry->mutex = NULL;
}

static void set_prune(struct bomp_depend_entry *entry, struct bz_worker *self) {
    struct bomp_node **nodes = bomp_set_nodes(entry);
    uint32_t left = 0;
    for (uint32_t i = 0; i < entry->count; i++)
        if (bomp_node_is_complete(nodes[i]))
            bomp_node_drop(nodes[i], self);
        else
            nodes[left++] = nodes[i];
    entry->count = left;
}

/* Makes room for one more node, where there is none. */
static void set_grow(struct bomp_depend_entry *entry, struct bz_worker *self) {
    uint32_t room = entry->count;
    set_prune(entry, self);
    if (entry->count <= room / 2)
        return;
    struct bomp_node **nodes = need(bz_alloc(2 * room * sizeof *nodes));
    memcpy(nodes, bomp_set_nodes(entry), entry->count * sizeof *nodes);
    if (entry->has_many)
        bz_free(entry->many.nodes);
    entry->has_many = true;
    entry->many.nodes = nodes;
    entry->many.room = 2 * room;
}

/* Whether the address has incomplete nodes; forgets complete ones. */
static bool is_live(struct bomp_depend_entry *entry, struct bz_worker *self) {
    forget_complete(&entry->last, self);
    if (entry->count > 0)
        set_prune(entry, self);
    return entry->last || entry->count > 0;
}

static void entry_clear(struct bomp_depend_entry *entry, struct bz_worker *self) {
    forget(&entry->last, self);
    set_clear(entry, self);
    if (entry->has_many)
        bz_free(entry->many.nodes);
}

static bool waits_for_set(const struct bomp_depend_entry *entry, enum bomp_depend_kind kind) {
    return entry->count > 0 && (kind == BOMP_DEPEND_OUT || entry->kind != kind);
}

/* ---- a table ---- */

/* The slot of an address, or the free one where it belongs. */
BZ_INLINE uint32_t *find_slot(const struct bomp_table *table, const void *address) {
    uint64_t hash = (uint64_t)(uintptr_t)address * UINT64_C(0x9e3779b97f4a7c15);
    size_t mask = ((size_t)1 << table->bits) - 1, at = (size_t)(hash >> (64 - table->bits));
    while (table->slots[at] && table->entries[table->slots[at] - 1].address != address)
        at = (at + 1) & mask;
    return &table->slots[at];
}

/* The entry of an address, or NULL. */
BZ_INLINE struct bomp_depend_entry *find(const struct bomp_table *table, const void *address) {
    uint32_t slot = *find_slot(table, address);
    return slot ? &table->entries[slot - 1] : NULL;
}

/* For the entries that there are and `more`: four slots for each. */
static void resize(struct bomp_table *table, size_t more) {
    unsigned bits = BOMP_TABLE_FIRST_BITS;
    while ((size_t)1 << bits < 4 * (table->used + more))
        bits++;
    if (bits != table->bits)
        table->entries = need(bz_realloc(table->entries, sizeof *table->entries << (bits - 1)));
    table->bits = bits;
    bz_free(table->slots);
    table->slots = need(bz_alloc_zero((size_t)1 << bits, sizeof *table->slots));
    for (size_t i = 0; i < table->used; i++)
        *find_slot(table, table->entries[i].address) = (uint32_t)i + 1;
}

struct bomp_table *bomp_table_new(void) {
    struct bomp_table *table = need(bz_alloc_zero(1, sizeof *table));
    resize(table, 0);
    return table;
}

static void clear_entries(struct bomp_table *table, struct bz_worker *self) {
    while (table->used > 0)
        entry_clear(&table->entries[--table->used], self);
}

void bomp_table_free(struct bomp_table *table, struct bz_worker *self) {
    if (!table)
        return;
    clear_entries(table, self);
    forget(&table->all, self);
    bz_free(table->entries);
    bz_free(table->slots);
    bz_free(table->tsan_keys);
    bz_free(table);
}

/* Forgets addresses without incomplete nodes, then grows or shrinks. */
static void rebuild(struct bomp_table *table, size_t more, struct bz_worker *self) {
    struct bomp_depend_entry *entries = table->entries;
    size_t live = 0;
    for (size_t i = 0; i < table->used; i++)
        if (is_live(&entries[i], self))
            entries[live++] = entries[i];
        else
            entry_clear(&entries[i], self);
    table->used = live;
    resize(table, more);
}

/* ---- a list ---- */

/* Whether it names all memory; the other items make no difference then. */
static bool names_all(const struct bomp_depend_list *list) {
    return list->count > 0 && list->items[0].kind == BOMP_DEPEND_ALL;
}

static bool is_incomplete(const struct bomp_node *node) {
    return node && !bomp_node_is_complete(node);
}

/* Whether a new task of this kind waits for nodes of the entry, or perhaps for their mutex. The newest are the least
 * likely to be complete. */
static bool entry_blocks(struct bomp_depend_entry *entry, enum bomp_depend_kind kind) {
    if (is_incomplete(entry->last))
        return true;
    if (kind != BOMP_DEPEND_MUTEX && !waits_for_set(entry, kind))
        return false;
    for (uint32_t i = entry->count; i > 0; i--)
        if (is_incomplete(bomp_set_nodes(entry)[i - 1]))
            return true;
    return false;
}

bool bomp_table_blocks(const struct bomp_table *table, const struct bomp_depend_list *list) {
    bool all = names_all(list), blocks = all && is_incomplete(table->all);
    for (size_t i = 0; all && i < table->used && !blocks; i++)
        blocks = entry_blocks(&table->entries[i], BOMP_DEPEND_OUT);
    for (size_t i = 0; !all && i < list->count && !blocks; i++) {
        struct bomp_depend_entry *entry = find(table, list->items[i].address);
        blocks = entry ? entry_blocks(entry, list->items[i].kind) : is_incomplete(table->all);
    }
    return blocks;
}

/* What a new node of this kind waits for, but for itself. */
BZ_INLINE void link_to(struct bomp_node *node, struct bomp_depend_entry *entry, enum bomp_depend_kind kind) {
    if (waits_for_set(entry, kind)) {
        struct bomp_node **nodes = bomp_set_nodes(entry);
        for (uint32_t i = 0; i < entry->count; i++)
            if (nodes[i] != node)
                bomp_node_link(node, nodes[i]);
    } else if (entry->last) {
        bomp_node_link(node, entry->last);
    }
}

static void link_to_all(struct bomp_node *node, const struct bomp_table *table) {
    for (size_t i = 0; i < table->used; i++)
        link_to(node, &table->entries[i], BOMP_DEPEND_OUT);
    if (table->all)
        bomp_node_link(node, table->all);
}

/* Joins the current set in one node, for which the next set waits (depend.md). */
static void close_set(struct bomp_depend_entry *entry, struct bz_worker *self) {
    struct bomp_node *join = NULL;
    set_prune(entry, self);
    if (entry->count == 1) {
        join = bomp_set_nodes(entry)[0];
        bomp_node_hold(join);
    } else if (entry->count > 1) {
        join = bomp_node_new_join(self);
        bomp_node_hold(join);
        link_to(join, entry, BOMP_DEPEND_OUT);
        if (bomp_node_start(join))
            bomp_node_complete(join, self);
    }
    set_clear(entry, self);
    if (join) {
        forget(&entry->last, self);
        entry->last = join;
    }
}

BZ_INLINE void record_out(struct bomp_depend_entry *entry, struct bomp_node *node, struct bz_worker *self) {
    link_to(node, entry, BOMP_DEPEND_OUT);
    bomp_node_hold(node);
    if (entry->count > 0 || entry->mutex)
        set_clear(entry, self);
    forget(&entry->last, self);
    entry->last = node;
}

BZ_INLINE void record_in_set(struct bomp_depend_entry *entry, enum bomp_depend_kind kind,
                             struct bomp_node *node, struct bz_worker *self) {
    if (bz_unlikely(waits_for_set(entry, kind)))
        close_set(entry, self);
    if (bz_unlikely(entry->count == bomp_set_room(entry)))
        set_grow(entry, self);
    entry->kind = (uint8_t)kind;
    forget_complete(&entry->last, self);
    link_to(node, entry, kind);
    bomp_node_hold(node);
    bomp_set_nodes(entry)[entry->count++] = node;
}

/* For an address that the list names twice see depend.md. If this node is there already, it is the newest. */
BZ_INLINE void record(struct bomp_table *table, const struct bomp_depend *item, size_t most,
                      struct bomp_node *node, struct bz_worker *self) {
    uint32_t *slot = find_slot(table, item->address);
    if (!*slot) {
        table->entries[table->used] =
            (struct bomp_depend_entry){.address = item->address, .last = table->all};
        *slot = (uint32_t)++table->used;
        if (table->all)
            bomp_node_hold(table->all);
    }
    struct bomp_depend_entry *entry = &table->entries[*slot - 1];
    bool again = entry->count > 0 && bomp_set_nodes(entry)[entry->count - 1] == node;
    if (entry->last == node || (again && entry->kind == item->kind))
        return;
    if (again || item->kind == BOMP_DEPEND_OUT) {
        record_out(entry, node, self);
        return;
    }
    record_in_set(entry, item->kind, node, self);
    if (item->kind == BOMP_DEPEND_MUTEX) {
        if (!entry->mutex)
            entry->mutex = bomp_mutex_new();
        bomp_mutexes_add(&node->mutexes, entry->mutex, most);
    }
}

void bomp_table_enter(struct bomp_table *table, const struct bomp_depend_list *list, struct bz_worker *self,
                      struct bomp_node *node) {
    forget_complete(&table->all, self);
    if (names_all(list)) {
        link_to_all(node, table);
        if (table->used > 0) {
            clear_entries(table, self);
            resize(table, 0);
        }
        forget(&table->all, self);
        table->all = node;
        bomp_node_hold(node);
        return;
    }
    if (table->used + list->count > (size_t)1 << (table->bits - 1))
        rebuild(table, list->count, self);
    for (size_t i = 0; i < list->count; i++)
        record(table, &list->items[i], list->count, node, self);
}

void bomp_table_await(const struct bomp_table *table, const struct bomp_depend_list *list,
                      struct bz_worker *self, bool runs, struct bomp_node *node) {
    bomp_node_init(node, BOMP_NODE_WAIT, self);
    if (names_all(list)) {
        link_to_all(node, table);
        return;
    }
    for (size_t i = 0; i < list->count; i++) {
        struct bomp_depend_entry *entry = find(table, list->items[i].address);
        enum bomp_depend_kind kind = list->items[i].kind;
        bool excludes = runs && kind == BOMP_DEPEND_MUTEX;
        if (entry)
            link_to(node, entry, kind == BOMP_DEPEND_MUTEX && !runs ? BOMP_DEPEND_OUT : kind);
        else if (table->all)
            bomp_node_link(node, table->all);
        if (excludes && entry && entry->mutex)
            bomp_mutexes_add(&node->mutexes, entry->mutex, list->count);
    }
}
