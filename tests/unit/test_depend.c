/* test_depend.c: depend_table.h and depend_node.h on one thread: the order of nodes, and when entries are forgotten.
 * stress_depend.c has many threads. */
#include "../asserts.h"
#include "omp/task/depend_table.h"

#define IN BOMP_DEPEND_IN
#define OUT BOMP_DEPEND_OUT
#define MUTEX BOMP_DEPEND_MUTEX
#define SET BOMP_DEPEND_INOUTSET

/* ---- a table without tasks: its nodes are waits, notified through `ready` ---- */

static struct bomp_table *table;
static struct bz_worker *self;
static int x, y;

static int set_up(void **state) {
    (void)state;
    self = bz_worker_adopt();
    table = bomp_table_new();
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    bomp_table_free(table, self);
    return 0;
}

static struct bomp_depend_list one(const void *address, enum bomp_depend_kind kind) {
    static struct bomp_depend item;
    item = (struct bomp_depend){address, kind};
    return (struct bomp_depend_list){&item, 1};
}

/* Enters and starts a node; `now`: it must be ready at once. If it becomes ready later, it wakes this worker. */
static struct bomp_node *enter_list(const struct bomp_depend_list *list, bool now) {
    struct bomp_node *node = bomp_node_new_join(self);
    bomp_node_init(node, BOMP_NODE_WAIT, self);
    bomp_table_enter(table, list, self, node);
    bz_store_relaxed(&node->ready, bomp_node_start(node));
    assert_int_equal(node->ready.v, now);
    return node;
}

static struct bomp_node *enter(const void *address, enum bomp_depend_kind kind, bool now) {
    struct bomp_depend_list list = one(address, kind);
    return enter_list(&list, now);
}

static void complete(struct bomp_node *node) {
    assert_true(node->ready.v);
    bomp_node_complete(node, self);
}

/* Whether a taskwait with this dependence waits; a task would as well. Its node stays with the worker's memory: its
 * predecessors have edges to it. */
static bool blocks(const void *address, enum bomp_depend_kind kind) {
    struct bomp_depend_list list = one(address, kind);
    struct bomp_node *node = bz_worker_alloc(self, sizeof *node);
    bool asked = bomp_table_blocks(table, &list);
    bomp_table_await(table, &list, self, false, node);
    bool waits = !bomp_node_start(node);
    assert_int_equal(asked, waits);
    return waits;
}

/* ---- order ---- */

static void outs_form_a_chain(void **state) {
    (void)state;
    struct bomp_node *a = enter(&x, OUT, true), *b = enter(&x, OUT, false), *c = enter(&x, OUT, false);
    struct bomp_node *other = enter(&y, OUT, true);
    complete(a);
    assert_true(b->ready.v && !c->ready.v);
    complete(other);
    complete(b);
    assert_true(c->ready.v);
    assert_true(blocks(&x, IN) && !blocks(&y, OUT));
    complete(c);
    assert_false(blocks(&x, OUT));
}

static void readers_wait_for_the_writer_alone(void **state) {
    (void)state;
    struct bomp_node *in[10], *out = enter(&x, OUT, true);
    for (int i = 0; i < 10; i++)
        in[i] = enter(&x, IN, false);
    struct bomp_node *next = enter(&x, OUT, false);
    assert_non_null(next->blocks); /* ten do not fit */
    complete(out);
    for (int i = 0; i < 10; i++) {
        assert_false(next->ready.v);
        complete(in[i]);
    }
    assert_true(next->ready.v);
    complete(next);
}

static void sets_of_other_kinds_wait_for_a_join(void **state) {
    (void)state;
    struct bomp_node *in[20], *set[20];
    for (int i = 0; i < 20; i++)
        in[i] = enter(&x, IN, true);
    for (int i = 0; i < 20; i++) {
        set[i] = enter(&x, SET, false);
        assert_int_equal(set[i]->unmet.v, 1);
    }
    for (int i = 0; i < 20; i++) {
        assert_false(set[0]->ready.v);
        complete(in[i]);
    }
    for (int i = 0; i < 20; i++)
        complete(set[i]);
    assert_false(blocks(&x, OUT));
}

