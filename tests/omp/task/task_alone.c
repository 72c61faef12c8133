// gcc only: clang's programs run their tasks at once there (kmpc/task_alone.c)
// flags: -pthread
// repeat: 1
// env: OMP_MAX_TASK_PRIORITY=9
// env: OMP_MAX_TASK_PRIORITY=9 OMP_CANCELLATION=true
// env: OMP_MAX_TASK_PRIORITY=9 KMP_ENABLE_TASK_THROTTLING=no
// A team of one thread: tasks are deferred, so their creators go on, and the tasks may wait for their creators' next
// steps. Also their order at waits and barriers. These programs rely on libgomp's behaviour, which OpenMP does not
// prescribe.
#include "../check.h"

#include <semaphore.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 64 };

static sem_t step[MOST];

static void wait_for_step(int i) {
    while (sem_wait(&step[i]))
        ;
}

static void take_step(int i) {
    sem_post(&step[i]);
}

/* ---- order of execution ---- */

static char trace[1024];
static char x, y, z; /* addresses that tasks depend on */

static void note(char what) {
    size_t length = strlen(trace);
    trace[length] = what;
    trace[length + 1] = 0;
}

static void check_trace(const char *want, int line) {
    if (strcmp(trace, want) != 0)
        fprintf(stderr, "line %d: %s instead of %s\n", line, trace, want);
    CHECK(strcmp(trace, want) == 0);
    trace[0] = 0;
}

static void create(char what) {
#pragma omp task
    note(what);
}

static void create_parent(char what) {
#pragma omp task
    {
        note(what);
        create((char)(what - 'a' + 'A'));
    }
}

static void create_three(void) {
    create('a');
    create('b');
    create('c');
}

static void orders(void) {
#pragma omp parallel num_threads(1)
    {
        create_three();
        note('-');
#pragma omp taskwait
        check_trace("-cba", __LINE__);
        create_three();
        note('-');
#pragma omp barrier
        check_trace("-abc", __LINE__);
#pragma omp taskgroup
        {
            create_three();
            note('-');
        }
        check_trace("-cba", __LINE__);
        create_parent('a');
        create_parent('b');
#pragma omp taskwait
        note('-'); /* it waits for children alone */
#pragma omp barrier
        check_trace("ba-BA", __LINE__);
        create('a');
#pragma omp for
        for (int i = 0; i < 1; i++)
            note('f');
        note('-');
        create('b');
#pragma omp single
        note('s');
        note('-');
        create('c');
#pragma omp sections
        {
#pragma omp section
            note('t');
        }
        check_trace("fa-sb-tc", __LINE__);
        create_three();
    }
    check_trace("abc", __LINE__);
}

/* Tasks that the wait needs come first, and no others run. */
static void orders_of_dependences(void) {
#pragma omp parallel num_threads(1)
    {
        create('p');
#pragma omp task depend(out : x)
        note('x');
#pragma omp task depend(out : y)
        note('y');
#pragma omp task depend(inout : y)
        note('Y');
#pragma omp task depend(out : z)
        note('z');
        create('q');
#pragma omp taskwait depend(in : y)
        note('-');
#pragma omp task depend(in : x) if (0)
        note('X');
        note('-');
#pragma omp taskwait
        check_trace("yY-xX-qzp", __LINE__);
    }
}

/* A task that only an outer wait needs stays queued: it need not descend from the task that waits here. */
static void orders_of_nested_dependences(void) {
#pragma omp parallel num_threads(1)
    {
#pragma omp task depend(out : x)
        {
            char inner = 0;
            note('x');
#pragma omp task depend(out : inner)
            note('i');
#pragma omp task depend(in : inner) if (0)
            note('j');
            note(inner ? '?' : 'X');
        }
#pragma omp task depend(out : y)
        note('y');
#pragma omp task depend(in : x, y) depend(out : z)
        note('z');
#pragma omp taskwait depend(in : z)
        CHECK(strstr(trace, "xijX"));
        trace[0] = 0;
    }
}

static void orders_of_priorities(void) {
#pragma omp parallel num_threads(1)
    {
        for (int i = 0; i < 40; i++) {
#pragma omp task priority(i % 4) firstprivate(i)
            note((char)('0' + i % 4));
        }
        note('-');
    }
    check_trace("-3333333333222222222211111111110000000000", __LINE__);
}

/* ---- tasks that wait for their creator's next steps ---- */

static void one_of_each_kind(void) {
    omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task
    wait_for_step(0);
#pragma omp task untied mergeable
    wait_for_step(1);
#pragma omp task priority(3)
    wait_for_step(2);
#pragma omp task depend(out : x)
    wait_for_step(3);
#pragma omp task depend(in : x)
    wait_for_step(4);
#pragma omp task final(1)
    wait_for_step(5);
#pragma omp task detach(event)
    wait_for_step(6);
#pragma omp task if (0)
    {
#pragma omp task
        wait_for_step(7);
    }
#pragma omp taskloop nogroup num_tasks(2)
    for (int i = 8; i < 10; i++)
        wait_for_step(i);
    omp_fulfill_event(event);
    for (int i = 0; i < 10; i++)
        take_step(i);
#pragma omp taskwait
}

