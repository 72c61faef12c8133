/*
 * blitz/cilk.h: tasks with typed arguments and results, for stock gcc and clang. The cheapest way to fork.
 *
 *     BLITZ_TASK_1(long, fib, int, n) {
 *         if (n < 2)
 *             return n;
 *         BLITZ_FORK(x, fib, n - 1);             // x may run in parallel with the next lines
 *         long y = BLITZ_CALL(fib, n - 2);
 *         return y + BLITZ_SYNC(x, fib);
 *     }
 *     ... printf("%ld\n", fib(36));
 *
 * Define a task:
 *   BLITZ_TASK_n(type, name, T1, a1, ... Tn, an) { body }       n parameters, 0 to 6, and a result
 *   BLITZ_VOID_TASK_n(name, T1, a1, ...) { body }               no result
 *   BLITZ_DECLARE_TASK_n, BLITZ_DECLARE_VOID_TASK_n             declare first, define later: for tasks
 *   BLITZ_BODY_n, BLITZ_VOID_BODY_n                             that call each other
 * From outside of tasks:
 *   name(a1, ...)                      enters the current pool, or the global one, and runs the task
 * In the body of a task:
 *   BLITZ_FORK(x, name, a1, ...);      the task may run from here on; x names it
 *   BLITZ_SYNC(x, name)                waits for x and returns its result; once for each x
 *   BLITZ_CALL(name, a1, ...)          calls it on this thread; faster than name(a1, ...)
 *   BLITZ_TASK_FRAME(name)             type of a frame, for forks in a loop:
 *   BLITZ_FORK_AT(name, frame, a1, ...), BLITZ_SYNC_AT(name, frame)
 *                                      frame is a pointer; sync the last fork first
 * Anywhere:
 *   BLITZ_LOOP_n(name, i, T1, a1, ...) { body for index i }     a loop body; the arguments are the same for all i
 *   BLITZ_FOR(name, lo, hi, a1, ...)                            runs it for all i in [lo, hi)
 *   BLITZ_WORKER_COUNT, BLITZ_WORKER_NUMBER                     blitz_pool_workers and blitz_worker_index of the
 *                                                               current pool
 * Without parameters:
 *   BLITZ_FORK_0(x, name), BLITZ_CALL_0(name), BLITZ_FORK_AT_0(name, frame), BLITZ_FOR_0(name, lo, hi)
 *
 * Cost: a fork is a few instructions and a frame on the stack. A task that no thief takes becomes a direct call, which the
 * compiler may inline. Sync the last fork first: any other order is correct, but forks and syncs of that worker then cost
 * about ten times as much until the skipped sync is done.
 *
 * Cilk's words are aliases: CILK_SPAWN, CILK_SPAWN_AT, CILK_SYNC, CILK_SYNC_AT, CILK_FOR, CILK_WORKER_COUNT,
 * CILK_WORKER_NUMBER, and the forms that end in _0. CILK_SCOPE { ... } is a block that syncs all its CILK_SPAWNs at its
 * end. Define BLITZ_NO_CILK_NAMES to leave these aliases out. Differences from a Cilk compiler:
 *   - macros define tasks and loop bodies, with a list of parameters
 *   - a fork names its task; the sync returns the result and waits for this task only
 *   - thieves take the forked task, and the forking function goes on
 *   - a fork in a loop needs one frame for each fork: CILK_SPAWN_AT
 *
 * With BLITZ_SERIAL defined, the same source compiles to plain calls, plain loops and, with blitz/reducer.h, plain
 * variables. It then needs no library.
 *
 * Arguments and results are plain data. They are assigned, so a type must not be const itself (const char * is fine), and a
 * pointer to a function or array needs a typedef. A task must not be left by longjmp. BLITZ_FORK or BLITZ_CALL outside of
 * a task does not compile, and the message says why. A second sync of one fork ends the process with a line after a tenth
 * of a second.
 *
 * The macros compile the layout of a worker's queue into the program. If the library has another layout, the first call
 * of a task ends the process with a line that names both (BLITZ_TASK_LAYOUT).
 */
#ifndef BLITZ_CILK_H
#define BLITZ_CILK_H

#include <blitz.h>