static void members_of_a_mutex_set_come_one_by_one(void **state) {
    (void)state;
    struct bomp_node *a = enter(&x, MUTEX, true), *b = enter(&x, MUTEX, false), *c = enter(&x, MUTEX, false);
    struct bomp_node *in = enter(&x, IN, false);
    complete(a);
    assert_int_equal(b->ready.v + c->ready.v, 1);
    struct bomp_node *first = b->ready.v ? b : c, *second = first == b ? c : b;
    complete(first);
    assert_true(second->ready.v && !in->ready.v);
    complete(second);
    assert_true(in->ready.v);
    complete(in);
}

static void an_address_counts_once(void **state) {
    (void)state;
    struct bomp_depend items[] = {{&x, IN}, {&x, IN}, {&y, IN}, {&y, MUTEX}};
    struct bomp_depend_list list = {items, 4};
    struct bomp_node *a = enter_list(&list, true), *b = enter_list(&list, false);
    assert_int_equal(b->unmet.v, 1); /* y, as out; both read x */
    assert_null(b->mutexes);
    complete(a);
    complete(b);
    struct bomp_depend twice[] = {{&x, MUTEX}, {&x, MUTEX}, {&y, OUT}, {&y, IN}};
    list = (struct bomp_depend_list){twice, 4};
    struct bomp_node *c = enter_list(&list, true), node;
    assert_int_equal(c->mutexes->count, 1);
    bomp_table_await(table, &list, self, true, &node);
    assert_int_equal(node.mutexes->count, 1);
    assert_false(bomp_node_start(&node));
    complete(c);
    assert_true(node.ready.v);
    bomp_node_end_wait(&node, self);
    assert_false(blocks(&x, MUTEX) || blocks(&y, IN));
}

static void a_wait_on_the_stack_is_not_recorded(void **state) {
    (void)state;
    struct bomp_node *in = enter(&x, IN, true), node;
    struct bomp_depend_list list = one(&x, MUTEX);
    bomp_table_await(table, &list, self, true, &node);
    assert_false(bomp_node_start(&node));
    assert_false(blocks(&x, IN));
    complete(in);
    assert_true(node.ready.v);
    bomp_node_end_wait(&node, self);
    struct bomp_node *member = enter(&x, MUTEX, true);
    list = one(&x, MUTEX);
    bomp_table_await(table, &list, self, true, &node); /* the member's mutex */
    assert_false(bomp_node_start(&node));
    complete(member);
    assert_true(node.ready.v);
    bomp_node_end_wait(&node, self);
}

/* ---- all memory ---- */

#define ALL NULL, BOMP_DEPEND_ALL

static void all_memory_is_between_what_is_before_and_after(void **state) {
    (void)state;
    struct bomp_node *out = enter(&x, OUT, true), *in[3], *set[2];
    for (int i = 0; i < 3; i++)
        in[i] = enter(&x, IN, false);
    for (int i = 0; i < 2; i++)
        set[i] = enter(&y, SET, true);
    struct bomp_node *all = enter(ALL, false);
    static int z;
    struct bomp_node *later[] = {enter(&x, IN, false), enter(&y, SET, false), enter(&z, OUT, false)};
    struct bomp_node *again = enter(ALL, false), *last = enter(&z, IN, false);
    complete(out);
    for (int i = 0; i < 3; i++)
        complete(in[i]);
    complete(set[0]);
    assert_false(all->ready.v);
    complete(set[1]);
    assert_true(all->ready.v);
    for (int i = 0; i < 3; i++)
        assert_false(later[i]->ready.v);
    complete(all);
    for (int i = 0; i < 3; i++) {
        assert_false(again->ready.v);
        complete(later[i]);
    }
    assert_true(again->ready.v && !last->ready.v);
    complete(again);
    complete(last);
    assert_false(blocks(ALL) || blocks(&x, OUT) || blocks(&z, OUT));
}

static void all_memory_wins_over_addresses(void **state) {
    (void)state;
    struct bomp_node *a = enter(&x, OUT, true);
    struct bomp_depend items[] = {{ALL}, {&y, MUTEX}, {&y, IN}};
    struct bomp_node *b = enter_list(&(struct bomp_depend_list){items, 3}, false);
    assert_null(b->mutexes);
    complete(a);
    struct bomp_node *c = enter(&y, MUTEX, false), *d = enter(&y, MUTEX, false);
    complete(b);
    assert_int_equal(c->ready.v + d->ready.v, 1);
    struct bomp_node *first = c->ready.v ? c : d;
    complete(first);
    complete(first == c ? d : c);
}

