/*
 * blitz/cilk.h: tasks with arguments and results of their own types, in the spirit of Cilk, for stock gcc and clang.
 *
 *     BLITZ_TASK_1(long, fib, int, n) {
 *         if (n < 2)
 *             return n;
 *         BLITZ_SPAWN(x, fib, n - 1);            // x may run beside what follows
 *         long y = BLITZ_CALL(fib, n - 2);
 *         return y + BLITZ_SYNC(x, fib);
 *     }
 *     ... printf("%ld\n", fib(36));
 *
 * A spawn costs a few instructions and no memory but a frame on the stack; what nobody steals is called directly, and
 * the compiler may inline it. That is so where the last one spawned is synced first. Any other order is right, too, but
 * what ran in the sync of another one makes spawns and syncs on that worker cost some ten times as much until its own sync.
 *
 *   BLITZ_TASK_n(type, name, T1, a1, ... Tn, an) { body }       n from 0 to 6; a task with a result
 *   BLITZ_VOID_TASK_n(name, T1, a1, ...) { body }               a task without
 *   name(a1, ...)                      a plain call, from anywhere; the way in from outside of tasks
 *   BLITZ_DECLARE_TASK_n, BLITZ_DECLARE_VOID_TASK_n, BLITZ_BODY_n, BLITZ_VOID_BODY_n
 *                                      the same in two parts, for tasks that spawn each other
 * Within the body of a task:
 *   BLITZ_SPAWN(x, name, a1, ...);     lets it run from here on; x names it. Synced at the end of its block at the latest
 *   BLITZ_SYNC(x, name)                waits for x; its value is the task's result. Once for each x
 *   BLITZ_CALL(name, a1, ...)          calls it as a function, faster than name(a1, ...)
 *   BLITZ_FRAME(name)                  the type of a frame, for spawns that are counted rather than named:
 *   BLITZ_SPAWN_AT(name, frame, a1, ...), BLITZ_SYNC_AT(name, frame)
 *                                      with frame a pointer; the last one spawned is to be synced first
 * Anywhere:
 *   BLITZ_LOOP_n(name, i, T1, a1, ...) { body for index i }     a loop's body; T1 a1... are the same for all i
 *   BLITZ_FOR(name, lo, hi, a1, ...)   runs it for all i in [lo, hi)
 * For tasks and loops without parameters:
 *   BLITZ_SPAWN_0(x, name), BLITZ_CALL_0(name), BLITZ_SPAWN_AT_0(name, frame), BLITZ_FOR_0(name, lo, hi)
 *
 *   BLITZ_WORKER_COUNT, BLITZ_WORKER_NUMBER    how many workers the pool is to have; which one runs this, from 0: may be
 *                                      more than there are to be, see blitz_worker_index
 *
 * Variables that parallel tasks add to without locks, with the result of the serial program: blitz/reducer.h.
 *
 * Cilk's words: CILK_SPAWN, CILK_SYNC, CILK_SPAWN_AT, CILK_SYNC_AT, CILK_FOR, CILK_WORKER_COUNT and CILK_WORKER_NUMBER are
 * the same, those that end in _0 too, and CILK_SCOPE { ... } is a block at whose end all that CILK_SPAWN spawned in it is
 * synced. BLITZ_NO_CILK_NAMES leaves them undefined. What a Cilk programmer finds different, since there is no compiler
 * that helps:
 *   - tasks and the bodies of loops are defined by macros, with the list of their parameters
 *   - a spawn gives a name to what it spawned, and the result comes with its sync; a sync waits for one
 *   - the spawned task is what thieves take, and the spawner goes on; what was not taken runs at the sync
 *   - a spawn in a loop needs a frame of its own until it is synced: CILK_SPAWN_AT
 *
 * With BLITZ_SERIAL defined, the same source compiles to plain calls at the points of the spawns, to plain loops and, with
 * blitz/reducer.h, to plain variables: the serial elision, without the library.
 *
 * Results and arguments are plain data. They are assigned, so that a type may point to const (const char *) but not be const
 * itself; and it stands before a name, so that pointers to functions or arrays need a typedef. A task must not be left by
 * longjmp. A spawn or BLITZ_CALL outside of the body of a task does not compile, with a message that says so. A second sync
 * of a spawn ends the process with a line after a tenth of a second.
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

/* ---- What follows, up to the macros, is the library's inside: not for direct use. ---- */