#ifdef __cplusplus
extern "C" {
#    pragma GCC diagnostic push
#    pragma GCC diagnostic ignored "-Wold-style-cast" /* this is C */
#endif

#define BLITZ_UNUSED_ __attribute__((unused))
#define BLITZ_INLINE_ static inline __attribute__((always_inline, unused))

/* ---- Internal, up to the macros: not for direct use. ---- */

/* Number of the layout and the protocol below. It changes with them. */
#define BLITZ_TASK_LAYOUT 5u

typedef struct blitz_worker blitz_worker;

/* The head of a task's frame (struct bz_frame in the library). A fork writes `run` and the arguments only: stores bound
 * the speed of forks. */
typedef struct blitz_task_head {
    void (*run)(struct blitz_task_head *head, blitz_worker *self);
    blitz_worker *thief;
} blitz_task_head;

/* The head of a worker: its deque (struct bz_deque in the library, which asserts that both agree). Thieves share bottom,
 * top, fast and bound; the worker alone uses the others. */
struct __attribute__((may_alias)) blitz_worker {
    /* Next free index. */
    int64_t bottom;
    /* Not used inline. */
    int64_t split, limit;
    /* index & mask is the slot. */
    int64_t mask;
    blitz_task_head **slots;
    int64_t unused[3];
    int64_t top;
    /* Tasks from here on are private to this worker. Negative: a thief requests some. */
    int64_t fast;
    /* A push at this index takes the slow path. 0: every push does. */
    int64_t bound;
};

/* Owner of a stolen task, and its index there (struct bz_theft in the library). */
typedef struct blitz_theft {
    blitz_worker *owner;
    int64_t index;
} blitz_theft;

/* Slow path of a push. Returns the index after the task; -1: the queue is full, and the task is done. */
BLITZ_API int64_t blitz_task_push(blitz_worker *me, blitz_task_head *head);

/* Slow path of a sync. Returns 1 if the caller must run the task, 0 if it is done. */
BLITZ_API int blitz_task_claim(blitz_worker *me, blitz_task_head *head, int64_t bottom);

/* Begin and end surround a task that runs elsewhere. The end notifies the owner; the frame may be gone after it. */
BLITZ_API blitz_theft blitz_task_begin(blitz_task_head *head, blitz_worker *me);
BLITZ_API void blitz_task_end(blitz_task_head *head, blitz_theft theft);

/* The way in: checks the layout, then runs the task inside the current or the global pool. */
BLITZ_API void blitz_task_enter(blitz_task_head *head, unsigned layout);

#define BLITZ_LIKELY_(x) __builtin_expect(!!(x), 1)

/* In the body of a task blitz_me is its worker. Elsewhere it is this undefined function, and BLITZ_ME_ refuses it. */
void blitz_me(void);

#define BLITZ_ONLY_IN_TASKS_                                                                                 \
    "BLITZ_FORK, BLITZ_CALL and similar macros stand in the body of a task, BLITZ_TASK_n(...) { ... }; "     \
    "elsewhere a task is called by its name"

#ifdef __cplusplus
extern "C++" {
BLITZ_INLINE_ blitz_worker *blitz_me_(blitz_worker *me) {
    return me;
}
template <class Other>
blitz_worker *blitz_me_(Other) {
    static_assert(sizeof(Other) == 0, BLITZ_ONLY_IN_TASKS_);
    return nullptr;
}
}
#    define BLITZ_ME_ blitz_me_(blitz_me)
#elif defined(__STRICT_ANSI__) && __STDC_VERSION__ < 201112L /* -std=c99 has no static assertions */
#    define BLITZ_ME_ blitz_me
#else
#    define BLITZ_IN_TASK_ __builtin_types_compatible_p(__typeof__(blitz_me), blitz_worker *)
#    define BLITZ_ME_                                                                                        \
        __extension__ __builtin_choose_expr(sizeof(struct {                                                  \
                                                char none;                                                   \
                                                _Static_assert(BLITZ_IN_TASK_, BLITZ_ONLY_IN_TASKS_);        \
                                            }) &&                                                            \
                                                BLITZ_IN_TASK_,                                              \
                                            blitz_me, (blitz_worker *)0)
#endif

#if defined(__SANITIZE_THREAD__)
#    define BLITZ_TSAN_
#elif defined(__has_feature)
#    if __has_feature(thread_sanitizer)
#        define BLITZ_TSAN_
#    endif
#endif

/* Stores the bottom with release. x86 keeps stores in order, and after a plain store the compiler still knows the value:
 * fib(36) on one worker takes 45 ms with it, 56 ms with an atomic store. */
BLITZ_INLINE_ void blitz_raise_(blitz_worker *me, int64_t bottom) {
#if defined(__x86_64__) && !defined(BLITZ_TSAN_)
    __atomic_signal_fence(__ATOMIC_RELEASE);
    me->bottom = bottom;
#else
    __atomic_store_n(&me->bottom, bottom, __ATOMIC_RELEASE);
#endif
}

/* One call for all rare cases: with fewer conditions the compiler inlines a task into itself sooner. */

/* Pushes the task to the private end of the deque; returns the index after it. */
BLITZ_INLINE_ int64_t blitz_push_(blitz_worker *me, blitz_task_head *head) {
    int64_t b = me->bottom;
    if (!BLITZ_LIKELY_(b < __atomic_load_n(&me->bound, __ATOMIC_RELAXED)))
        return blitz_task_push(me, head);
    __atomic_store_n(&me->slots[b & me->mask], head, __ATOMIC_RELAXED);
    blitz_raise_(me, b + 1);
    return b + 1;
}

/* Takes the task before index `end` back. Returns 0 if it is done. */
BLITZ_INLINE_ int blitz_pop_(blitz_worker *me, int64_t end, blitz_task_head *head) {
    int64_t bottom = me->bottom;
    if (!BLITZ_LIKELY_(bottom == end) ||
        (__atomic_store_n(&me->bottom, end - 1, __ATOMIC_RELAXED),
         __atomic_signal_fence(__ATOMIC_SEQ_CST), /* deque.md, D13 */
         !BLITZ_LIKELY_((uint64_t)__atomic_load_n(&me->fast, __ATOMIC_RELAXED) < (uint64_t)end)))
        return blitz_task_claim(me, head, bottom);
    return 1;
}

/* ---- How the macros work ----
 *
 * A list of n typed parameters becomes five lists in parentheses: struct members, parameters, arguments read from a frame,
 * assignments that fill a frame, and the parameters of the plain call. An empty list has one dummy member that the plain
 * call leaves out, since C has no empty structs and no empty argument after a comma. */

#define BLITZ_OPEN_(...) __VA_ARGS__
#define BLITZ_LISTS_0_()                                                                                     \
    (char none;), (char blitz_none BLITZ_UNUSED_), (blitz_f->u.args.none), (blitz_f->u.args.none = 0;), (void)
#define BLITZ_LISTS_1_(T1, a1) (T1 a1;), (T1 a1), (blitz_f->u.args.a1), (blitz_f->u.args.a1 = a1;), (T1 a1)
#define BLITZ_LISTS_2_(T1, a1, T2, a2)                                                                       \
    (T1 a1; T2 a2;), (T1 a1, T2 a2), (blitz_f->u.args.a1, blitz_f->u.args.a2),                               \
        (blitz_f->u.args.a1 = a1; blitz_f->u.args.a2 = a2;), (T1 a1, T2 a2)
#define BLITZ_LISTS_3_(T1, a1, T2, a2, T3, a3)                                                               \
    (T1 a1; T2 a2; T3 a3;), (T1 a1, T2 a2, T3 a3),                                                           \
        (blitz_f->u.args.a1, blitz_f->u.args.a2, blitz_f->u.args.a3),                                        \
        (blitz_f->u.args.a1 = a1; blitz_f->u.args.a2 = a2; blitz_f->u.args.a3 = a3;), (T1 a1, T2 a2, T3 a3)
#define BLITZ_LISTS_4_(T1, a1, T2, a2, T3, a3, T4, a4)                                                       \
    (T1 a1; T2 a2; T3 a3; T4 a4;), (T1 a1, T2 a2, T3 a3, T4 a4),                                             \
        (blitz_f->u.args.a1, blitz_f->u.args.a2, blitz_f->u.args.a3, blitz_f->u.args.a4),                    \
        (blitz_f->u.args.a1 = a1; blitz_f->u.args.a2 = a2; blitz_f->u.args.a3 = a3;                          \
         blitz_f->u.args.a4 = a4;),                                                                          \
        (T1 a1, T2 a2, T3 a3, T4 a4)
#define BLITZ_LISTS_5_(T1, a1, T2, a2, T3, a3, T4, a4, T5, a5)                                               \
    (T1 a1; T2 a2; T3 a3; T4 a4; T5 a5;), (T1 a1, T2 a2, T3 a3, T4 a4, T5 a5),                               \
        (blitz_f->u.args.a1, blitz_f->u.args.a2, blitz_f->u.args.a3, blitz_f->u.args.a4,                     \
         blitz_f->u.args.a5),                                                                                \
        (blitz_f->u.args.a1 = a1; blitz_f->u.args.a2 = a2; blitz_f->u.args.a3 = a3; blitz_f->u.args.a4 = a4; \
         blitz_f->u.args.a5 = a5;),                                                                          \
        (T1 a1, T2 a2, T3 a3, T4 a4, T5 a5)
#define BLITZ_LISTS_6_(T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6)                                       \
    (T1 a1; T2 a2; T3 a3; T4 a4; T5 a5; T6 a6;), (T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6),                 \
        (blitz_f->u.args.a1, blitz_f->u.args.a2, blitz_f->u.args.a3, blitz_f->u.args.a4, blitz_f->u.args.a5, \
         blitz_f->u.args.a6),                                                                                \
        (blitz_f->u.args.a1 = a1; blitz_f->u.args.a2 = a2; blitz_f->u.args.a3 = a3; blitz_f->u.args.a4 = a4; \
         blitz_f->u.args.a5 = a5; blitz_f->u.args.a6 = a6;),                                                 \
        (T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6)

/* The parts that depend on a result: the frame's member, how to keep it, how to return it from a call or from the frame. */
#define BLITZ_RESULT_(R) (R value;), (blitz_f->u.value =), (return ), (return blitz_f->u.value;)
#define BLITZ_NO_RESULT_ (), (), (), ()

/* The preprocessor splits a list only when it scans a macro's arguments again: hence the extra step. */
#define BLITZ_DECLARE_(...) BLITZ_DECLARE_TASK_(__VA_ARGS__)

#define BLITZ_DECLARE_TASK_(R, name, VALUE, KEEP, RETURN, RETURN_KEPT, MEMBERS, PARAMS, ARGS, FILL, ENTRY)   \
    struct name##_frame {                                                                                    \
        blitz_task_head head;                                                                                \
        int64_t end;                                                                                         \
        union {                                                                                              \
            struct {                                                                                         \
                BLITZ_OPEN_ MEMBERS                                                                          \
            } args;                                                                                          \
            BLITZ_OPEN_ VALUE                                                                                \
        } u;                                                                                                 \
    };                                                                                                       \
    BLITZ_UNUSED_ static inline R name##_body(blitz_worker *blitz_me, BLITZ_OPEN_ PARAMS);                   \
    BLITZ_VERBS_(R, name, KEEP, RETURN, RETURN_KEPT, PARAMS, ARGS, FILL, ENTRY)                              \
    struct name##_spawned {                                                                                  \
        blitz_worker *me;                                                                                    \
        struct name##_frame *frame;                                                                          \
        int64_t end;                                                                                         \
        int open;                                                                                            \
    };                                                                                                       \
    BLITZ_INLINE_ R name##_sync(struct name##_spawned *spawned) {                                            \
        spawned->open = 0;                                                                                   \
        BLITZ_OPEN_ RETURN name##_pop(spawned->me, spawned->frame, spawned->end);                            \
    }                                                                                                        \
    BLITZ_INLINE_ void name##_close(struct name##_spawned *spawned) {                                        \
        if (spawned->open)                                                                                   \
            (void)name##_sync(spawned);                                                                      \
    }                                                                                                        \
    BLITZ_INLINE_ struct name##_spawned name##_spawn(blitz_worker *blitz_me, struct name##_frame *blitz_f,   \
                                                     BLITZ_OPEN_ PARAMS) {                                   \
        BLITZ_OPEN_ FILL struct name##_spawned blitz_s = {blitz_me, blitz_f, name##_push(blitz_me, blitz_f), \
                                                          1};                                                \
        return blitz_s;                                                                                      \
    }                                                                                                        \
    BLITZ_INLINE_ void name##_spawn_at(blitz_worker *blitz_me, struct name##_frame *blitz_f,                 \
                                       BLITZ_OPEN_ PARAMS) {                                                 \
        BLITZ_OPEN_ FILL blitz_f->end = name##_push(blitz_me, blitz_f);                                      \
    }                                                                                                        \
    BLITZ_INLINE_ R name##_sync_at(blitz_worker *blitz_me, struct name##_frame *blitz_f) {                   \
        BLITZ_OPEN_ RETURN name##_pop(blitz_me, blitz_f, blitz_f->end);                                      \
    }

