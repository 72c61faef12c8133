/* The call-at-once stub of LLVM's ABI, preloaded: a task's block is taken from a stack, __kmpc_omp_task runs the task's
 * entry, without any wait or query of the thread. No runtime of this ABI can be faster on one thread. The rest is left
 * to the runtime behind it. Right on one thread, for programs whose tasks need no other thread, no event and no
 * reduction, and without taskloops and undeferred tasks. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct task {
    void *shareds;
    int32_t (*entry)(int32_t gtid, void *task);
    int32_t part;
    void *data[2];
};

enum { LINE = 64, STACK = 64 << 20 };
static _Alignas(LINE) char stack[STACK];
static size_t used;

struct task *__kmpc_omp_task_alloc(void *where, int32_t gtid, int32_t flags, size_t size, size_t shareds_size,
                                   int32_t (*entry)(int32_t, void *));
int32_t __kmpc_omp_task(void *where, int32_t gtid, struct task *task);
int32_t __kmpc_omp_task_with_deps(void *where, int32_t gtid, struct task *task, int32_t count, void *list,
                                  int32_t count_apart, void *list_apart);
int32_t __kmpc_omp_taskwait(void *where, int32_t gtid);
int32_t __kmpc_global_thread_num(void *where);

/* The shared variables' block lies behind the task, which begins a cache line. */
struct task *__kmpc_omp_task_alloc(void *where, int32_t gtid, int32_t flags, size_t size, size_t shareds_size,
                                   int32_t (*entry)(int32_t, void *)) {
    (void)where, (void)gtid, (void)flags;
    struct task *task = (struct task *)(stack + used);
    size = (size + 7) & ~(size_t)7;
    used += (size + shareds_size + LINE - 1) & ~(size_t)(LINE - 1);
    if (used > STACK)
        abort();
    task->shareds = (char *)task + size;
    task->entry = entry;
    task->part = 0;
    return task;
}

/* Tasks end in the reverse order of their blocks. */
int32_t __kmpc_omp_task(void *where, int32_t gtid, struct task *task) {
    (void)where;
    task->entry(gtid, task);
    used = (size_t)((char *)task - stack);
    return 0;
}

int32_t __kmpc_omp_task_with_deps(void *where, int32_t gtid, struct task *task, int32_t count, void *list,
                                  int32_t count_apart, void *list_apart) {
    (void)count, (void)list, (void)count_apart, (void)list_apart;
    return __kmpc_omp_task(where, gtid, task);
}

int32_t __kmpc_omp_taskwait(void *where, int32_t gtid) {
    (void)where, (void)gtid;
    return 0;
}

/* The only thread's. */
int32_t __kmpc_global_thread_num(void *where) {
    (void)where;
    return 0;
}
