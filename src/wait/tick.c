/* tick.c: see tick.h. */
#include "wait/tick.h"

#include "base/compiler.h"
#include "os/os.h"

static BZ_COLD int read_first(clockid_t clock, struct timespec *time) {
    bz_os_tick_reader *read = bz_os_find_tick_reader();
    bz_store_relaxed(&bz_tick_reader, read); /* relaxed: a constant of the process's */
    return read(clock, time);
}

struct bz_tick_reader bz_tick_reader = {read_first};
