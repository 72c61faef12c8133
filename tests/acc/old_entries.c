// threads: 2
// Entry points of compilers before gcc 12: GOACC_parallel of gcc 5, GOACC_enter_exit_data for both directives.
#include "../omp/check.h"
#include "events.h"

#include <openacc.h>

void GOACC_parallel(int, void (*)(void *), size_t, void **, size_t *, unsigned short *, int, int, int, int,
                    int, ...);
void GOACC_enter_exit_data(int, size_t, void **, size_t *, unsigned short *, int, int, ...);
int GOACC_get_num_threads(void);
int GOACC_get_thread_num(void);

static void body(void *data) {
    void **addresses = data;
    *(int *)addresses[0] += 1;
    CHECK_EQ(GOACC_get_num_threads(), 1);
    CHECK_EQ(GOACC_get_thread_num(), 0);
}

int main(void) {
    int value = 0;
    void *addresses[] = {&value, &value};
    size_t sizes[] = {sizeof value, sizeof value};
    unsigned short tofrom[] = {0x203, 0x203};
    acc_init(acc_device_host); /* libgomp needs it */
    GOACC_parallel(-1, body, 1, addresses, sizes, tofrom, 3, 4, 5, -2, 0);
    GOACC_parallel(-2, body, 1, addresses, sizes, tofrom, 1, 1, 1, 4, 2, 1, 3);
    CHECK_EQ(value, 2);
    for (int event = acc_ev_device_init_start; event < acc_ev_last; event++)
        acc_prof_register(event, print_event, acc_reg);
    static const unsigned short firsts[] = {0x00, 0x01, 0x02, 0x04, 0x05, 0x06, 0x07,
                                            0x17, 0x50, 0x51, 0x80, 0x81, 0x82};
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) {
        for (int second = 1; second <= 2; second++) {
            unsigned short kinds[] = {firsts[i] | 0x200, (unsigned short)second};
            printf("kinds %x, %x\n", kinds[0], kinds[1]);
            GOACC_enter_exit_data(-1, 2, addresses, sizes, kinds, 7, 1, 3);
        }
    }
    return check_done("old_entries");
}