#ifndef BLITZ_SERIAL

/* run: on another worker, or when the queue is full. push and pop: the two ends of a fork. */
#    define BLITZ_VERBS_(R, name, KEEP, RETURN, RETURN_KEPT, PARAMS, ARGS, FILL, ENTRY)                      \
        BLITZ_UNUSED_ static void name##_run(blitz_task_head *head, blitz_worker *blitz_me) {                \
            struct name##_frame *blitz_f = (struct name##_frame *)head;                                      \
            blitz_theft blitz_from = blitz_task_begin(head, blitz_me);                                       \
            BLITZ_OPEN_ KEEP name##_body(blitz_me, BLITZ_OPEN_ ARGS);                                        \
            blitz_task_end(head, blitz_from);                                                                \
        }                                                                                                    \
        BLITZ_INLINE_ int64_t name##_push(blitz_worker *blitz_me, struct name##_frame *blitz_f) {            \
            blitz_f->head.run = name##_run;                                                                  \
            return blitz_push_(blitz_me, &blitz_f->head);                                                    \
        }                                                                                                    \
        BLITZ_INLINE_ R name##_pop(blitz_worker *blitz_me, struct name##_frame *blitz_f, int64_t end) {      \
            if (BLITZ_LIKELY_(blitz_pop_(blitz_me, end, &blitz_f->head))) {                                  \
                BLITZ_OPEN_ RETURN name##_body(blitz_me, BLITZ_OPEN_ ARGS);                                  \
            } else {                                                                                         \
                BLITZ_OPEN_ RETURN_KEPT                                                                      \
            }                                                                                                \
        }                                                                                                    \
        BLITZ_UNUSED_ static R name(BLITZ_OPEN_ ENTRY) {                                                     \
            struct name##_frame blitz_own, *blitz_f = &blitz_own;                                            \
            BLITZ_OPEN_ FILL blitz_f->head.run = name##_run;                                                 \
            blitz_task_enter(&blitz_f->head, BLITZ_TASK_LAYOUT);                                             \
            BLITZ_OPEN_ RETURN_KEPT                                                                          \
        }

