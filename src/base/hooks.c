#include "base/hooks.h"

const struct bz_hooks *bz_hooks;

void bz_watched_run(void *arg) {
    struct bz_watched *call = arg;
    bz_hooks->begins(call);
    call->fn(call->arg);
    bz_hooks->ends();
}

intptr_t bz_watched_run_value(void *arg) {
    struct bz_watched *call = arg;
    bz_hooks->begins(call);
    intptr_t value = call->value_fn(call->arg);
    bz_hooks->ends();
    return value;
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

BZ_COLD void bz_watched_make_value(blitz_value_fn **fn, void **arg, const void *site) {
    struct bz_watched *call = bz_hooks->made((const void *)(uintptr_t)*fn, site, false);
    if (!call)
        return;
    call->value_fn = *fn;
    call->arg = *arg;
    call->is_kept = true;
    *fn = bz_watched_run_value;
    *arg = call;
}