static void many(void) {
    for (int i = 0; i < MOST - 1; i++) {
#pragma omp task firstprivate(i)
        wait_for_step(i);
    }
    for (int i = 0; i < MOST - 1; i++)
        take_step(i);
#pragma omp taskwait
}

/* The creator of more children runs tasks at once, but no other one. */
static void many_that_depend(void) {
    static char cells[4 * MOST];
    for (int i = 0; i < 4 * MOST; i++) {
#pragma omp task depend(in : cells[i / 2]) depend(out : cells[i])
        cells[i]++;
    }
#pragma omp taskwait
    for (int i = 0; i < MOST + 2; i++) {
#pragma omp task depend(inout : cells[i % (MOST + 1)])
        cells[i]++;
    }
#pragma omp task depend(inout : cells[2 * MOST])
    wait_for_step(0);
    take_step(0);
#pragma omp taskwait
    for (int i = 0; i < MOST; i++) {
#pragma omp task depend(inout : cells[i % 3]) firstprivate(i)
        wait_for_step(i);
    }
    for (int i = 0; i < MOST; i++)
        take_step(i);
#pragma omp taskwait
}

static void again_and_again(int count) {
    for (int i = 0; i < count; i++) {
#pragma omp task
        wait_for_step(0);
        take_step(0);
#pragma omp taskwait
    }
}

/* Each waits for its creator, the previous one. */
static void nest(int depth) {
    if (depth == 0)
        return;
#pragma omp task firstprivate(depth)
    {
        wait_for_step(depth);
        nest(depth - 1);
    }
    take_step(depth);
#pragma omp taskwait
}

static void from_a_group(void) {
#pragma omp taskgroup
    {
#pragma omp task
        wait_for_step(0);
        take_step(0);
#pragma omp taskgroup
        {
#pragma omp task
            wait_for_step(1);
            take_step(1);
        }
    }
}

/* A grandchild that waits for the code after the taskwait. */
static void after_the_wait(void) {
#pragma omp task
    {
#pragma omp task
        wait_for_step(0);
    }
#pragma omp taskwait
    take_step(0);
}

/* The same, for the code after a taskgroup that does not contain it. */
static void after_the_group(void) {
#pragma omp task
    {
#pragma omp task
        wait_for_step(0);
    }
#pragma omp taskwait
#pragma omp taskgroup
    {
#pragma omp task
        take_step(1);
    }
    wait_for_step(1);
    take_step(0);
}

static void through_a_pipe(void) {
    int ends[2];
    char got = 0;
    CHECK_EQ(pipe(ends), 0);
#pragma omp task shared(got)
    CHECK_EQ(read(ends[0], &got, 1), 1);
    CHECK_EQ(write(ends[1], "x", 1), 1);
#pragma omp taskwait
    CHECK_EQ(got, 'x');
    close(ends[0]);
    close(ends[1]);
}

static void all_ways(void) {
    one_of_each_kind();
    many();
    many_that_depend();
    again_and_again(100);
    nest(MOST - 4);
    from_a_group();
    after_the_wait();
    after_the_group();
    through_a_pipe();
}

/* ---- many tasks ---- */

/* The time of a wait does not grow with the square of their number, even if all are queued. */
static void wait_over_many(int count) {
    long ended = 0;
    clock_t began = clock();
    for (int i = 0; i < count; i++) {
#pragma omp task shared(ended)
        {
#pragma omp task shared(ended)
            ended++;
        }
    }
#pragma omp taskwait
    for (int i = 0; i < 10; i++) {
#pragma omp task depend(inout : x) shared(ended)
        ended++;
#pragma omp taskwait depend(in : x)
    }
#pragma omp barrier
    CHECK_EQ(ended, count + 10);
    CHECK((clock() - began) / CLOCKS_PER_SEC < 30);
}

/* ---- tasks that wait for each other ---- */

static void consumer_first(void) {
#pragma omp task
    wait_for_step(0);
#pragma omp task
    take_step(0);
}

static void producer_first(void) {
#pragma omp task
    take_step(0);
#pragma omp task
    wait_for_step(0);
}

static void pairs(void) {
    consumer_first();
#pragma omp taskwait
#pragma omp taskgroup
    consumer_first();
    producer_first();
#pragma omp barrier
    producer_first();
#pragma omp single
    (void)0;
    producer_first();
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 20000);
    for (int i = 0; i < MOST; i++)
        sem_init(&step[i], 0, 0);
    orders();
    orders_of_dependences();
    orders_of_nested_dependences();
    orders_of_priorities();
#pragma omp parallel num_threads(1)
    all_ways();
#pragma omp parallel num_threads(1)
    {
#pragma omp task
        all_ways();
    }
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp parallel num_threads(1) /* nested */
        all_ways();
    }
    omp_set_num_threads(1);
#pragma omp parallel
    {
        pairs();
#pragma omp barrier
        again_and_again(rounds);
        wait_over_many(5 * rounds);
    }
    printf("done\n");
    return check_done("task_alone");
}