#else

#    define BLITZ_VERBS_(R, name, KEEP, RETURN, RETURN_KEPT, PARAMS, ARGS, FILL, ENTRY)                      \
        BLITZ_INLINE_ int64_t name##_push(blitz_worker *blitz_me, struct name##_frame *blitz_f) {            \
            BLITZ_OPEN_ KEEP name##_body(blitz_me, BLITZ_OPEN_ ARGS);                                        \
            return 0;                                                                                        \
        }                                                                                                    \
        BLITZ_INLINE_ R name##_pop(blitz_worker *blitz_me, struct name##_frame *blitz_f, int64_t end) {      \
            (void)blitz_me, (void)blitz_f, (void)end;                                                        \
            BLITZ_OPEN_ RETURN_KEPT                                                                          \
        }                                                                                                    \
        BLITZ_UNUSED_ static R name(BLITZ_OPEN_ ENTRY) {                                                     \
            struct name##_frame blitz_own, *blitz_f = &blitz_own;                                            \
            BLITZ_OPEN_ FILL BLITZ_OPEN_ RETURN name##_body((blitz_worker *)0, BLITZ_OPEN_ ARGS);            \
        }

#endif

/* The head of a task's body. */
#define BLITZ_BODY_(...) BLITZ_BODY_OF_(__VA_ARGS__)
#define BLITZ_BODY_OF_(R, name, MEMBERS, PARAMS, ARGS, FILL, ENTRY)                                          \
    static inline R name##_body(blitz_worker *blitz_me BLITZ_UNUSED_, BLITZ_OPEN_ PARAMS)

