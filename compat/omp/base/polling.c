/* Looks for imports of the compilers' entry points for taskyield, and of those that show a task's successors, in what is
 * loaded: once at the first region, and again when one comes from a page of code that none came from before and something
 * was loaded since. Then it looks for the C++ runtime, too, whose exceptions follow suspended tasks, and for functions that
 * we do not have. */
#include "omp/base/polling.h"

#include "omp/base/missing.h"

struct bz_a64 bomp_pages_known[BOMP_PAGES];
struct bz_a32 bomp_polls;

/* Objects loaded at the last look; written by any. Without a lock, which another thread might hold at a fork: two that look
 * at the same time look at all, and the older number costs one look more. Relaxed: the number alone counts. */
static struct bz_a64 seen;

/* What its tasks must not run at once for. */
static const char *const names[] = {"GOMP_taskyield", "__kmpc_omp_taskyield", "__kmpc_task_get_depnode",
                                    "__kmpc_task_get_successors", NULL};

void bomp_polling_look(uint64_t page) {
    bomp_missing_look();
    uint64_t before = bz_load_relaxed(&seen), loads = before;
    if (bz_os_imports(names, &loads))
        bz_store_relaxed(&bomp_polls, 1); /* relaxed: as polling.h says */
    if (loads != before)
        bz_fiber_look_for_exceptions();
    bz_store_relaxed(&seen, loads);
    bz_store_relaxed(&bomp_pages_known[page % BOMP_PAGES], page); /* relaxed: a cache */
}
