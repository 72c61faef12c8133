#include "omp/base/credit.h"

void bomp_credit_renew(struct bomp_credit *credit) {
    uint64_t now = bz_os_now_ns(), more = (now - credit->since) / BOMP_CREDIT_NS;
    if (more == 0)
        return;
    credit->left = more < BOMP_CREDIT_MOST - credit->left ? credit->left + (uint32_t)more : BOMP_CREDIT_MOST;
    credit->since = now;
}