/* ---- Tasks ---- */

/* Declares a task of n parameters; BLITZ_BODY_n defines it later in the same file. */
#define BLITZ_DECLARE_TASK_0(R, name) BLITZ_DECLARE_(R, name, BLITZ_RESULT_(R), BLITZ_LISTS_0_())
#define BLITZ_DECLARE_TASK_1(R, name, ...)                                                                   \
    BLITZ_DECLARE_(R, name, BLITZ_RESULT_(R), BLITZ_LISTS_1_(__VA_ARGS__))
#define BLITZ_DECLARE_TASK_2(R, name, ...)                                                                   \
    BLITZ_DECLARE_(R, name, BLITZ_RESULT_(R), BLITZ_LISTS_2_(__VA_ARGS__))
#define BLITZ_DECLARE_TASK_3(R, name, ...)                                                                   \
    BLITZ_DECLARE_(R, name, BLITZ_RESULT_(R), BLITZ_LISTS_3_(__VA_ARGS__))
#define BLITZ_DECLARE_TASK_4(R, name, ...)                                                                   \
    BLITZ_DECLARE_(R, name, BLITZ_RESULT_(R), BLITZ_LISTS_4_(__VA_ARGS__))
#define BLITZ_DECLARE_TASK_5(R, name, ...)                                                                   \
    BLITZ_DECLARE_(R, name, BLITZ_RESULT_(R), BLITZ_LISTS_5_(__VA_ARGS__))
