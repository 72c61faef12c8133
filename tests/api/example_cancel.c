/* A token: many jobs search for the same number, and the first one that finds it ends the others. */
#include <blitz.h>
#include <stdio.h>

#define JOBS 64
#define RANGE 100000u

static blitz_token found;
static unsigned starts[JOBS];
static unsigned answer;

/* Jobs that have begun poll the token. */
static void search(void *arg) {
    unsigned start = *(unsigned *)arg;
    for (unsigned n = start; n < start + RANGE && !blitz_token_is_cancelled(&found); n++)
        if (n * 2654435761u % 4000037u == 17) {
            __atomic_store_n(&answer, n, __ATOMIC_RELAXED);
            blitz_token_cancel(&found);
        }
}

int main(void) {
    blitz_options options = {.token = &found, .priority = BLITZ_PRIORITY_LOW};
    blitz_token_init(&found, NULL);
    for (unsigned i = 0; i < JOBS; i++) {
        starts[i] = i * RANGE;
        if (blitz_submit_with(NULL, search, &starts[i], &options))
            return 2;
    }
    blitz_wait_idle(NULL); /* also for those that were skipped */
    printf("%u\n", answer);
    return answer * 2654435761u % 4000037u != 17;
}
