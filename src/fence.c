#include "fence.h"

#include "os/os.h"

bool bz_fence_symmetric = true;

void bz_fence_init(void) {
    bz_fence_symmetric = !bz_os_membarrier_register();
}

void bz_fence_heavy(void) {
    bz_fence_seq_cst();
    if (!bz_fence_symmetric)
        bz_os_membarrier();
}