#define BLITZ_DECLARE_TASK_6(R, name, ...)                                                                   \
    BLITZ_DECLARE_(R, name, BLITZ_RESULT_(R), BLITZ_LISTS_6_(__VA_ARGS__))
#define BLITZ_DECLARE_VOID_TASK_0(name) BLITZ_DECLARE_(void, name, BLITZ_NO_RESULT_, BLITZ_LISTS_0_())
#define BLITZ_DECLARE_VOID_TASK_1(name, ...)                                                                 \
    BLITZ_DECLARE_(void, name, BLITZ_NO_RESULT_, BLITZ_LISTS_1_(__VA_ARGS__))
#define BLITZ_DECLARE_VOID_TASK_2(name, ...)                                                                 \
    BLITZ_DECLARE_(void, name, BLITZ_NO_RESULT_, BLITZ_LISTS_2_(__VA_ARGS__))
#define BLITZ_DECLARE_VOID_TASK_3(name, ...)                                                                 \
    BLITZ_DECLARE_(void, name, BLITZ_NO_RESULT_, BLITZ_LISTS_3_(__VA_ARGS__))
#define BLITZ_DECLARE_VOID_TASK_4(name, ...)                                                                 \
    BLITZ_DECLARE_(void, name, BLITZ_NO_RESULT_, BLITZ_LISTS_4_(__VA_ARGS__))
#define BLITZ_DECLARE_VOID_TASK_5(name, ...)                                                                 \
    BLITZ_DECLARE_(void, name, BLITZ_NO_RESULT_, BLITZ_LISTS_5_(__VA_ARGS__))
#define BLITZ_DECLARE_VOID_TASK_6(name, ...)                                                                 \
    BLITZ_DECLARE_(void, name, BLITZ_NO_RESULT_, BLITZ_LISTS_6_(__VA_ARGS__))

/* Defines a declared task; the body follows. */
#define BLITZ_BODY_0(R, name) BLITZ_BODY_(R, name, BLITZ_LISTS_0_())
#define BLITZ_BODY_1(R, name, ...) BLITZ_BODY_(R, name, BLITZ_LISTS_1_(__VA_ARGS__))
#define BLITZ_BODY_2(R, name, ...) BLITZ_BODY_(R, name, BLITZ_LISTS_2_(__VA_ARGS__))
#define BLITZ_BODY_3(R, name, ...) BLITZ_BODY_(R, name, BLITZ_LISTS_3_(__VA_ARGS__))
#define BLITZ_BODY_4(R, name, ...) BLITZ_BODY_(R, name, BLITZ_LISTS_4_(__VA_ARGS__))
#define BLITZ_BODY_5(R, name, ...) BLITZ_BODY_(R, name, BLITZ_LISTS_5_(__VA_ARGS__))
#define BLITZ_BODY_6(R, name, ...) BLITZ_BODY_(R, name, BLITZ_LISTS_6_(__VA_ARGS__))
#define BLITZ_VOID_BODY_0(name) BLITZ_BODY_0(void, name)
#define BLITZ_VOID_BODY_1(name, ...) BLITZ_BODY_1(void, name, __VA_ARGS__)
#define BLITZ_VOID_BODY_2(name, ...) BLITZ_BODY_2(void, name, __VA_ARGS__)
#define BLITZ_VOID_BODY_3(name, ...) BLITZ_BODY_3(void, name, __VA_ARGS__)
#define BLITZ_VOID_BODY_4(name, ...) BLITZ_BODY_4(void, name, __VA_ARGS__)
#define BLITZ_VOID_BODY_5(name, ...) BLITZ_BODY_5(void, name, __VA_ARGS__)
#define BLITZ_VOID_BODY_6(name, ...) BLITZ_BODY_6(void, name, __VA_ARGS__)

/* A task of n parameters with a result: BLITZ_TASK_1(type, name, T1, a1) { body }. */
#define BLITZ_TASK_0(R, name) BLITZ_DECLARE_TASK_0(R, name) BLITZ_BODY_0(R, name)
#define BLITZ_TASK_1(R, name, ...)                                                                           \
    BLITZ_DECLARE_TASK_1(R, name, __VA_ARGS__) BLITZ_BODY_1(R, name, __VA_ARGS__)
#define BLITZ_TASK_2(R, name, ...)                                                                           \
    BLITZ_DECLARE_TASK_2(R, name, __VA_ARGS__) BLITZ_BODY_2(R, name, __VA_ARGS__)