typedef struct blitz_worker blitz_worker;

/* The head of a task's frame (struct bz_frame in the library). A spawn writes `run` and the arguments, no more: stores
 * are what bounds the speed of spawns. */
typedef struct blitz_job {
    void (*run)(struct blitz_job *job, blitz_worker *self);
    blitz_worker *thief;
} blitz_job;

/* The head of a worker: its deque (struct bz_deque in the library, which checks that both agree). Bottom,
 * top, fast and bound are shared with thieves; the others are the worker's own. */
struct __attribute__((may_alias)) blitz_worker {
    int64_t bottom;       /* next free index */
    int64_t split, limit; /* as in the library: nothing inline looks at them */
    int64_t mask;         /* of an index, to find its slot */
    blitz_job **slots;
    int64_t unused[3];
    int64_t top;
    int64_t fast; /* jobs from here on are private to this worker; negative: a thief wants some made public */
    int64_t bound; /* bottom must not reach it without a look at the other end; 0: as above */
};

/* Whose a job was that runs elsewhere, and where it lay (struct bz_theft in the library). */
typedef struct blitz_theft {
    blitz_worker *owner;
    int64_t index;
} blitz_theft;

/* The slow paths. Push: as below; -1: there was no room, and the job is done. Claim: true if the caller shall run the
 * job, false if it is done. Begin and end surround a job that runs elsewhere: begin returns what end needs to tell the
 * owner; the job may be gone after end. Call: runs the job inside the current or the global pool.
 *
 * The number in their names changes with anything of this inside: a program never runs with a library whose inside is
 * another one, since they do not link. */
BLITZ_API int64_t blitz_job4_push(blitz_worker *me, blitz_job *job);
BLITZ_API int blitz_job4_claim(blitz_worker *me, blitz_job *job, int64_t bottom);
BLITZ_API blitz_theft blitz_job4_begin(blitz_job *job, blitz_worker *me);
BLITZ_API void blitz_job4_end(blitz_job *job, blitz_theft theft);
BLITZ_API void blitz_job4_call(blitz_job *job);

#define BLITZ_LIKELY_(x) __builtin_expect(!!(x), 1)

/* In the body of a task blitz_me is its worker. Elsewhere it is this function, which is nowhere, and BLITZ_ME_ says so. */
void blitz_me(void);

#define BLITZ_ONLY_IN_TASKS_                                                                                 \
    "BLITZ_SPAWN, BLITZ_CALL and their like stand in the body of a task, BLITZ_TASK_n(...) { ... }; "        \
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

/* Stores the bottom with release. x86 keeps stores in order, and after a plain one the compiler still knows what is there:
 * fib(36) on one worker takes 45 ms so, 56 with an atomic one. */
BLITZ_INLINE_ void blitz_raise_(blitz_worker *me, int64_t bottom) {
#if defined(__x86_64__) && !defined(BLITZ_TSAN_)
    __atomic_signal_fence(__ATOMIC_RELEASE);
    me->bottom = bottom;
#else
    __atomic_store_n(&me->bottom, bottom, __ATOMIC_RELEASE);
#endif
}

/* In these two, each condition less lets the compiler inline a task into itself sooner: all that is unusual is one call. */

/* Pushes the job to the private end of the deque; returns the index after it. */
BLITZ_INLINE_ int64_t blitz_push_(blitz_worker *me, blitz_job *job) {
    int64_t b = me->bottom;
    if (!BLITZ_LIKELY_(b < __atomic_load_n(&me->bound, __ATOMIC_RELAXED)))
        return blitz_job4_push(me, job);
    __atomic_store_n(&me->slots[b & me->mask], job, __ATOMIC_RELAXED);
    blitz_raise_(me, b + 1);
    return b + 1;
}

/* Takes the job before index `end` back; false if it is done. */
BLITZ_INLINE_ int blitz_pop_(blitz_worker *me, int64_t end, blitz_job *job) {
    int64_t bottom = me->bottom;
    if (!BLITZ_LIKELY_(bottom == end) ||
        (__atomic_store_n(&me->bottom, end - 1, __ATOMIC_RELAXED),
         __atomic_signal_fence(__ATOMIC_SEQ_CST), /* deque.md, D13 */
         !BLITZ_LIKELY_((uint64_t)__atomic_load_n(&me->fast, __ATOMIC_RELAXED) < (uint64_t)end)))
        return blitz_job4_claim(me, job, bottom);
    return 1;
}

