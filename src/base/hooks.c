#include "base/hooks.h"

const struct bz_hooks *bz_hooks;

void bz_watched_run(void *arg) {
    struct bz_watched *call = arg;
    bz_hooks->begins(call);
    call->fn(call->arg);
    bz_hooks->ends();
}

BZ_COLD void bz_watched_begin(const void *function, const void *site) {
    bz_hooks->begins(bz_hooks->made(function, site, false));
}

BZ_COLD void bz_watched_make(blitz_fn **fn, void **arg, const void *site) {
    struct bz_watched *call = bz_hooks->made((const void *)(uintptr_t)*fn, site, false);
    if (!call)
        return;
    call->fn = *fn;
    call->arg = *arg;
    *fn = bz_watched_run;
    *arg = call;
}
