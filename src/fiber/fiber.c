#include "fiber/fiber.h"

#include <string.h>

#include "base/atomic.h"
#include "os/objects.h"
#include "os/os.h"

/* The calling thread's exceptions (Itanium C++ ABI, 2.2.2). NULL in programs without the C++ runtime. */
void *__cxa_get_globals(void) __attribute__((weak));

/* The same of a runtime that a plugin loaded later. Written and read by any thread; relaxed: constant once it is set, since
 * GNU's runtime is never unloaded. */
static struct { void *(*v)(void); } late;

static void *exceptions(void) {
    void *(*globals)(void) = __cxa_get_globals ? __cxa_get_globals : bz_load_relaxed(&late);
    return globals ? globals() : NULL;
}

void bz_fiber_find_exceptions(void) {
    if (__cxa_get_globals || bz_load_relaxed(&late))
        return;
    void *(*globals)(void);
    *(void **)&globals = bz_os_defined("libstdc++.so.6", "__cxa_get_globals");
    bz_store_relaxed(&late, globals);
}

/* NULL in programs without sanitizers. */
void __sanitizer_start_switch_fiber(void **save, const void *low, size_t size) __attribute__((weak));
void __sanitizer_finish_switch_fiber(void *saved, const void **low, size_t *size) __attribute__((weak));
void __asan_unpoison_memory_region(const void *low, size_t size) __attribute__((weak));
void *__tsan_get_current_fiber(void) __attribute__((weak));
void *__tsan_create_fiber(unsigned flags) __attribute__((weak));
void __tsan_destroy_fiber(void *fiber) __attribute__((weak));
void __tsan_switch_to_fiber(void *fiber, unsigned flags) __attribute__((weak));

/* Saves data of the thread that belong to its fiber. */
static void keep(struct bz_fiber *fiber) {
    fiber->error = errno;
    void *of_thread = exceptions();
    fiber->kept = of_thread;
    if (of_thread)
        memcpy(&fiber->exceptions, of_thread, sizeof fiber->exceptions);
}

static void restore(const struct bz_fiber *fiber) {
    errno = fiber->error;
    void *of_thread = fiber->kept ? exceptions() : NULL;
    if (of_thread)
        memcpy(of_thread, &fiber->exceptions, sizeof fiber->exceptions);
}

/* On the new stack, the sanitizer reports the bounds of the old one, any stack of its fiber. */
static void arrive(struct bz_fiber *fiber) {
    if (!__sanitizer_finish_switch_fiber)
        return;
    const void *low;
    size_t size;
    __sanitizer_finish_switch_fiber(fiber->asan, &low, &size);
    fiber->from->low = (void *)low;
    fiber->from->size = size;
}

static void begin(void *arg) {
    struct bz_fiber *fiber = arg;
    arrive(fiber);
    restore(fiber);
    fiber->main(fiber->arg);
}

int bz_fiber_init(struct bz_fiber *fiber, size_t bytes, void (*main)(void *), void *arg) {
    size_t page = bz_os_page_size();
    BZ_KEEP_ERRNO;
    bytes = bytes == 0 ? bz_os_default_stack() : bytes;
    if (bytes > SIZE_MAX / 2)
        return ENOMEM;
    bytes = (bytes + page - 1) / page * page;
    *fiber = (struct bz_fiber){.main = main, .arg = arg, .bytes = bytes, .size = bytes, .kept = true};
    fiber->low = fiber->stack = bz_os_stack_new(bytes);
    if (!fiber->stack)
        return ENOMEM;
    if (__asan_unpoison_memory_region) /* an earlier stack there had frames that never returned */
        __asan_unpoison_memory_region(fiber->stack, bytes);
    fiber->context = bz_os_context_new((char *)fiber->stack + bytes, begin, fiber);
    if (__tsan_create_fiber)
        fiber->tsan = fiber->tsan_now = __tsan_create_fiber(0);
    return 0;
}

void bz_fiber_destroy(struct bz_fiber *fiber) {
    if (__tsan_destroy_fiber)
        __tsan_destroy_fiber(fiber->tsan);
    bz_os_stack_free(fiber->stack, fiber->bytes);
}

/* Not instrumented: the stack changes in the middle. */
__attribute__((no_sanitize("thread"))) void bz_fiber_switch(struct bz_fiber *from, struct bz_fiber *to) {
    keep(from);
    to->from = from;
    if (__sanitizer_start_switch_fiber)
        __sanitizer_start_switch_fiber(&from->asan, to->low, to->size);
    if (__tsan_switch_to_fiber) {
        from->tsan_now = __tsan_get_current_fiber();
        __tsan_switch_to_fiber(to->tsan_now, 0);
    }
    bz_os_context_switch(&from->context, to->context);
    arrive(from);
    restore(from);
}