/* ---- How the macros are made ----
 *
 * A list of n typed parameters becomes five lists in parentheses, for whoever needs it in that form: the members of a
 * struct, parameters, arguments out of a frame, the assignments that fill one, and the parameters of the plain call. A list
 * of none has one that is 0 and that the plain call leaves out: there are no empty structs, nor arguments after a comma. */

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

/* The parts that differ between tasks with a result and tasks without: the frame's member for it, how it is kept, and
 * how it is returned from a call or from the frame. */
#define BLITZ_RESULT_(R) (R value;), (blitz_f->u.value =), (return ), (return blitz_f->u.value;)
#define BLITZ_NO_RESULT_ (), (), (), ()

/* Lists are only taken apart when a macro's arguments are scanned again: hence the extra step. */
#define BLITZ_DECLARE_(...) BLITZ_DECLARE_TASK_(__VA_ARGS__)

#define BLITZ_DECLARE_TASK_(R, name, VALUE, KEEP, RETURN, RETURN_KEPT, MEMBERS, PARAMS, ARGS, FILL, ENTRY)   \
    struct name##_frame {                                                                                    \
        blitz_job job;                                                                                       \
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

/* run: on another worker, or when there is no room for the job. push and pop: the two ends of a spawn. */
#    define BLITZ_VERBS_(R, name, KEEP, RETURN, RETURN_KEPT, PARAMS, ARGS, FILL, ENTRY)                      \
        BLITZ_UNUSED_ static void name##_run(blitz_job *job, blitz_worker *blitz_me) {                       \
            struct name##_frame *blitz_f = (struct name##_frame *)job;                                       \
            blitz_theft blitz_from = blitz_job4_begin(job, blitz_me);                                        \
            BLITZ_OPEN_ KEEP name##_body(blitz_me, BLITZ_OPEN_ ARGS);                                        \
            blitz_job4_end(job, blitz_from);                                                                 \
        }                                                                                                    \
        BLITZ_INLINE_ int64_t name##_push(blitz_worker *blitz_me, struct name##_frame *blitz_f) {            \
            blitz_f->job.run = name##_run;                                                                   \
            return blitz_push_(blitz_me, &blitz_f->job);                                                     \
        }                                                                                                    \
        BLITZ_INLINE_ R name##_pop(blitz_worker *blitz_me, struct name##_frame *blitz_f, int64_t end) {      \
            if (BLITZ_LIKELY_(blitz_pop_(blitz_me, end, &blitz_f->job))) {                                   \
                BLITZ_OPEN_ RETURN name##_body(blitz_me, BLITZ_OPEN_ ARGS);                                  \
            } else {                                                                                         \
                BLITZ_OPEN_ RETURN_KEPT                                                                      \
            }                                                                                                \
        }                                                                                                    \
        BLITZ_UNUSED_ static R name(BLITZ_OPEN_ ENTRY) {                                                     \
            struct name##_frame blitz_own, *blitz_f = &blitz_own;                                            \
            BLITZ_OPEN_ FILL blitz_f->job.run = name##_run;                                                  \
            blitz_job4_call(&blitz_f->job);                                                                  \
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

/* The head of a body. */
#define BLITZ_BODY_(...) BLITZ_BODY_OF_(__VA_ARGS__)
#define BLITZ_BODY_OF_(R, name, MEMBERS, PARAMS, ARGS, FILL, ENTRY)                                          \
    static inline R name##_body(blitz_worker *blitz_me BLITZ_UNUSED_, BLITZ_OPEN_ PARAMS)

/* ---- Tasks ---- */

/* The first part of a task of n parameters that is made in two. */
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

/* The second part: the body follows. */
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

/* Lets the task run from here on, until the end of the block at the latest; x names it. The other one is for tasks without
 * parameters. */
#define BLITZ_SPAWN(x, name, ...)                                                                            \
    struct name##_frame x##_frame;                                                                           \
    __attribute__((cleanup(name##_close), unused)) struct name##_spawned x =                                 \
        name##_spawn(BLITZ_ME_, &x##_frame, __VA_ARGS__)
#define BLITZ_SPAWN_0(x, name) BLITZ_SPAWN(x, name, 0)

/* Waits for x, once; the value is the task's result. */
#define BLITZ_SYNC(x, name) name##_sync(&(x))

/* Calls the task as a function, within a task. The other one is for tasks without parameters. */
#define BLITZ_CALL(name, ...) name##_body(BLITZ_ME_, __VA_ARGS__)
#define BLITZ_CALL_0(name) BLITZ_CALL(name, 0)

/* The type of a frame, for spawns that are counted rather than named. */
#define BLITZ_FRAME(name) struct name##_frame

/* A spawn on a frame, a pointer to it, that is synced by BLITZ_SYNC_AT: the last one spawned first. The other one is for
 * tasks without parameters. */
#define BLITZ_SPAWN_AT(name, frame, ...) name##_spawn_at(BLITZ_ME_, (frame), __VA_ARGS__)
#define BLITZ_SPAWN_AT_0(name, frame) BLITZ_SPAWN_AT(name, frame, 0)

/* Waits for the task on the frame; the value is its result. */
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

/* A loop's body for the index i, with n parameters that are the same for all: BLITZ_LOOP_1(name, i, T1, a1) { body }. */
#define BLITZ_LOOP_0(name, i) BLITZ_LOOP_(name, i, BLITZ_LISTS_0_())
#define BLITZ_LOOP_1(name, i, ...) BLITZ_LOOP_(name, i, BLITZ_LISTS_1_(__VA_ARGS__))
#define BLITZ_LOOP_2(name, i, ...) BLITZ_LOOP_(name, i, BLITZ_LISTS_2_(__VA_ARGS__))
#define BLITZ_LOOP_3(name, i, ...) BLITZ_LOOP_(name, i, BLITZ_LISTS_3_(__VA_ARGS__))
#define BLITZ_LOOP_4(name, i, ...) BLITZ_LOOP_(name, i, BLITZ_LISTS_4_(__VA_ARGS__))
#define BLITZ_LOOP_5(name, i, ...) BLITZ_LOOP_(name, i, BLITZ_LISTS_5_(__VA_ARGS__))
#define BLITZ_LOOP_6(name, i, ...) BLITZ_LOOP_(name, i, BLITZ_LISTS_6_(__VA_ARGS__))

/* Runs a loop's body for all indices in [lo, hi). The other one is for loops without parameters. */
#define BLITZ_FOR(name, lo, hi, ...) name((lo), (hi), __VA_ARGS__)
#define BLITZ_FOR_0(name, lo, hi) BLITZ_FOR(name, lo, hi, 0)

/* ---- Workers ---- */

#ifndef BLITZ_SERIAL
/* How many workers the current pool is to have. */
#    define BLITZ_WORKER_COUNT blitz_pool_workers(blitz_pool_current())
/* Which one runs this: blitz_worker_index. */
#    define BLITZ_WORKER_NUMBER blitz_worker_index()
#else
#    define BLITZ_WORKER_COUNT 1u
#    define BLITZ_WORKER_NUMBER 0u
#endif

/* ---- Cilk's words ---- */

#ifndef BLITZ_NO_CILK_NAMES
/* Cilk's word for the BLITZ_ macro of that name. */
#    define CILK_SPAWN BLITZ_SPAWN
#    define CILK_SPAWN_0 BLITZ_SPAWN_0
#    define CILK_SYNC BLITZ_SYNC
#    define CILK_SPAWN_AT BLITZ_SPAWN_AT
#    define CILK_SPAWN_AT_0 BLITZ_SPAWN_AT_0
#    define CILK_SYNC_AT BLITZ_SYNC_AT
#    define CILK_FOR BLITZ_FOR
#    define CILK_FOR_0 BLITZ_FOR_0
#    define CILK_WORKER_COUNT BLITZ_WORKER_COUNT
#    define CILK_WORKER_NUMBER BLITZ_WORKER_NUMBER

/* The block that follows: what was spawned in it is synced at its end. */
#    define CILK_SCOPE
#endif

#ifdef __cplusplus
#    pragma GCC diagnostic pop
}
#endif

#endif
