/* The set of blocks of our allocators that compiled code asks about: Fortran's allocatable variables with an allocate
 * directive, and depend objects of LLVM's code. */
#include <search.h>

#include "omp/bomp.h"
#include "omp/sync/lock.h"

static uint32_t lock; /* owned: the child of a fork may use the set */
static void *root;    /* under the lock, of tsearch() */

static int compare(const void *one, const void *other) {
    return ((uintptr_t)one > (uintptr_t)other) - ((uintptr_t)one < (uintptr_t)other);
}

void bomp_allocated_add(void *block) {
    if (!block)
        return;
    bomp_owned_lock(&lock);
    if (!tsearch(block, &root, compare))
        bomp_no_memory("the list of allocated variables");
    bomp_owned_unlock(&lock);
}

bool bomp_allocated_remove(void *block) {
    bomp_owned_lock(&lock);
    bool found = tdelete(block, &root, compare);
    bomp_owned_unlock(&lock);
    return found;
}

bool bomp_allocated_has(const void *address) {
    bomp_owned_lock(&lock);
    bool found = tfind(address, &root, compare);
    bomp_owned_unlock(&lock);
    return found;
}
