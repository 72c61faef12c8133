/* Calls of OpenACC programs of gcc 15 to 17 beyond those of gcc 12: copies on the device, and Fortran's forms of
 * functions that C has had for longer. Arrays are described as by gfortran. */
#include <string.h>

#include "newer.h"

void GOACC_init(int, int), GOACC_set_device(int, int), GOACC_shutdown(int, int);
int acc_get_device_type(void);
void acc_memcpy_device(void *, void *, size_t);
void acc_memcpy_device_async(void *, void *, size_t, int);

struct array {
    void *base;
    size_t offset;
    struct {
        size_t element;
        int version;
        signed char rank, type;
        short attribute;
    } dtype;
    ptrdiff_t span;
    struct {
        ptrdiff_t stride, lower, upper;
    } dimensions[2];
};

#define FORMS(name)                                                                                          \
    void name##_32_h_(void *, const int32_t *, const int32_t *);                                             \
    void name##_64_h_(void *, const int64_t *, const int32_t *);                                             \
    void name##_array_h_(const struct array *, const int32_t *);
FORMS(acc_copyout_finalize_async)
FORMS(acc_delete_finalize_async)

int main(void) {
    int32_t values[12] = {1, 2, 3}, copy[12] = {0}, size = sizeof values, queue = 3;
    int64_t wide = size;
    struct array array = {values, 0, {sizeof(int32_t), 0, 2, 1, 0}, sizeof(int32_t), {{1, 1, 3}, {3, 1, 4}}};
    GOACC_init(-1, 0); /* init */
    GOACC_shutdown(0, 0);
    GOACC_init(0, 2); /* init device_num(0) device_type(host) */
    GOACC_set_device(0, 1);
    GOACC_set_device(-1, 2);
    CHECK(acc_get_device_type() == 2);
    acc_memcpy_device(copy, values, sizeof values);
    CHECK(memcmp(copy, values, sizeof values) == 0);
    copy[0] = 4;
    acc_memcpy_device_async(values, copy, sizeof values, queue);
    CHECK(values[0] == 4 && values[2] == 3);
    acc_copyout_finalize_async_32_h_(values, &size, &queue);
    acc_copyout_finalize_async_64_h_(values, &wide, &queue);
    acc_copyout_finalize_async_array_h_(&array, &queue);
    acc_delete_finalize_async_32_h_(values, &size, &queue);
    acc_delete_finalize_async_64_h_(values, &wide, &queue);
    acc_delete_finalize_async_array_h_(&array, &queue);
    CHECK(values[0] == 4 && values[2] == 3);
    GOACC_shutdown(-1, 1);
    return 0;
}
