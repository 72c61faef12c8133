#include <blitz.h>
#include <stdio.h>

enum { STEPS = 100, SIZE = 100000 };
static double blocks[2][SIZE];

struct read {
    int step;
    double *block;
};

static void read_block(void *arg) {
    const struct read *read = arg;
    for (int i = 0; i < SIZE; i++)
        read->block[i] = read->step + i % 7;
}

int main(void) {
    double sum = 0;
    struct read next = {0, blocks[0]};
    read_block(&next);
    for (int step = 0; step < STEPS; step++) {
        const double *block = blocks[step % 2];
        blitz_frame frame; /* the next block is read while this one is used */
        next = (struct read){step + 1, blocks[(step + 1) % 2]};
        blitz_fork(&frame, read_block, &next);
        for (int i = 0; i < SIZE; i++)
            sum += block[i];
        blitz_sync(&frame); /* before the function returns, or forks on the frame again */
    }
    printf("%.0f\n", sum);
    return sum < 5.2e8 || sum > 5.3e8;
}
