// beyond libgomp: a taskwait outside of all regions hangs when a task with dependences follows a detached one
// Tasks created on a stack that is not the thread's, as coroutines have: outside of all regions they run at once,
// inside a region they are complete after a taskwait, even if the thread had queued tasks before.
#include "../check.h"

#include <sys/mman.h>
#include <ucontext.h>

enum { STACK = 1 << 20, TASKS = 10 };

static ucontext_t thread, coroutine;
static int ran, ran_at_once;

static void make_tasks(void) {
    for (int i = 0; i < TASKS; i++) {
        int before = ran;
#pragma omp task
        ran++;
        ran_at_once += ran > before;
    }
#pragma omp taskwait
    swapcontext(&coroutine, &thread);
}

static void run_on(void *stack) {
    ran = ran_at_once = 0;
    CHECK_EQ(getcontext(&coroutine), 0);
    coroutine.uc_stack.ss_sp = stack;
    coroutine.uc_stack.ss_size = STACK;
    makecontext(&coroutine, make_tasks, 0);
    CHECK_EQ(swapcontext(&thread, &coroutine), 0);
    CHECK_EQ(ran, TASKS);
}

/* Gives the thread memory of queued tasks to reuse. */
static void queue_some(void) {
    int x = 0;
    omp_event_handle_t event;
#pragma omp task detach(event) depend(out : x) shared(x)
    x = 1;
#pragma omp task depend(in : x) shared(x)
    x++;
    omp_fulfill_event(event);
#pragma omp taskwait
    CHECK_EQ(x, 2);
}

int main(void) {
    void *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(stack != MAP_FAILED);
    for (int round = 0; round < 2; round++) {
        run_on(stack);
        CHECK_EQ(ran_at_once, TASKS);
        queue_some();
    }
#pragma omp parallel num_threads(1)
    run_on(stack);
    munmap(stack, STACK);
    return check_done("task_coroutine");
}
