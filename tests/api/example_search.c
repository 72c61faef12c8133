/* Searches, filters and sums: the log of a service. */
#include <blitz/algo.h>
#include <stdio.h>
#include <stdlib.h>

struct request {
    uint32_t status, micros;
};

static int is_error(const void *elem, void *ctx) {
    (void)ctx;
    return ((const struct request *)elem)->status >= 500;
}

/* Where every instruction counts a search gets a range: the loop is the program's own. */
static size_t first_slow(size_t lo, size_t hi, void *ctx) {
    const struct request *log = ctx;
    while (lo < hi && log[lo].micros < 100000)
        lo++;
    return lo;
}

static int time_of(const void *in, void *out, void *ctx) {
    (void)ctx;
    *(uint64_t *)out = ((const struct request *)in)->micros;
    return 0;
}

int main(void) {
    enum { COUNT = 1000000 };
    struct request *log = malloc(COUNT * sizeof *log), *errors = malloc(COUNT * sizeof *errors);
    uint64_t *micros = malloc(COUNT * sizeof *micros), total = 0;
    size_t failed = 0, first = 0, slow = 0;
    int error = !log || !errors || !micros;
    for (uint32_t i = 0; !error && i < COUNT; i++)
        log[i] = (struct request){i % 1000 == 999 ? 503 : 200, i == 777777 ? 250000 : i % 100};
    if (!error) {
        first = blitz_find_first(log, COUNT, sizeof *log, is_error, NULL);
        slow = blitz_seek_first(0, COUNT, 0, first_slow, log);
        error = blitz_compact(log, COUNT, sizeof *log, is_error, NULL, errors, &failed);
    }
    if (!error)
        error = blitz_map(log, sizeof *log, micros, sizeof *micros, COUNT, time_of, NULL);
    if (!error) /* micros[i] is when request i began, if one came after the other */
        error = blitz_exclusive_sum_u64(micros, micros, COUNT, &total);
    if (!error)
        printf("%zu errors, the first is request %zu; request %zu was slow and began after %.3f of %.3f s\n",
               failed, first, slow, (double)micros[slow] / 1e6, (double)total / 1e6);
    free(log), free(errors), free(micros);
    return error || failed != 1000 || first != 999 || slow != 777777 || total != 49749923;
}
