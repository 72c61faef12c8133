/* A future: a job that returns a value; the caller polls it, waits for it with a limit, and then without. */
#include <blitz.h>
#include <errno.h>
#include <stdio.h>

#define MS UINT64_C(1000000)

static intptr_t count_primes(void *arg) {
    intptr_t count = 0;
    for (int n = 2; n < *(int *)arg; n++) {
        int is_prime = 1;
        for (int d = 2; d * d <= n && is_prime; d++)
            is_prime = n % d != 0;
        count += is_prime;
    }
    return count;
}

int main(void) {
    int limit = 200000;
    blitz_future *future;
    intptr_t count = 0;
    if (blitz_future_submit(NULL, count_primes, &limit, NULL, &future))
        return 2;
    printf("%s\n", blitz_future_is_done(future) ? "already done" : "under way");
    while (blitz_future_wait_for(future, 10 * MS, &count) == ETIMEDOUT)
        printf("still counting\n"); /* or do something else meanwhile */
    blitz_future_drop(future);
    printf("%ld primes below %d\n", (long)count, limit);
    return count != 17984;
}
