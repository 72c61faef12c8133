// threads: 2
// env: UNSET=1
// env: ACC_DEVICE_TYPE=host
// The events of constructs, directives and functions: their contents and order.
#include "events.h"

#include <openacc.h>
#include <stdlib.h>

static int buffer[10];

static void declared(void) {
    int a[4], b[4], c[4], d[4];
#pragma acc declare copy(a)
#pragma acc declare copyin(b)
#pragma acc declare copyout(c)
#pragma acc declare create(d)
    a[0] = b[0] = c[0] = d[0] = 1;
    __asm__ volatile("" : : "r"(a), "r"(b), "r"(c), "r"(d));
    puts("...in");
}

static void constructs(int no) {
    puts("parallel");
#pragma acc parallel copy(buffer) num_gangs(3) num_workers(4) vector_length(5)
    buffer[0]++;
    puts("kernels");
#pragma acc kernels copy(buffer)
    buffer[0]++;
    puts("serial");
#pragma acc serial copy(buffer) async(3)
    buffer[0]++;
    puts("parallel if");
#pragma acc parallel copy(buffer) if (no) async wait(1)
    buffer[0]++;
    puts("data");
#pragma acc data copy(buffer)
    puts("...in");
    puts("data if");
#pragma acc data copy(buffer) if (no)
    puts("...in");
    puts("host_data");
#pragma acc host_data use_device(buffer)
    puts("...in");
}

static void directives(int no) {
    puts("enter data");
#pragma acc enter data copyin(buffer) async(5)
    puts("exit data");
#pragma acc exit data copyout(buffer) wait(5)
    puts("enter data if");
#pragma acc enter data copyin(buffer) async if (no)
    puts("update");
#pragma acc update device(buffer) async(3)
    puts("wait");
#pragma acc wait
#pragma acc wait(3)
#pragma acc wait async(3)
    puts("declare");
    declared();
}

static void functions(void) {
    puts("functions");
    acc_copyin(buffer, sizeof buffer);
    acc_update_self(buffer, sizeof buffer);
    acc_copyout(buffer, sizeof buffer);
    acc_free(acc_malloc(5));
    acc_wait_all();
    acc_get_property(0, acc_device_host, acc_property_memory);
    acc_set_device_num(0, acc_device_host);
    acc_set_device_type(acc_device_host);
    puts("shutdown");
    acc_shutdown(acc_device_host);
    puts("initialised by itself again");
#pragma acc parallel copy(buffer)
    buffer[0]++;
    puts("init");
    acc_init(acc_device_default);
    acc_shutdown(acc_device_host);
    acc_init(acc_device_host);
}

int main(int argc, char **argv) {
    (void)argv;
    for (int event = acc_ev_device_init_start; event < acc_ev_last; event++)
        acc_prof_register(event, print_event, acc_reg);
    constructs(argc > 100);
    directives(argc > 100);
    functions();
    printf("%ld events\n", events_seen);
    return events_seen == 0;
}
