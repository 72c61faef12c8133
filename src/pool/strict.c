#include "pool/strict.h"

#include "env/error.h"
#include "os/os.h"
#include "pool/pool.h"

/* ---- open objects ---- */

struct bz_opened {
    unsigned count, room;
    struct open {
        const char *verb, *what;
        const void *object;
    } list[];
};

/* Its index; the count if missing. */
static unsigned find(const struct bz_opened *opened, const void *object) {
    unsigned i = 0;
    while (i < opened->count && opened->list[i].object != object)
        i++;
    return i;
}

static struct bz_opened *with_room(struct bz_opened *opened) {
    if (opened && opened->count < opened->room)
        return opened;
    unsigned count = opened ? opened->count : 0, room = 2 * count + 16;
    struct bz_opened *larger = bz_realloc(opened, sizeof *larger + room * sizeof larger->list[0]);
    if (!larger)
        bz_fatal("out of memory for a list of forks");
    larger->count = count;
    larger->room = room;
    return larger;
}

BZ_COLD void bz_strict_opened(struct bz_place *place, const char *verb, const char *what,
                              const void *object) {
    struct bz_opened *opened = place->opened = with_room(place->opened);
    if (find(opened, object) < opened->count)
        bz_misuse(verb, what, object, "is still open; sync it or wait for it before it is used again");
    opened->list[opened->count++] = (struct open){verb, what, object};
}

BZ_COLD void bz_strict_closed(struct bz_place *place, const char *verb, const char *what,
                              const void *object) {
    struct bz_opened *opened = place->opened;
    unsigned i = opened ? find(opened, object) : 0;
    if (!opened || i == opened->count)
        bz_misuse(verb, what, object,
                  "is not open: it was never forked or begun, or is complete; complete each one once");
    opened->list[i] = opened->list[--opened->count];
}

/* ---- functions ---- */

BZ_COLD _Noreturn void bz_strict_unsynced(struct bz_place *place, const char *verb, const void *fn) {
    const struct bz_opened *opened = place->opened;
    if (opened && opened->count > 0) {
        const struct open *last = &opened->list[opened->count - 1];
        bz_misuse(
            last->verb, last->what, last->object,
            "is still open; sync it or wait for it before the function that forked or began it returns");
    }
    bz_misuse(
        verb, "function", fn,
        "returned with an open fork or scope; sync each fork and wait for each scope before it returns");
}

BZ_COLD void bz_strict_left(const struct bz_strict *strict, const char *verb, uintptr_t frame) {
    if (bz_os_stack_holds(strict->frame) && bz_os_stack_holds(frame))
        bz_misuse(verb, "function", strict->fn, "was left by longjmp or an exception; it must return");
}

BZ_COLD _Noreturn void bz_strict_refuse(const char *verb, const char *what, const void *object,
                                        const struct bz_worker *worker, const char *begun, const char *over) {
    const void *holder;
    if (worker == BZ_OVER)
        bz_misuse(verb, what, object, "was already %s", over);
    if (!bz_pool_has_worker(worker, &holder))
        bz_misuse(verb, what, object, "was never %s", begun);
    if (holder != &bz_self)
        bz_misuse(verb, what, object, "was %s by another thread; it must be %s there", begun, over);
    bz_misuse(verb, what, object, "was %s in another pool or region; it must be %s there", begun, over);
}
