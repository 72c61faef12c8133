/* For pools with pinned threads: one CPU set for each CPU that the process may use. */
#include "pool/pool.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>

#include "env/options.h"
#include "os/cpus.h"
#include "os/os.h"

/* Written under pthread_once, read after it; never freed, since pins refer to the addresses. */
static struct {
    uint64_t *sets; /* `count` of them, each of bz_cpus_words() words */
    unsigned count;
    int error;
} pins;

static int find(void) {
    size_t words = bz_cpus_words();
    uint64_t *all = __builtin_alloca(words * sizeof *all);
    int error = bz_cpus_of_process(all);
    if (error || (error = bz_cpus_keep(all)))
        return error;
    unsigned count = bz_cpus_count(all, words);
    pins.sets = bz_alloc_zero(count ? count : 1, words * sizeof *pins.sets);
    if (!pins.sets)
        return ENOMEM;
    pins.count = 0; /* pthread_once may run again in the child of a fork */
    for (unsigned cpu = bz_cpus_next(all, words, 0); cpu != UINT_MAX; cpu = bz_cpus_next(all, words, cpu + 1))
        bz_cpus_add(pins.sets + pins.count++ * words, cpu);
    return pins.count ? 0 : ENODEV;
}

static void find_once(void) {
    pins.error = find();
}

bool bz_pins_find(const blitz_config *config) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    bool pinned = config->flags & BLITZ_POOL_PINNED && !(config->flags & BLITZ_POOL_SERIAL) &&
                  bz_options_get()->workers != 0;
    if (pinned)
        (void)pthread_once(&once, find_once);
    return pinned;
}

int bz_pins_take(unsigned index) {
    return pins.error ? pins.error : bz_pin(pins.sets + index % pins.count * bz_cpus_words());
}
