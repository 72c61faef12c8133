#include "omp/tool/mutex.h"

#include "omp/tool/thread.h"

/* Not from a thread that the tools do not hear of. */
#define TELL(...)                                                                                            \
    do {                                                                                                     \
        if (bomp_tool_thread_begun())                                                                        \
            BOMP_TELL(__VA_ARGS__);                                                                          \
    } while (0)

static ompt_state_t state_of(ompt_mutex_t kind) {
    switch (kind) {
    case ompt_mutex_critical:
        return ompt_state_wait_critical;
    case ompt_mutex_atomic:
        return ompt_state_wait_atomic;
    case ompt_mutex_ordered:
        return ompt_state_wait_ordered;
    default:
        return ompt_state_wait_lock;
    }
}

static ompt_wait_id_t id_of(const void *word) {
    return (ompt_wait_id_t)(uintptr_t)word;
}

static const void *site_of(const void *code) {
    const struct bomp_member *self = bomp_self_if_any();
    return self ? bomp_tool_code(self, code) : code;
}

static void acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, const void *word, const void *code) {
    struct bomp_tool_thread *thread = bomp_tool_thread();
    TELL(mutex_acquire, mutex_acquire, kind, hint, impl, id_of(word), site_of(code));
    bz_store_relaxed(&thread->wait_id, id_of(word)); /* relaxed, both: its own */
    thread->before_mutex = bomp_tool_state(state_of(kind));
}

void bomp_tell_acquire(ompt_mutex_t kind, unsigned hint, const void *word, const void *code) {
    acquire(kind, hint, BOMP_TOOL_MUTEX, word, code);
}

void bomp_tell_acquire_position(const void *word, const void *code) {
    acquire(ompt_mutex_ordered, 0, BOMP_TOOL_POSITION, word, code);
}

static void waited(void) {
    struct bomp_tool_thread *thread = bomp_tool_thread();
    bomp_tool_state((ompt_state_t)thread->before_mutex);
    bz_store_relaxed(&thread->wait_id, 0); /* relaxed: its own */
}

void bomp_tell_got(ompt_mutex_t kind, int count, const void *word, const void *code) {
    if (count == 1) {
        bomp_tell_acquired(kind, word, code);
        return;
    }
    waited();
    bomp_tell_nested(ompt_scope_begin, word, code);
}

void bomp_tell_acquired(ompt_mutex_t kind, const void *word, const void *code) {
    waited();
    TELL(mutex_acquired, mutex, kind, id_of(word), site_of(code));
}

void bomp_tell_test(ompt_mutex_t kind, const void *word, const void *code) {
    TELL(mutex_acquire, mutex_acquire, kind, 0, BOMP_TOOL_MUTEX, id_of(word), site_of(code));
}

void bomp_tell_tested(ompt_mutex_t kind, const void *word, const void *code) {
    TELL(mutex_acquired, mutex, kind, id_of(word), site_of(code));
}

void bomp_tell_released(ompt_mutex_t kind, const void *word, const void *code) {
    TELL(mutex_released, mutex, kind, id_of(word), site_of(code));
}

void bomp_tell_nested(ompt_scope_endpoint_t endpoint, const void *word, const void *code) {
    TELL(nest_lock, nest_lock, endpoint, id_of(word), site_of(code));
}

void bomp_tell_lock_init(ompt_mutex_t kind, unsigned hint, const void *lock, const void *code) {
    TELL(lock_init, mutex_acquire, kind, hint, BOMP_TOOL_MUTEX, id_of(lock), code);
}

void bomp_tell_lock_destroy(ompt_mutex_t kind, const void *lock, const void *code) {
    TELL(lock_destroy, mutex, kind, id_of(lock), code);
}

void bomp_tell_flush(const void *code) {
    (void)bomp_tool_is_met();
    struct bomp_tool_thread *thread = bomp_tool_thread_own;
    TELL(flush, flush, BOMP_WORD(thread), code);
}

void bomp_tell_error(ompt_severity_t severity, const char *message, size_t length, const void *code) {
    TELL(error, error, severity, message, length, code);
}