static void a_wait_for_all_memory_on_the_stack(void **state) {
    (void)state;
    struct bomp_node *in = enter(&x, IN, true), *set = enter(&y, SET, true), node;
    struct bomp_depend_list list = one(ALL);
    bomp_table_await(table, &list, self, true, &node);
    assert_false(bomp_node_start(&node));
    complete(in);
    assert_false(node.ready.v);
    complete(set);
    assert_true(node.ready.v);
    bomp_node_end_wait(&node, self);
    struct bomp_node *all = enter(ALL, true);
    list = one(&x, IN); /* in the table only for that */
    bomp_table_await(table, &list, self, false, &node);
    assert_false(bomp_node_start(&node));
    complete(all);
    assert_true(node.ready.v);
    bomp_node_end_wait(&node, self);
}

static void all_memory_takes_no_room(void **state) {
    (void)state;
    static char cells[1000];
    static struct bomp_node *nodes[1000];
    struct bomp_node *chain[100];
    for (int i = 0; i < 1000; i++)
        nodes[i] = enter(&cells[i], OUT, true);
    assert_true(table->bits >= 10);
    for (int i = 0; i < 100; i++) {
        chain[i] = enter(ALL, false);
        assert_true(table->bits <= 6 && table->used == 0);
        assert_int_equal(chain[i]->unmet.v,
                         i == 0 ? 1000 : 1); /* predecessors of the last node; none is repeated */
    }
    for (int i = 0; i < 1000; i++)
        complete(nodes[i]);
    for (int i = 0; i < 100; i++)
        complete(chain[i]);
    assert_false(blocks(&x, OUT));
    for (int i = 0; i < 1000; i++)
        complete(enter(ALL, true));
    for (int i = 0; i < 1000; i++)
        nodes[i] = enter(&cells[i], OUT, true);
    assert_true(blocks(ALL) && table->bits >= 10);
    for (int i = 0; i < 1000; i++)
        complete(nodes[i]);
    assert_false(blocks(ALL));
}

static void a_predecessor_counts_once(void **state) {
    (void)state;
    struct bomp_depend items[] = {{&x, OUT}, {&y, OUT}};
    struct bomp_depend_list list = {items, 2};
    struct bomp_node *a = enter_list(&list, true), *b = enter_list(&list, false);
    assert_int_equal(b->unmet.v, 1);
    complete(a);
    complete(b);
}

/* ---- forgetting ---- */

static void many_addresses_take_the_room_of_a_few(void **state) {
    (void)state;
    static char cells[100000];
    struct bomp_node *kept = enter(&x, OUT, true);
    for (int i = 0; i < 100000; i++)
        complete(enter(&cells[i], i % 2 ? OUT : IN, true));
    assert_true(table->bits <= 6);
    assert_true(blocks(&x, IN));
    for (int i = 0; i < 1000; i++)
        (void)enter(&cells[i], OUT, true);
    assert_true(table->bits >= 10);
    for (int i = 0; i < 1000; i++)
        assert_true(blocks(&cells[i], IN));
    /* their nodes go when they are complete */
    for (size_t i = 0; i < table->used; i++) {
        struct bomp_depend_entry *entry = &table->entries[i];
        if (entry->address != &x && entry->last)
            complete(entry->last);
    }
    for (int i = 0; i < 3000; i++)
        complete(enter(&cells[50000 + i], OUT, true));
    assert_true(table->bits <= 6); /* and it shrinks */
    complete(kept);
}

static void readers_that_are_done_make_room(void **state) {
    (void)state;
    struct bomp_node *kept = enter(&x, IN, true);
    for (int i = 0; i < 100000; i++)
        complete(enter(&x, IN, true));
    size_t entry = 0;
    while (table->entries[entry].address != &x)
        entry++;
    assert_true(bomp_set_room(&table->entries[entry]) <= 8);
    assert_true(blocks(&x, OUT));
    complete(kept);
    assert_false(blocks(&x, OUT));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(outs_form_a_chain),
        TEST(readers_wait_for_the_writer_alone),
        TEST(sets_of_other_kinds_wait_for_a_join),
        TEST(members_of_a_mutex_set_come_one_by_one),
        TEST(an_address_counts_once),
        TEST(a_wait_on_the_stack_is_not_recorded),
        TEST(all_memory_is_between_what_is_before_and_after),
        TEST(all_memory_wins_over_addresses),
        TEST(a_wait_for_all_memory_on_the_stack),
        TEST(all_memory_takes_no_room),
        TEST(a_predecessor_counts_once),
        TEST(many_addresses_take_the_room_of_a_few),
        TEST(readers_that_are_done_make_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
