/* The call-at-once stub, preloaded: GOMP_task runs the task's body and does nothing else. No runtime of this ABI can be
 * faster on one thread; it is the floor that the comparison shows. Right for programs whose tasks need no other thread,
 * no dependence and no event. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void GOMP_task(void (*fn)(void *), void *data, void (*cpyfn)(void *, void *), long arg_size, long arg_align,
               bool if_clause, unsigned flags, void **depend, int priority, void *detach);

void GOMP_task(void (*fn)(void *), void *data, void (*cpyfn)(void *, void *), long arg_size, long arg_align,
               bool if_clause, unsigned flags, void **depend, int priority, void *detach) {
    (void)if_clause, (void)flags, (void)depend, (void)priority, (void)detach;
    if (!cpyfn) {
        fn(data);
        return;
    }
    char *memory = __builtin_alloca((size_t)(arg_size + arg_align - 1));
    uintptr_t place = ((uintptr_t)memory + (uintptr_t)arg_align - 1) & ~((uintptr_t)arg_align - 1);
    cpyfn((void *)place, data);
    fn((void *)place);
}
