/* Scopes: groups of spawned tasks. */
#ifndef BZ_SCOPE_H
#define BZ_SCOPE_H

#include "blitz.h"
#include "sched/latch.h"
#include "sched/worker.h"

/* In bz_scope.life. */
#define BZ_SCOPE_OPEN UINT64_C(0x626c69747a53636f)

struct bz_scope {
    /* Tasks that are not done; the owner and such tasks add to it. */
    struct bz_count_latch left;
    struct bz_worker *self;   /* the owner, which began it and will wait; BZ_NOBODY, or at the end BZ_OVER */
    uint64_t life;            /* BZ_SCOPE_OPEN until the wait; written by the owner */
    const blitz_token *token; /* its cancellation skips tasks that have not begun; or NULL. Constant */
    int64_t floor;            /* jobs of the owner's deque below this index are older; constant */
};

#endif
