#include <blitz.h>
#include <errno.h>
#include <stdio.h>

static intptr_t add_up(void *arg) {
    intptr_t sum = 0;
    for (int i = 1; i <= *(int *)arg; i++)
        sum += i;
    return sum;
}

static void write_log(void *arg) {
    ++*(int *)arg;
}

int main(void) {
    int n = 1000, lines = 0;
    intptr_t sum = 0;
    blitz_future *future, *late;
    blitz_token token;
    blitz_token_init(&token, NULL);
    blitz_token_cancel(&token); /* skips what has not begun */
    blitz_options urgent = {.priority = BLITZ_PRIORITY_HIGH}, cancelled = {.token = &token};
    if (blitz_submit(NULL, write_log, &lines) || /* without a result */
        blitz_future_submit(NULL, add_up, &n, &urgent, &future) ||
        blitz_future_submit(NULL, add_up, &n, &cancelled, &late))
        return 1;
    while (blitz_future_wait_for(future, 1000000, &sum) == ETIMEDOUT)
        puts("not within a millisecond");
    int error = blitz_future_wait(late, NULL);
    blitz_future_drop(future);
    blitz_future_drop(late);
    blitz_wait_idle(NULL);
    printf("%ld %d\n", (long)sum, lines);
    return sum != 500500 || lines != 1 || error != ECANCELED;
}
