// Sections in newer icx code: the threads request the next one.
// beyond libomp: it aborts in a team of one
#include "calls.h"

enum { ROUNDS = 100 };

static void sections(int32_t *gtid, int32_t *btid, int *counts) {
    (void)btid;
    for (int r = 0; r < ROUNDS; r++) {
        int32_t section, before = -1;
        __kmpc_sections_init(&here, *gtid);
        while ((section = __kmpc_next_section(&here, *gtid, 4)) < 4 && section >= 0) {
            CHECK(section > before);
            before = section;
            count_up(&counts[section]);
        }
        __kmpc_end_sections(&here, *gtid);
        if (r % 2)
            __kmpc_barrier(&here, *gtid);
    }
}

int main(void) {
    omp_set_dynamic(0);
    for (int threads = 1; threads <= 8; threads *= 2) {
        int ran[4] = {0};
        REGION(threads, sections, 1, ran);
        for (int i = 0; i < 4; i++)
            CHECK_EQ(ran[i], ROUNDS);
    }
    return check_done("sections");
}
