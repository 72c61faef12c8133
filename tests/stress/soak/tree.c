/* tree.c: the shape of the tree, and its sum. */
#include "soak.h"

static uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

unsigned pick(struct node n, unsigned salt, unsigned range) {
    return (unsigned)((mix(n.seed ^ salt * 0xd1342543de82ef95u) >> 16) % range);
}

unsigned node_count(struct node n) {
    if (n.budget < 2)
        return 0;
    unsigned most = n.budget - 1, shape = pick(n, PICK_SHAPE, 8), count;
    if (shape == 0)
        count = most;
    else if (shape == 1)
        count = 1;
    else
        count = 2 + pick(n, PICK_COUNT, 7);
    if (count > MOST_CHILDREN)
        count = MOST_CHILDREN;
    return count < most ? count : most;
}

struct node node_child(struct node n, unsigned i) {
    return (struct node){mix(n.seed + 0x632be59bd9b4e019u * (i + 1)), (n.budget - 1) / node_count(n)};
}

uint64_t node_value(struct node n) {
    return mix(n.seed ^ 0x5851f42d4c957f2du);
}

uint64_t node_sum(struct node n) {
    unsigned count = node_count(n);
    if (count == 0)
        return node_value(n);
    uint64_t sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += node_sum(node_child(n, i));
    return sum;
}
