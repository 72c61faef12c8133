/* Credit for what would take too much time if it were done every time: it grows with the time that passes. */
#ifndef BOMP_CREDIT_H
#define BOMP_CREDIT_H

#include <stdbool.h>
#include <stdint.h>

#include "omp/base/tuning.h"
#include "runtime.h"

/* Of one thread. All 0: full. */
struct bomp_credit {
    uint32_t left;
    uint32_t refused; /* times that there was none */
    uint64_t since;   /* when it was last renewed, in nanoseconds */
};

/* Adds what the time since the last call is worth, up to BOMP_CREDIT_MOST. */
void bomp_credit_renew(struct bomp_credit *credit);

/* Uses up `price`. False: there is less. */
static inline bool bomp_credit_take(struct bomp_credit *credit, uint32_t price) {
    if (credit->left < price) {
        if (credit->refused++ % BOMP_CREDIT_ASKS == 0)
            bomp_credit_renew(credit);
        if (credit->left < price)
            return false;
    }
    credit->left -= price;
    return true;
}

#endif
