/* The flush construct. */
#include "omp/bomp.h"
#include "omp/team/member.h"
#include "omp/tool/hooks.h"
#include "runtime.h"

void bomp_flush(void) {
    bz_fence_seq_cst(); /* FL1: pairs with FL1: one of two flushes comes first */
    if (bz_unlikely(bomp_hooks))
        bomp_hooks->mutex->flush(BOMP_SITE);
}
