/* Prefix sums and a filter, by plain loops. */
#include "workload.h"

int main(int argc, char **argv) {
    static const struct scan_ways ways = {scan_serial_reals, scan_serial_numbers, scan_serial_compact};
    return scan_main(argc, argv, &ways);
}