#define BLITZ_TASK_3(R, name, ...)                                                                           \
    BLITZ_DECLARE_TASK_3(R, name, __VA_ARGS__) BLITZ_BODY_3(R, name, __VA_ARGS__)
#define BLITZ_TASK_4(R, name, ...)                                                                           \
    BLITZ_DECLARE_TASK_4(R, name, __VA_ARGS__) BLITZ_BODY_4(R, name, __VA_ARGS__)
#define BLITZ_TASK_5(R, name, ...)                                                                           \
    BLITZ_DECLARE_TASK_5(R, name, __VA_ARGS__) BLITZ_BODY_5(R, name, __VA_ARGS__)
#define BLITZ_TASK_6(R, name, ...)                                                                           \
    BLITZ_DECLARE_TASK_6(R, name, __VA_ARGS__) BLITZ_BODY_6(R, name, __VA_ARGS__)

/* A task of n parameters without a result. */
#define BLITZ_VOID_TASK_0(name) BLITZ_DECLARE_VOID_TASK_0(name) BLITZ_BODY_0(void, name)
#define BLITZ_VOID_TASK_1(name, ...)                                                                         \
    BLITZ_DECLARE_VOID_TASK_1(name, __VA_ARGS__) BLITZ_BODY_1(void, name, __VA_ARGS__)
#define BLITZ_VOID_TASK_2(name, ...)                                                                         \
    BLITZ_DECLARE_VOID_TASK_2(name, __VA_ARGS__) BLITZ_BODY_2(void, name, __VA_ARGS__)
#define BLITZ_VOID_TASK_3(name, ...)                                                                         \
    BLITZ_DECLARE_VOID_TASK_3(name, __VA_ARGS__) BLITZ_BODY_3(void, name, __VA_ARGS__)
#define BLITZ_VOID_TASK_4(name, ...)                                                                         \
    BLITZ_DECLARE_VOID_TASK_4(name, __VA_ARGS__) BLITZ_BODY_4(void, name, __VA_ARGS__)
#define BLITZ_VOID_TASK_5(name, ...)                                                                         \
    BLITZ_DECLARE_VOID_TASK_5(name, __VA_ARGS__) BLITZ_BODY_5(void, name, __VA_ARGS__)
#define BLITZ_VOID_TASK_6(name, ...)                                                                         \
    BLITZ_DECLARE_VOID_TASK_6(name, __VA_ARGS__) BLITZ_BODY_6(void, name, __VA_ARGS__)

/* Forks: the task may run from here on, on any worker, and is synced at the end of the block at the latest. x names it.
 * _0: for tasks without parameters. Cost: a few instructions. */
