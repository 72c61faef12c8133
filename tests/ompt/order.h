/* order.h: the data of the tool `order` about a program, and the functions shared by its files. See order.c. */
#ifndef ORDER_H
#define ORDER_H

#include <omp-tools.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REGION = 0x4e474552, TASK = 0x4b534154, THREAD = 0x44524854 };
enum {
    SCOPES_MOST = 32,
    MEMBERS_MOST = 1024,
    BARRIERS = 8,
    SINGLES_MOST = 1024,
    FAULTS_SHOWN = 3,
    FAULTS_MOST = 100
};

enum scope_kind { WORK, SYNC, SYNC_WAIT, MASKED };

/* A construct that has begun in a task and not ended. */
struct scope {
    enum scope_kind what;
    int kind;
    struct group *outer; /* of a taskgroup: the one around it */
    uint64_t count;      /* of work */
};

/* A taskgroup. */
struct group {
    atomic_long tasks;
};

/* One barrier of a region. The eighth one after it reuses it: by then no thread is in this one. */
struct barrier {
    atomic_int arrived, left;
    atomic_int kind;
    atomic_long tasks; /* created since the previous barrier, unfinished */
};

struct region {
    int magic;
    struct task *creator;
    int flags;
    bool is_implicit; /* around an initial task */
    atomic_int size, begun, ended;
    atomic_bool over, cancelled;
    atomic_uchar begun_by[MEMBERS_MOST];
    atomic_long tasks;
    struct barrier barriers[BARRIERS];
    atomic_uchar singles[SINGLES_MOST]; /* executors */
};

enum state { CREATED, RUNS, SUSPENDED, DETACHED, COMPLETE };

struct task {
    int magic;
    atomic_int state;
    int flags;
    struct region *region;
    struct task *creator;
    struct task *below;    /* of an implicit task: the previous task of its thread */
    struct thread *thread; /* runs it, or ran it last */
    struct group *group;   /* the innermost around it */
    unsigned
        barriers; /* met by the implicit task that it descends from, at its creation; of that: until now */
    unsigned singles;    /* of an implicit task: entered so far */
    int index, scopes;   /* of an implicit task: its thread number */
    bool waits_for_some; /* a taskwait with dependences */
    bool acquires;
    ompt_wait_id_t acquired;
    atomic_long children;
    struct scope scope[SCOPES_MOST];
    ompt_wait_id_t *mutexes; /* held by it; with room for `room` */
    size_t held, room;
};

struct thread {
    int magic;
    ompt_data_t *data;
    struct task *runs;
};

extern const char *const scope_names[], *const state_names[];

static inline struct barrier *barrier_of(struct region *region, unsigned number) {
    return &region->barriers[number % BARRIERS];
}

/* Reports on stderr, the first times. */
__attribute__((format(printf, 1, 2))) void fault(const char *format, ...);
void *made(size_t size);
void check_code(const char *callback, const void *code, bool known);
struct thread *self(const char *callback);
struct task *task_of(const char *callback, const ompt_data_t *data);
struct task *current(const char *callback, const ompt_data_t *data);
void check_region(const char *callback, const ompt_data_t *data, const struct task *task, bool may_lack);
struct scope *begin(const char *callback, struct task *task, enum scope_kind what, int kind);
bool end(const char *callback, struct task *task, enum scope_kind what, int kind);
void finish(struct task *task, const char *how);

/* order_waits.c: synchronisation, work and mutexes. */
void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel_data,
                    ompt_data_t *task_data, const void *code);
void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel_data,
                         ompt_data_t *task_data, const void *code);
void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel_data,
             ompt_data_t *task_data, uint64_t count, const void *code);
void on_dispatch(ompt_data_t *parallel_data, ompt_data_t *task_data, ompt_dispatch_t kind,
                 ompt_data_t instance);
void on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel_data, ompt_data_t *task_data,
               const void *code);
void on_cancel(ompt_data_t *task_data, int flags, const void *code);
void on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel_data,
                  ompt_data_t *task_data, const void *code);
void on_mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id, const void *code);
void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *code);
void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t id, const void *code);
void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t id, const void *code);

#endif
