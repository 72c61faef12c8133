/* tool.c: a library for ACC_PROFLIB. */
#include "events.h"

void acc_register_library(acc_prof_reg reg, acc_prof_reg unreg, acc_prof_lookup_func lookup) {
    printf("a tool is registered: %d %d %d\n", reg == acc_prof_register, unreg == acc_prof_unregister,
           lookup == acc_prof_lookup);
    reg(acc_ev_device_init_start, print_event, acc_reg);
    reg(acc_ev_compute_construct_start, print_event, acc_reg);
    reg(acc_ev_compute_construct_end, print_event, acc_reg);
    unreg(acc_ev_compute_construct_end, print_event, acc_reg);
}
