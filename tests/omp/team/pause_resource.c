// beyond libomp: it aborts by an assertion
// repeat: 40
// omp_pause_resource and omp_pause_resource_all: their results; regions keep working.
#include "../check.h"

static int value = 100;
#pragma omp threadprivate(value)

static int team(void) {
    int count = 0;

#pragma omp parallel num_threads(4) reduction(+ : count)
    count++;
    return count;
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 20);
    int host = omp_get_initial_device();

    printf("before any region: %d %d\n", omp_pause_resource(omp_pause_soft, host),
           omp_pause_resource_all(omp_pause_hard));
    for (int device = -3; device < 3; device += device == -2 ? 2 : 1) /* -1: the host since libgomp 13 */
        printf("device %d: %d\n", device, omp_pause_resource(omp_pause_hard, device));
    for (int i = 0; i < rounds; i++) {
        CHECK_EQ(team(), 4);
        CHECK_EQ(i % 2 ? omp_pause_resource(omp_pause_soft, host) : omp_pause_resource_all(omp_pause_hard),
                 0);
    }
    int inside[2] = {7, 7};
#pragma omp parallel num_threads(2)
#pragma omp master
    {
        inside[0] = omp_pause_resource(omp_pause_soft, host);
        inside[1] = omp_pause_resource_all(omp_pause_soft);
    }
    printf("in a region: %d %d\n", inside[0], inside[1]);
#pragma omp parallel num_threads(1)
    inside[0] = omp_pause_resource_all(omp_pause_soft);
    printf("in a region of one: %d\n", inside[0]);
#pragma omp target map(inside)
    {
        inside[0] = team();
        inside[1] = omp_pause_resource(omp_pause_hard, host);
    }
    printf("in a target region: %d %d\n", inside[0], inside[1]);
#pragma omp task shared(inside)
    inside[0] = omp_pause_resource_all(omp_pause_hard);
    printf("in a task outside: %d\n", inside[0]);

    /* The threads are gone, and their variables with them. */
#pragma omp parallel num_threads(4)
    value = 200;
    CHECK_EQ(omp_pause_resource_all(omp_pause_hard), 0);
#pragma omp parallel num_threads(4)
    CHECK_EQ(value, omp_get_thread_num() ? 100 : 200);
    return check_done("pause_resource");
}
