/* Scopes: groups of spawned tasks. What a task of a scope is, and which workers run one, for waiters. */
#ifndef BZ_SCOPE_H
#define BZ_SCOPE_H

#include "blitz.h"
#include "sched/latch.h"
#include "sched/worker.h"

/* In bz_scope.life. */
#define BZ_SCOPE_OPEN UINT64_C(0x626c69747a53636f)

struct bz_scope {
    /* Tasks that are not done; raised by the owner and by tasks that are not done themselves. */
    struct bz_count_latch left;
    struct bz_worker *self; /* the owner, who began it and will wait; or BZ_NOBODY, or in the end BZ_OVER */
    uint64_t life;          /* BZ_SCOPE_OPEN, until it is waited for; the owner's, as above */
    const blitz_token
        *token;    /* tasks that have not begun are skipped when it is cancelled; NULL: none. Constant */
    int64_t floor; /* jobs of the owner's deque below this index are older; constant */
};

#endif
