// threads: 2
// env: UNSET=1
// env: ACC_DEVICE_TYPE=host
// env: ACC_DEVICE_TYPE=HOST ACC_DEVICE_NUM=0
// The host as the only device: its properties, initialisation and shutdown.
#include "../omp/check.h"

#include <openacc.h>
#include <string.h>

static void queries(void) {
    CHECK_EQ(acc_get_num_devices(acc_device_none), 0);
    CHECK_EQ(acc_get_num_devices(acc_device_default), 1);
    CHECK_EQ(acc_get_num_devices(acc_device_host), 1);
    CHECK_EQ(acc_get_num_devices(acc_device_not_host), 0);
    CHECK_EQ(acc_get_num_devices(acc_device_nvidia), 0);
    CHECK_EQ(acc_get_num_devices(acc_device_radeon), 0);
    CHECK_EQ(acc_get_device_type(), acc_device_host);
    CHECK_EQ(acc_get_device_num(acc_device_host), 0);
    CHECK_EQ(acc_get_device_num(acc_device_default), 0);
    int (*volatile on_device)(acc_device_t) = acc_on_device; /* the compiler knows this function */
    CHECK_EQ(on_device(acc_device_host), 1);
    CHECK_EQ(on_device(acc_device_none), 1);
    CHECK_EQ(on_device(acc_device_default), 0);
    CHECK_EQ(on_device(acc_device_not_host), 0);
    CHECK_EQ(on_device(acc_device_nvidia), 0);
    CHECK_EQ(on_device(acc_device_current), 0);
}

static void properties(void) {
    CHECK_EQ(acc_get_property(0, acc_device_host, acc_property_memory), 0);
    CHECK_EQ(acc_get_property(0, acc_device_default, acc_property_free_memory), 0);
    CHECK_EQ(acc_get_property(0, acc_device_host, acc_property_name), 0);
    printf("%s, %s, %s\n", acc_get_property_string(0, acc_device_host, acc_property_name),
           acc_get_property_string(0, acc_device_default, acc_property_vendor),
           acc_get_property_string(0, acc_device_host, acc_property_driver));
    CHECK(acc_get_property_string(0, acc_device_host, acc_property_memory) == NULL);
}

static void use(void) {
    int a = 1;
#pragma acc parallel copy(a)
    a++;
    CHECK_EQ(a, 2);
    CHECK_EQ(acc_async_test_all(), 1);
}

static void comes_and_goes(void) {
    acc_shutdown(acc_device_host);
    acc_init(acc_device_default);
    use();
    acc_shutdown(acc_device_default);
    use();
    acc_set_device_type(acc_device_host);
    acc_set_device_type(acc_device_default);
    use();
    acc_shutdown(acc_device_host);
    acc_set_device_num(0, acc_device_host);
    acc_set_device_num(0, acc_device_none);
    acc_set_device_num(-1, acc_device_default);
    use();
    CHECK_EQ(acc_get_device_num(acc_device_host), 0);
    acc_shutdown(acc_device_host);
    properties();
    acc_shutdown(acc_device_host);
    acc_init(acc_device_host);
}

static void cuda(void) {
    int stream;
    CHECK(acc_get_current_cuda_device() == NULL);
    CHECK(acc_get_current_cuda_context() == NULL);
    CHECK(acc_get_cuda_stream(1) == NULL);
    CHECK_EQ(acc_set_cuda_stream(1, &stream), -1);
    CHECK_EQ(acc_set_cuda_stream(1, NULL), 0);
}

int main(void) {
    queries();
    use();
    queries();
    properties();
    comes_and_goes();
    cuda();
    return check_done("device");
}
