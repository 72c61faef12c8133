#include "sched/stack.h"

#include "base/atomic.h"
#include "base/config.h"
#include "fiber/fiber.h"
#include "os/os.h"

/* Of an additional stack, the usual default of threads: only used pages cost memory. */
enum { MORE_BYTES = 8 * 1024 * 1024 };

/* Another stack, and what runs there. */
struct bz_stack {
    struct bz_fiber there, here; /* here: the caller's */
    void (*fn)(void *);
    void *arg;
    uint64_t control; /* of floating point: passed on and back, as in a call */
};

static struct bz_a64 size; /* bytes of a new one; any thread writes and reads */

void bz_stack_set_size(size_t bytes) {
    bz_store_relaxed(&size, bytes); /* relaxed, as its load: the number alone counts */
}

size_t bz_stack_size(void) {
    return (size_t)bz_load_relaxed(&size);
}

uintptr_t bz_stack_bound(void) {
    uintptr_t low = bz_os_stack_limit();
    uintptr_t room = ((uintptr_t)__builtin_frame_address(0) - low) / BZ_STACK_RESERVE_SHARE;
    return low + (room < BZ_STACK_RESERVE ? room : BZ_STACK_RESERVE);
}

/* One call after the other. */
static void stack_main(void *arg) {
    struct bz_stack *stack = arg;
    for (;;) {
        bz_os_set_control(stack->control);
        stack->fn(stack->arg);
        stack->control = bz_os_control();
        bz_fiber_switch(&stack->there, &stack->here);
    }
}

static struct bz_stack *stack_new(void) {
    struct bz_stack *stack = bz_os_alloc(sizeof *stack);
    if (stack && bz_fiber_init(&stack->there, MORE_BYTES, stack_main, stack)) {
        bz_os_free(stack, sizeof *stack);
        return NULL;
    }
    return stack;
}

void bz_stack_destroy(struct bz_stack *stack) {
    if (!stack)
        return;
    bz_fiber_destroy(&stack->there);
    bz_os_free(stack, sizeof *stack);
}

bool bz_stack_try_more(struct bz_worker *self, void (*fn)(void *), void *arg) {
    struct bz_stack *stack = self->stack.more;
    uintptr_t limit = self->stack.limit;
    if (!stack && !(stack = stack_new()))
        return false;
    self->stack.more = NULL;
    self->stack.limit = (uintptr_t)stack->there.stack + BZ_STACK_RESERVE;
    stack->fn = fn;
    stack->arg = arg;
    stack->here = (struct bz_fiber){0};
    stack->control = bz_os_control();
    bz_fiber_switch(&stack->here, &stack->there);
    bz_os_set_control(stack->control);
    self->stack.limit = limit;
    if (self->stack.more)
        bz_stack_destroy(stack);
    else
        self->stack.more = stack;
    return true;
}

void bz_stack_more(struct bz_worker *self, void (*fn)(void *), void *arg) {
    if (!bz_stack_try_more(self, fn, arg))
        fn(arg);
}
