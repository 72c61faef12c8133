#include <blitz.h>
#include <stdio.h>

struct number {
    int n;
    int is_prime;
};

static void check(void *arg) {
    struct number *number = arg;
    number->is_prime = number->n > 1;
    for (int d = 2; d * d <= number->n; d++)
        if (number->n % d == 0)
            number->is_prime = 0;
}

int main(void) {
    struct number numbers[1000];
    int primes = 0;
    blitz_scope scope;
    blitz_scope_begin(&scope);
    for (int i = 0; i < 1000; i++) {
        numbers[i].n = i;
        blitz_scope_spawn(&scope, check, &numbers[i]);
    }
    blitz_scope_wait(&scope);
    for (int i = 0; i < 1000; i++)
        primes += numbers[i].is_prime;
    printf("%d\n", primes);
    return primes != 168;
}
