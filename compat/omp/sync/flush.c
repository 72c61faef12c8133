/* The flush construct. */
#include "omp/bomp.h"
#include "omp/team/member.h"
#include "omp/tool/hooks.h"
#include "runtime.h"

void bomp_flush(void) {
    bz_fence_seq_cst(); /* FL1: pairs with FL1, by which another thread's flush comes before or after it */
    if (bz_unlikely(bomp_hooks))
        bomp_hooks->mutex->flush(BOMP_SITE);
}
