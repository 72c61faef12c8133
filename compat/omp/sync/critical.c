/* Critical constructs: owned locks, of the whole process. The child of a fork may use them all. */
#include "omp/bomp.h"
#include "omp/sync/lock.h"

static uint32_t unnamed, atomic;

void bomp_critical_start(void) {
    bomp_owned_lock(&unnamed);
}

void bomp_critical_end(void) {
    bomp_owned_unlock(&unnamed);
}

void bomp_critical_name_start(uint32_t *word) {
    bomp_owned_lock(word);
}

void bomp_critical_name_end(uint32_t *word) {
    bomp_owned_unlock(word);
}

void bomp_atomic_start(void) {
    bomp_owned_lock(&atomic);
}

void bomp_atomic_end(void) {
    bomp_owned_unlock(&atomic);
}
