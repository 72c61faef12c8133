#include <blitz.h>
#include <stdio.h>

static void count_up(void *arg) {
    for (int i = 0; i < 1000; i++)
        ++*(long *)arg;
}

int main(void) {
    long left = 0, right = 0, forked = 0;
    blitz_frame frame;
    blitz_fork(&frame, count_up, &forked); /* may run from here on */
    blitz_join(count_up, &left, count_up, &right);
    blitz_sync(&frame);
    printf("%ld\n", left + right + forked);
    return left + right + forked != 3000;
}
