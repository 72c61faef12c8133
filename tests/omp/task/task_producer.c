// repeat: 60
// One producer of tasks with short bodies, long bodies, and both.
#include "../check.h"

static unsigned body(int i, int steps) {
    return busy_work((unsigned)i, steps);
}

/* length: the cost of task i. */
static unsigned produce(int count, int (*length)(int)) {
    unsigned sum = 0;

#pragma omp parallel
#pragma omp single
    for (int i = 0; i < count; i++) {
#pragma omp task shared(sum)
        {
            unsigned part = body(i, length(i));

#pragma omp atomic
            sum += part;
        }
    }
    return sum;
}

static unsigned in_serial(int count, int (*length)(int)) {
    unsigned sum = 0;

    for (int i = 0; i < count; i++)
        sum += body(i, length(i));
    return sum;
}

static int short_body(int i) {
    return i % 3;
}

static int long_body(int i) {
    return 3000 + i % 7;
}

static int mixed_body(int i) {
    return i % 64 == 0 ? 20000 : i % 16;
}

int main(int argc, char **argv) {
    int count = (int)check_arg(argc, argv, 1, 2000);
    unsigned results[3];

    results[0] = produce(count * 5, short_body);
    CHECK_EQ(results[0], in_serial(count * 5, short_body));
    results[1] = produce(count / 4, long_body);
    CHECK_EQ(results[1], in_serial(count / 4, long_body));
    results[2] = produce(count, mixed_body);
    CHECK_EQ(results[2], in_serial(count, mixed_body));
    printf("short %u long %u mixed %u\n", results[0], results[1], results[2]);
    return check_done("task_producer");
}
