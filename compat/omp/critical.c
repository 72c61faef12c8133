/* Critical constructs: mutexes of the whole process. */
#include "bomp.h"
#include "lock.h"

static uint32_t unnamed, atomic;

void bomp_critical_start(void) {
    bomp_mutex_lock(&unnamed);
}

void bomp_critical_end(void) {
    bomp_mutex_unlock(&unnamed);
}

void bomp_critical_name_start(uint32_t *word) {
    bomp_mutex_lock(word);
}

void bomp_critical_name_end(uint32_t *word) {
    bomp_mutex_unlock(word);
}

void bomp_atomic_start(void) {
    bomp_mutex_lock(&atomic);
}

void bomp_atomic_end(void) {
    bomp_mutex_unlock(&atomic);
}
