/* Scopes: groups of spawned tasks. */
#ifndef BZ_SCOPE_H
#define BZ_SCOPE_H

#include "blitz.h"
#include "sched/worker.h"

/* In bz_scope.life. */
#define BZ_SCOPE_OPEN UINT64_C(0x626c69747a53636f)

struct bz_scope {
    struct bz_a32 left; /* tasks that are not done: raised by the owner and by such tasks, lowered by each */
    struct bz_worker *self;   /* the owner, which began it and will wait; BZ_NOBODY, or at the end BZ_OVER */
    uint64_t life;            /* BZ_SCOPE_OPEN until the wait; written by the owner */
    const blitz_token *token; /* its cancellation skips tasks that have not begun; or NULL. Constant */
    int64_t floor;            /* jobs of the owner's deque below this index are older; constant */
};

static inline bool bz_scope_is_done(const struct bz_scope *scope) {
    return bz_load_acquire(&scope->left) == 0; /* L7: pairs with L8 */
}

/* The last task wakes the owner. The scope may be gone when this returns. */
static inline void bz_scope_end_task(struct bz_scope *scope) {
    struct bz_worker *owner = scope->self; /* read first: the scope may be gone after the last decrement */
    if (bz_fetch_sub_release(&scope->left, 1) == 1) /* L8: pairs with L7 */
        bz_worker_wake(owner);
}

#endif
