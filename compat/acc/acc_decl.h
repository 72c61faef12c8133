/* acc_decl.h: the acc_* functions of C in GCC's ABI, declared from acc.def, and the types of acc_prof.h (OpenACC 2.6,
 * chapter 5). Enumerations are ints. */
#ifndef BACC_ACC_DECL_H
#define BACC_ACC_DECL_H

#include <stddef.h>
#include <stdint.h>

#include "omp/bomp.h"

/* acc_device_t */
enum {
    ACC_DEVICE_NONE = 0,
    ACC_DEVICE_DEFAULT = 1,
    ACC_DEVICE_HOST = 2,
    ACC_DEVICE_NOT_HOST = 4,
    ACC_DEVICE_NVIDIA = 5,
    ACC_DEVICE_RADEON = 8
};

/* acc_device_property_t, those that are texts */
enum { ACC_PROPERTY_NAME = 0x10001, ACC_PROPERTY_VENDOR = 0x10002, ACC_PROPERTY_DRIVER = 0x10003 };

/* acc_async_t: the lowest argument for a queue that there is */
enum { ACC_ASYNC_SYNC = -2 };

/* acc_event_t: the events of the host. The end of each is the next number. */
enum {
    ACC_EV_NONE = 0,
    ACC_EV_DEVICE_INIT_START = 1,
    ACC_EV_ENTER_DATA_START = 10,
    ACC_EV_EXIT_DATA_START = 12,
    ACC_EV_UPDATE_START = 14,
    ACC_EV_COMPUTE_CONSTRUCT_START = 16,
    ACC_EV_LAST = 26
};

/* acc_construct_t */
enum {
    ACC_CONSTRUCT_PARALLEL = 0,
    ACC_CONSTRUCT_DATA = 3,
    ACC_CONSTRUCT_ENTER_DATA = 4,
    ACC_CONSTRUCT_EXIT_DATA = 5,
    ACC_CONSTRUCT_HOST_DATA = 6,
    ACC_CONSTRUCT_INIT = 9,
    ACC_CONSTRUCT_UPDATE = 12,
    ACC_CONSTRUCT_RUNTIME_API = 15
};

/* acc_register_t */
enum { ACC_REG = 0, ACC_TOGGLE = 1, ACC_TOGGLE_PER_THREAD = 2 };

struct acc_prof_info {
    int32_t event_type;
    int32_t valid_bytes;
    int32_t version;
    int32_t device_type;
    int32_t device_number;
    int32_t thread_id;
    intptr_t async;
    intptr_t async_queue;
    const char *src_file;
    const char *func_name;
    int32_t line_no, end_line_no;
    int32_t func_line_no, func_end_line_no;
};

/* acc_event_info as acc_other_event_info, the part that the events of the host have; its users see a union. */
struct acc_event_info {
    int32_t event_type;
    int32_t valid_bytes;
    int32_t parent_construct;
    int32_t implicit;
    void *tool_info;
};

struct acc_api_info {
    int32_t device_api;
    int32_t valid_bytes;
    int32_t device_type;
    int32_t vendor;
    const void *device_handle;
    const void *context_handle;
    const void *async_handle;
};

typedef void acc_prof_callback(struct acc_prof_info *, struct acc_event_info *, struct acc_api_info *);
typedef void acc_prof_reg(int event, acc_prof_callback *callback, int how);
typedef void acc_query_fn(void);
typedef acc_query_fn *acc_prof_lookup_func(const char *name);

/* By shape: of the parameters a type is that of a device, a queue the argument of an async clause, a range an address
 * and its bytes, a copy where to, where from and how many bytes. */
#define DECLARE_construct(name)
#define DECLARE_other(name)
#define DECLARE_int_type(name) BOMP_EXPORT int name(int type);
#define DECLARE_void_type(name) BOMP_EXPORT void name(int type);
#define DECLARE_int_queue(name) BOMP_EXPORT int name(int queue);
#define DECLARE_void_queue(name) BOMP_EXPORT void name(int queue);
#define DECLARE_void_queues(name) BOMP_EXPORT void name(int waited, int queue);
#define DECLARE_int_void(name) BOMP_EXPORT int name(void);
#define DECLARE_void_void(name) BOMP_EXPORT void name(void);
#define DECLARE_int_range(name) BOMP_EXPORT int name(void *address, size_t size);
#define DECLARE_void_range(name) BOMP_EXPORT void name(void *address, size_t size);
#define DECLARE_address_range(name) BOMP_EXPORT void *name(void *address, size_t size);
#define DECLARE_void_range_queue(name) BOMP_EXPORT void name(void *address, size_t size, int queue);
#define DECLARE_address_address(name) BOMP_EXPORT void *name(void *address);
#define DECLARE_void_copy(name) BOMP_EXPORT void name(void *to, void *from, size_t size);
#define DECLARE_void_copy_queue(name) BOMP_EXPORT void name(void *to, void *from, size_t size, int queue);
#define DECLARE_void_pointer(name) BOMP_EXPORT void name(void **pointer);
#define DECLARE_void_pointer_queue(name) BOMP_EXPORT void name(void **pointer, int queue);

#define ACC(group, name, node, status, shape, forms) DECLARE_##shape(name)
#define ACC_LATER(name, node, shape)
#include "acc.def"
#undef ACC
#undef ACC_LATER

BOMP_EXPORT void acc_set_device_num(int number, int type);
BOMP_EXPORT size_t acc_get_property(int number, int type, int property);
BOMP_EXPORT const char *acc_get_property_string(int number, int type, int property);
BOMP_EXPORT acc_prof_reg acc_prof_register, acc_prof_unregister;
BOMP_EXPORT acc_prof_lookup_func acc_prof_lookup;

#endif
