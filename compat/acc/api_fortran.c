/* api_fortran.c: the acc_* functions as the module openacc has them: name_h_ with arguments by reference, and for memory
 * three forms: a variable and its size in 4 or 8 bytes, or an array. Most are made from acc.def: the shape of the C function
 * says which arguments to pass on. */
#include <string.h>

#include "acc_decl.h"

/* An array as gfortran describes it to a procedure whose dummy argument has any rank; since gcc 8. It is contiguous. */
struct array {
    void *base;
    size_t offset;
    size_t element;
    int32_t version;
    int8_t rank, type;
    int16_t attribute;
    ptrdiff_t span;
    struct {
        ptrdiff_t stride, lower, upper;
    } dimensions[];
};

static size_t size_of(const struct array *array) {
    size_t size = array->element;
    for (int i = 0; i < array->rank; i++) {
        ptrdiff_t extent = array->dimensions[i].upper - array->dimensions[i].lower + 1;
        size *= extent > 0 ? (size_t)extent : 0;
    }
    return size;
}

/* Definitions, by shape and forms. */
/* clang-format off */
#define H_other(name)
#define H_int_type(name) BOMP_EXPORT int32_t name##_h_(const int32_t *a) { return name(*a); }
#define H_int_queue(name) H_int_type(name)
#define H_void_type(name) BOMP_EXPORT void name##_h_(const int32_t *a) { name(*a); }
#define H_void_queue(name) H_void_type(name)
#define H_void_queues(name) BOMP_EXPORT void name##_h_(const int32_t *a, const int32_t *b) { name(*a, *b); }
#define H_int_void(name) BOMP_EXPORT int32_t name##_h_(void) { return name(); }
#define H_void_void(name) BOMP_EXPORT void name##_h_(void) { name(); }

#define SIZED_void_range(name) \
    BOMP_EXPORT void name##_32_h_(void *a, const int32_t *size) { name(a, (size_t)*size); } \
    BOMP_EXPORT void name##_64_h_(void *a, const int64_t *size) { name(a, (size_t)*size); } \
    BOMP_EXPORT void name##_array_h_(const struct array *a) { name(a->base, size_of(a)); }
#define SIZED_address_range(name) \
    BOMP_EXPORT void name##_32_h_(void *a, const int32_t *size) { (void)name(a, (size_t)*size); } \
    BOMP_EXPORT void name##_64_h_(void *a, const int64_t *size) { (void)name(a, (size_t)*size); } \
    BOMP_EXPORT void name##_array_h_(const struct array *a) { (void)name(a->base, size_of(a)); }
#define SIZED_int_range(name) \
    BOMP_EXPORT int32_t name##_32_h_(void *a, const int32_t *size) { return name(a, (size_t)*size); } \
    BOMP_EXPORT int32_t name##_64_h_(void *a, const int64_t *size) { return name(a, (size_t)*size); } \
    BOMP_EXPORT int32_t name##_array_h_(const struct array *a) { return name(a->base, size_of(a)); }
#define SIZED_void_range_queue(name) \
    BOMP_EXPORT void name##_32_h_(void *a, const int32_t *size, const int32_t *q) { name(a, (size_t)*size, *q); } \
    BOMP_EXPORT void name##_64_h_(void *a, const int64_t *size, const int32_t *q) { name(a, (size_t)*size, *q); } \
    BOMP_EXPORT void name##_array_h_(const struct array *a, const int32_t *q) { name(a->base, size_of(a), *q); }

#define FORTRAN_C(name, shape)
#define FORTRAN_C_H(name, shape) H_##shape(name)
#define FORTRAN_C_SIZED(name, shape) SIZED_##shape(name)
/* clang-format on */

#define ACC(group, name, node, status, shape, forms) FORTRAN_##forms(name, shape)
#define ACC_LATER(name, node, shape) SIZED_##shape(name)
#include "acc.def"

/* The rest. */

BOMP_EXPORT void acc_set_device_num_h_(const int32_t *number, const int32_t *type) {
    acc_set_device_num(*number, *type);
}

/* Arguments by value. */
BOMP_EXPORT size_t acc_get_property_h_(int32_t number, int32_t type, int32_t property) {
    return acc_get_property(number, type, property);
}

/* Arguments by value; the text is cut, or followed by blanks. */
BOMP_EXPORT void acc_get_property_string_h_(int32_t number, int32_t type, int32_t property, char *text,
                                            size_t room) {
    const char *value = acc_get_property_string(number, type, property);
    size_t length = value ? strnlen(value, room) : 0;
    memset(text, ' ', room);
    if (length > 0)
        memcpy(text, value, length);
}
