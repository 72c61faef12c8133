/* The sparse matrix's factoring, block by block. */
#include "workload.h"

static uint64_t factor_all(void *lu) {
    lu_serial(lu);
    return 0;
}

int main(int argc, char **argv) {
    return lu_main(argc, argv, factor_all);
}
