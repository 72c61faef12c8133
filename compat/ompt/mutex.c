/* Locks, critical, atomic and ordered constructs; the hint that comes before one. */
#include "ompt/notify.h"

/* Not from a thread that the tools do not hear of. */
#define NOTIFY(...)                                                                                          \
    do {                                                                                                     \
        if (ompt_thread_begun())                                                                             \
            OMPT_NOTIFY(__VA_ARGS__);                                                                        \
    } while (0)

static ompt_state_t state_of(ompt_mutex_t kind) {
    return kind == ompt_mutex_critical  ? ompt_state_wait_critical
           : kind == ompt_mutex_atomic  ? ompt_state_wait_atomic
           : kind == ompt_mutex_ordered ? ompt_state_wait_ordered
                                        : ompt_state_wait_lock;
}

/* The thread does not wait: its state stays. */
static bool is_test(ompt_mutex_t kind) {
    return kind == ompt_mutex_test_lock || kind == ompt_mutex_test_nest_lock;
}

static ompt_wait_id_t id_of(const void *word) {
    return (ompt_wait_id_t)(uintptr_t)word;
}

static const void *site_of(const void *code) {
    const struct bomp_member *self = bomp_self_if_any();
    return self ? ompt_site(self, code) : code;
}

static void acquire(ompt_mutex_t kind, unsigned hint, bool position, const void *word, const void *code) {
    struct ompt_thread *thread = ompt_thread();
    if (kind == ompt_mutex_critical) {
        hint = thread->hint;
        thread->hint = 0;
    }
    NOTIFY(mutex_acquire, mutex_acquire, kind, hint, position ? OMPT_MUTEX_POSITION : OMPT_MUTEX_PARKING,
           id_of(word), site_of(code));
    if (is_test(kind))
        return;
    bz_store_relaxed(&thread->wait_id, id_of(word)); /* relaxed: its own */
    thread->before_mutex = ompt_enter_state(state_of(kind));
}

static void acquired(ompt_mutex_t kind, int count, const void *word, const void *code) {
    struct ompt_thread *thread = ompt_thread();
    if (!is_test(kind)) {
        (void)ompt_enter_state((ompt_state_t)thread->before_mutex);
        bz_store_relaxed(&thread->wait_id, 0); /* relaxed: its own */
    }
    if (count == 1)
        NOTIFY(mutex_acquired, mutex, kind, id_of(word), site_of(code));
    else
        NOTIFY(nest_lock, nest_lock, ompt_scope_begin, id_of(word), site_of(code));
}

static void released(ompt_mutex_t kind, int left, const void *word, const void *code) {
    if (left == 0)
        NOTIFY(mutex_released, mutex, kind, id_of(word), site_of(code));
    else
        NOTIFY(nest_lock, nest_lock, ompt_scope_end, id_of(word), site_of(code));
}

static void init(ompt_mutex_t kind, unsigned hint, const void *lock, const void *code) {
    NOTIFY(lock_init, mutex_acquire, kind, hint, OMPT_MUTEX_PARKING, id_of(lock), code);
}

static void destroy(ompt_mutex_t kind, const void *lock, const void *code) {
    NOTIFY(lock_destroy, mutex, kind, id_of(lock), code);
}

static void flush(const void *code) {
    (void)bomp_tool_is_met();
    struct ompt_thread *thread = ompt_thread_own;
    NOTIFY(flush, flush, OMPT_WORD(thread), code);
}

const struct bomp_mutex_hooks ompt_mutex_hooks = {acquire, acquired, released, init, destroy, flush};

/* ---- for entry points (bomp_tool.h) ---- */

void bomp_tool_hint(unsigned hint) {
    ompt_thread()->hint = hint;
}

void bomp_tool_error(bool fatal, const char *message, size_t length) {
    (void)bomp_self(); /* tools are there from here on */
    const void *code = bomp_take_code();
    NOTIFY(error, error, fatal ? ompt_fatal : ompt_warning, message, length, code);
}
