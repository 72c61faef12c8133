/* A set of blocks that come from our allocators, so that compiled code may ask whether one does: Fortran's allocatable
 * variables with an allocate directive, which may get other memory later, and depend objects of LLVM's code. A table of
 * addresses, at most half full. */

#include "omp/base/tuning.h"
#include "omp/bomp.h"
#include "omp/sync/lock.h"

static struct {
    uint32_t lock; /* owned: the child of a fork may use the table */
    size_t used;   /* under the lock, as the rest */
    unsigned bits; /* of the number of places */
    void **blocks; /* open addressing; NULL: a free place */
} set;

static size_t place_of(const void *block) {
    return (size_t)((uint64_t)(uintptr_t)block * UINT64_C(0x9e3779b97f4a7c15) >> (64 - set.bits));
}

static size_t after(size_t at) {
    return (at + 1) & (((size_t)1 << set.bits) - 1);
}

/* Where the block is, or a free place where it belongs. */
static size_t look_up(const void *block) {
    size_t at = place_of(block);
    while (set.blocks[at] && set.blocks[at] != block)
        at = after(at);
    return at;
}

static void grow(void) {
    void **old = set.blocks;
    size_t size = old ? (size_t)1 << set.bits : 0;
    unsigned bits = old ? set.bits + 1 : BOMP_ALLOCATED_FIRST_BITS;
    void **grown = bz_alloc_zero((size_t)1 << bits, sizeof *grown);
    if (!grown)
        bomp_no_memory("the list of allocated variables");
    set.blocks = grown;
    set.bits = bits;
    for (size_t i = 0; i < size; i++)
        if (old[i])
            set.blocks[look_up(old[i])] = old[i];
    bz_free(old);
}

void bomp_allocated_add(void *block) {
    if (!block)
        return;
    bomp_owned_lock(&set.lock);
    if (!set.blocks || set.used >= (size_t)1 << (set.bits - 1))
        grow();
    size_t at = look_up(block);
    set.used += !set.blocks[at];
    set.blocks[at] = block;
    bomp_owned_unlock(&set.lock);
}

/* Fills a place that has become free with one of those behind it which would not be found any more. */
static void close_gap(size_t gap) {
    size_t mask = ((size_t)1 << set.bits) - 1;
    for (size_t at = after(gap); set.blocks[at]; at = after(at)) {
        size_t home = place_of(set.blocks[at]);
        if (((at - home) & mask) < ((at - gap) & mask))
            continue; /* it belongs behind the gap */
        set.blocks[gap] = set.blocks[at];
        gap = at;
    }
    set.blocks[gap] = NULL;
}

bool bomp_allocated_remove(void *block) {
    bool found = false;
    bomp_owned_lock(&set.lock);
    if (block && set.blocks) {
        size_t at = look_up(block);
        found = set.blocks[at];
        if (found) {
            close_gap(at);
            set.used--;
        }
    }
    bomp_owned_unlock(&set.lock);
    return found;
}

bool bomp_allocated_has(const void *address) {
    bomp_owned_lock(&set.lock);
    bool found = address && set.blocks && set.blocks[look_up(address)];
    bomp_owned_unlock(&set.lock);
    return found;
}
