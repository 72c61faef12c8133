#include "inject.h"

#include <stddef.h>

void bz_injector_init(struct bz_injector *injector) {
    bz_store_relaxed(&injector->head, NULL); /* relaxed: not shared yet */
    bz_store_relaxed(&injector->busy, 0);
    bz_store_relaxed(&injector->rest, NULL);
}

void bz_injector_push(struct bz_injector *injector, struct bz_inject_node *node) {
    struct bz_inject_node *head = bz_load_relaxed(&injector->head);
    do
        node->next = head;
    while (!bz_cas_release(&injector->head, &head, node)); /* I1: pairs with I2 */
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

struct bz_inject_node *bz_injector_take(struct bz_injector *injector, unsigned max) {
    if (!bz_injector_has_jobs(injector) ||
        bz_exchange_acquire(&injector->busy, 1) != 0) /* I3: pairs with I4 */
        return NULL;
    struct bz_inject_node *first = bz_load_relaxed(&injector->rest); /* relaxed: under the lock */
    if (!first)
        first = reverse(bz_exchange_acquire(&injector->head, NULL)); /* I2: pairs with I1 */
    struct bz_inject_node **end = &first;
    for (unsigned i = 0; i < max && *end; i++)
        end = &(*end)->next;
    bz_store_relaxed(&injector->rest, *end);
    *end = NULL;
    bz_store_release(&injector->busy, 0); /* I4: pairs with I3 */
    return first;
}

bool bz_injector_has_jobs(const struct bz_injector *injector) {
    return bz_load_relaxed(&injector->head) ||
           bz_load_relaxed(&injector->rest); /* relaxed: callers fence (S2) */
}
