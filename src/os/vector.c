#include "os/vector.h"

#include "base/atomic.h"
#include "base/compiler.h"

#if defined(__x86_64__)
#    include <cpuid.h>

#    define SSE_AND_AVX 6u /* in the mask of registers that the system saves */

enum { UNKNOWN, HAS_NONE, HAS_SOME };

static struct bz_a32 upper_halves; /* one of these. Any thread writes the same value, any reads it */

BZ_COLD static uint32_t detect(void) {
    unsigned a, b, c = 0, d, saved = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) && c & bit_OSXSAVE && c & bit_AVX)
        __asm__("xgetbv" : "=a"(saved), "=d"(d) : "c"(0));
    uint32_t found = (saved & SSE_AND_AVX) == SSE_AND_AVX ? HAS_SOME : HAS_NONE;
    bz_store_relaxed(&upper_halves, found); /* relaxed: a number alone */
    return found;
}

void bz_os_clear_upper_halves(void) {
    uint32_t has = bz_load_relaxed(&upper_halves); /* relaxed: as above */
    if (bz_unlikely(has == UNKNOWN))
        has = detect();
    if (has == HAS_SOME)
        __asm__ volatile("vzeroupper" ::
                             : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
                               "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

#else

void bz_os_clear_upper_halves(void) {
}

#endif
