/* Scopes: groups of spawned tasks. What a task of a scope is, and which workers run one, for waiters. */
#ifndef BZ_SCOPE_H
#define BZ_SCOPE_H

#include "blitz.h"
#include "latch.h"
#include "worker.h"

struct bz_scope {
    struct bz_count_latch
        left; /* tasks that are not done; raised by the owner and by tasks that are not done themselves */
    struct bz_worker *self; /* the owner, who began it and will wait; NULL: tasks run at once. Constant */
    const blitz_token
        *token;    /* tasks that have not begun are skipped when it is cancelled; NULL: none. Constant */
    int64_t floor; /* jobs of the owner's deque below this index are older; constant */
};

#endif
