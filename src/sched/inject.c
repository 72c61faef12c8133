#include "sched/inject.h"

#include <stddef.h>

#include "base/config.h"

void bz_injector_push(struct bz_injector *injector, struct bz_inject_node *node) {
    struct bz_inject_list *list = &injector->head[node->priority];
    struct bz_inject_node *head = bz_load_relaxed(list);
    do
        node->next = head;
    while (!bz_cas_release(list, &head, node)); /* I1: pairs with I2 */
}

static struct bz_inject_node *reverse(struct bz_inject_node *newest) {
    struct bz_inject_node *oldest = NULL;
    while (newest) {
        struct bz_inject_node *next = newest->next;
        newest->next = oldest;
        oldest = newest;
        newest = next;
    }
    return oldest;
}

/* With `busy` held: which priority the next take is for. */
static unsigned next_priority(struct bz_injector *injector) {
    unsigned takes = ++injector->takes;
    unsigned priority = takes % BZ_INJECT_FAIR != 0 ? BZ_INJECT_HIGH : takes / BZ_INJECT_FAIR % 2;
    for (unsigned i = 1; i < BZ_INJECT_PRIORITIES && !bz_injector_has_priority(injector, priority); i++)
        priority = (priority + 1) % BZ_INJECT_PRIORITIES;
    return priority;
}

struct bz_inject_node *bz_injector_take(struct bz_injector *injector) {
    if (!bz_injector_has_jobs(injector) ||
        bz_exchange_acquire(&injector->busy, 1) != 0) /* I3: pairs with I4 */
        return NULL;
    unsigned priority = next_priority(injector);
    struct bz_inject_list *rest = &injector->rest[priority];
    struct bz_inject_node *first = bz_load_relaxed(rest); /* relaxed: under the lock */
    if (!first)
        first = reverse(bz_exchange_acquire(&injector->head[priority], NULL)); /* I2: pairs with I1 */
    if (first)
        bz_store_relaxed(rest, first->next);
    bz_store_release(&injector->busy, 0); /* I4: pairs with I3 */
    return first;
}

bool bz_injector_has_jobs(const struct bz_injector *injector) {
    return bz_injector_has_priority(injector, BZ_INJECT_NORMAL) ||
           bz_injector_has_priority(injector, BZ_INJECT_HIGH) ||
           bz_injector_has_priority(injector, BZ_INJECT_LOW);
}
