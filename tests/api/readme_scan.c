#include <blitz/algo.h>
#include <stdio.h>

enum { COUNT = 100000 };
static int lengths[COUNT], starts[COUNT];

static int length_of(const void *in, void *out, void *ctx) {
    (void)ctx;
    *(int *)out = *(const int *)in % 7;
    return 0; /* another number ends the map */
}

int main(void) {
    uint64_t with_length[7];
    int total;
    for (int i = 0; i < COUNT; i++)
        lengths[i] = i;
    if (blitz_map(lengths, sizeof(int), lengths, sizeof(int), COUNT, length_of, NULL) ||
        blitz_exclusive_sum_i32(lengths, starts, COUNT, &total) || /* where each one begins */
        blitz_histogram_u32((const uint32_t *)lengths, COUNT, 7, with_length))
        return 1;
    printf("%d %d %d\n", starts[8], total, (int)with_length[0]);
    return starts[8] != 21 || total != blitz_sum_i32(lengths, COUNT) || with_length[0] != 14286;
}