#define BLITZ_FORK(x, name, ...)                                                                             \
    struct name##_frame x##_frame;                                                                           \
    __attribute__((cleanup(name##_close), unused)) struct name##_spawned x =                                 \
        name##_spawn(BLITZ_ME_, &x##_frame, __VA_ARGS__)
#define BLITZ_FORK_0(x, name) BLITZ_FORK(x, name, 0)

/* Waits for x, once. The value is the task's result. A task that no thief took runs here. */
#define BLITZ_SYNC(x, name) name##_sync(&(x))

/* Calls a task from a task, on this thread. _0: for tasks without parameters. */
#define BLITZ_CALL(name, ...) name##_body(BLITZ_ME_, __VA_ARGS__)
#define BLITZ_CALL_0(name) BLITZ_CALL(name, 0)

/* The type of a task's frame, for forks in a loop. A frame belongs to one fork until its sync. */
#define BLITZ_TASK_FRAME(name) struct name##_frame

/* Forks on a frame, given as a pointer, which BLITZ_SYNC_AT must sync before the function returns: the last fork first. _0:
 * for tasks without parameters. */
#define BLITZ_FORK_AT(name, frame, ...) name##_spawn_at(BLITZ_ME_, (frame), __VA_ARGS__)
#define BLITZ_FORK_AT_0(name, frame) BLITZ_FORK_AT(name, frame, 0)

/* Waits for the task on the frame. The value is its result. */
#define BLITZ_SYNC_AT(name, frame) name##_sync_at(BLITZ_ME_, (frame))

/* ---- Loops ---- */

#define BLITZ_LOOP_(...) BLITZ_LOOP_OF_(__VA_ARGS__)
#ifndef BLITZ_SERIAL
#    define BLITZ_LOOP_RUN_(range, lo, hi, ctx) blitz_for((lo), (hi), 0, (range), (ctx))
#else
#    define BLITZ_LOOP_RUN_(range, lo, hi, ctx) range((lo), (hi), (ctx))
#endif

#define BLITZ_LOOP_OF_(name, i, MEMBERS, PARAMS, ARGS, FILL, ENTRY)                                          \
    struct name##_loop {                                                                                     \
        struct {                                                                                             \
            struct {                                                                                         \
                BLITZ_OPEN_ MEMBERS                                                                          \
            } args;                                                                                          \
        } u;                                                                                                 \
    };                                                                                                       \
    static inline void name##_index(size_t i, BLITZ_OPEN_ PARAMS);                                           \
    BLITZ_UNUSED_ static int name##_range(size_t lo, size_t hi, void *ctx) {                                 \
        const struct name##_loop loop = *(const struct name##_loop *)ctx, *blitz_f = &loop;                  \
        for (size_t at = lo; at < hi; at++)                                                                  \
            name##_index(at, BLITZ_OPEN_ ARGS);                                                              \
        return 0;                                                                                            \
    }                                                                                                        \
    BLITZ_UNUSED_ static void name(size_t blitz_lo, size_t blitz_hi, BLITZ_OPEN_ PARAMS) {                   \
        struct name##_loop blitz_loop, *blitz_f = &blitz_loop;                                               \
        BLITZ_OPEN_ FILL BLITZ_LOOP_RUN_(name##_range, blitz_lo, blitz_hi, blitz_f);                         \
    }                                                                                                        \
    static inline void name##_index(size_t i, BLITZ_OPEN_ PARAMS)

/* Defines a loop body for the index i, with n arguments that are the same for all: BLITZ_LOOP_1(name, i, T1, a1) { body
 * }. */
#define BLITZ_LOOP_0(name, i) BLITZ_LOOP_(name, i, BLITZ_LISTS_0_())
#define BLITZ_LOOP_1(name, i, ...) BLITZ_LOOP_(name, i, BLITZ_LISTS_1_(__VA_ARGS__))
#define BLITZ_LOOP_2(name, i, ...) BLITZ_LOOP_(name, i, BLITZ_LISTS_2_(__VA_ARGS__))
#define BLITZ_LOOP_3(name, i, ...) BLITZ_LOOP_(name, i, BLITZ_LISTS_3_(__VA_ARGS__))
#define BLITZ_LOOP_4(name, i, ...) BLITZ_LOOP_(name, i, BLITZ_LISTS_4_(__VA_ARGS__))
#define BLITZ_LOOP_5(name, i, ...) BLITZ_LOOP_(name, i, BLITZ_LISTS_5_(__VA_ARGS__))
#define BLITZ_LOOP_6(name, i, ...) BLITZ_LOOP_(name, i, BLITZ_LISTS_6_(__VA_ARGS__))

/* Runs a loop body for all indices in [lo, hi), as blitz_for with grain 0. _0: for loops without parameters. Any thread. */
#define BLITZ_FOR(name, lo, hi, ...) name((lo), (hi), __VA_ARGS__)
#define BLITZ_FOR_0(name, lo, hi) BLITZ_FOR(name, lo, hi, 0)

/* ---- Workers ---- */

#ifndef BLITZ_SERIAL
/* blitz_pool_workers of the current pool. */
#    define BLITZ_WORKER_COUNT blitz_pool_workers(blitz_pool_current())
/* blitz_worker_index: the number of the worker that runs this. */
#    define BLITZ_WORKER_NUMBER blitz_worker_index()
#else
#    define BLITZ_WORKER_COUNT 1u
#    define BLITZ_WORKER_NUMBER 0u
#endif

/* ---- Cilk's words ---- */

#ifndef BLITZ_NO_CILK_NAMES
/* Cilk's words for the BLITZ_ macros. */
#    define CILK_SPAWN BLITZ_FORK
#    define CILK_SPAWN_0 BLITZ_FORK_0
#    define CILK_SYNC BLITZ_SYNC
#    define CILK_SPAWN_AT BLITZ_FORK_AT
#    define CILK_SPAWN_AT_0 BLITZ_FORK_AT_0
#    define CILK_SYNC_AT BLITZ_SYNC_AT
#    define CILK_FOR BLITZ_FOR
#    define CILK_FOR_0 BLITZ_FOR_0
#    define CILK_WORKER_COUNT BLITZ_WORKER_COUNT
#    define CILK_WORKER_NUMBER BLITZ_WORKER_NUMBER

/* Marks the block that follows: its end syncs the CILK_SPAWNs in it. */
#    define CILK_SCOPE
#endif

#ifdef __cplusplus
#    pragma GCC diagnostic pop
}
#endif

#endif
