/* The first match, by a plain loop. */
#include "workload.h"

static uint64_t cheap(void *arg) {
    const struct find *find = arg;
    return find_cheap_in(find, 0, find->size);
}

static uint64_t costly(void *arg) {
    const struct find *find = arg;
    return find_costly_in(find, 0, find->size);
}

int main(int argc, char **argv) {
    static const struct find_way way = {"", cheap, costly};
    return find_main(argc, argv, &way, 1);
}
