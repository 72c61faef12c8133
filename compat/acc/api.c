/* api.c: the acc_* functions of queues and memory, for C. Those of devices are in device.c, those of tools in profile.c.
 *
 * The host shares its memory with the program: what is mapped is where it was, present without being mapped, and the same in
 * both copies. An address and a size that name nothing are refused where libgomp does. */
#include <stdlib.h>
#include <string.h>

#include "acc_decl.h"
#include "device.h"
#include "runtime.h"

/* ---- queues ---- */

static void check(int queue) {
    bacc_device_check_used();
    bacc_device_check_queue(queue);
}

int acc_async_test(int queue) {
    check(queue);
    return 1;
}

int acc_async_test_all(void) {
    bacc_device_check_used();
    return 1;
}

void acc_wait(int queue) {
    check(queue);
}

void acc_wait_async(int waited, int queue) {
    (void)queue;
    check(waited);
}

void acc_wait_all(void) {
    bacc_device_check_used();
}

void acc_wait_all_async(int queue) {
    check(queue);
}

void acc_async_wait(int queue) {
    acc_wait(queue);
}

void acc_async_wait_all(void) {
    acc_wait_all();
}

/* ---- memory of the device ---- */

void *acc_malloc(size_t size) {
    bacc_device_use();
    return size > 0 ? malloc(size) : NULL;
}

void acc_free(void *block) {
    free(block);
}

static void copy(void *to, const void *from, size_t size) {
    bacc_device_use();
    if (size > 0)
        memmove(to, from, size);
}

void acc_memcpy_to_device(void *to, void *from, size_t size) {
    copy(to, from, size);
}

void acc_memcpy_from_device(void *to, void *from, size_t size) {
    copy(to, from, size);
}

void acc_memcpy_device(void *to, void *from, size_t size) {
    copy(to, from, size);
}

void acc_memcpy_to_device_async(void *to, void *from, size_t size, int queue) {
    (void)queue;
    copy(to, from, size);
}

void acc_memcpy_from_device_async(void *to, void *from, size_t size, int queue) {
    (void)queue;
    copy(to, from, size);
}

void acc_memcpy_device_async(void *to, void *from, size_t size, int queue) {
    (void)queue;
    copy(to, from, size);
}

/* ---- mapping ---- */

static void *enter(void *address, size_t size) {
    bacc_device_use();
    if (!address || size == 0)
        bz_fatal("[%p,+%zu] is a bad range", address, size);
    return address;
}

static void leave(void *address, size_t size) {
    (void)address, (void)size;
    bacc_device_use();
}

void *acc_copyin(void *address, size_t size) {
    return enter(address, size);
}

void *acc_present_or_copyin(void *address, size_t size) {
    return enter(address, size);
}

void *acc_pcopyin(void *address, size_t size) {
    return enter(address, size);
}

void *acc_create(void *address, size_t size) {
    return enter(address, size);
}

void *acc_present_or_create(void *address, size_t size) {
    return enter(address, size);
}

void *acc_pcreate(void *address, size_t size) {
    return enter(address, size);
}

void acc_copyin_async(void *address, size_t size, int queue) {
    (void)queue;
    (void)enter(address, size);
}

void acc_create_async(void *address, size_t size, int queue) {
    (void)queue;
    (void)enter(address, size);
}

/* The rest find nothing to do. */
/* clang-format off */
#define LEAVE(name) void name(void *address, size_t size) { leave(address, size); }
#define LEAVE_ASYNC(name) void name(void *address, size_t size, int queue) { (void)queue; leave(address, size); }
/* clang-format on */

LEAVE(acc_copyout)
LEAVE(acc_copyout_finalize)
LEAVE(acc_delete)
LEAVE(acc_delete_finalize)
LEAVE(acc_update_device)
LEAVE(acc_update_self)
LEAVE_ASYNC(acc_copyout_async)
LEAVE_ASYNC(acc_copyout_finalize_async)
LEAVE_ASYNC(acc_delete_async)
LEAVE_ASYNC(acc_delete_finalize_async)
LEAVE_ASYNC(acc_update_device_async)
LEAVE_ASYNC(acc_update_self_async)

int acc_is_present(void *address, size_t size) {
    bacc_device_use();
    return address && size > 0;
}

void *acc_deviceptr(void *address) {
    bacc_device_use();
    return address;
}

void *acc_hostptr(void *address) {
    bacc_device_use();
    return address;
}

void acc_map_data(void *host, void *device, size_t size) {
    (void)size;
    bacc_device_use();
    if (host != device)
        bz_fatal("cannot map data on shared-memory system");
}

void acc_unmap_data(void *host) {
    (void)host;
    bacc_device_use();
}

/* ---- pointers in mapped data ---- */

void acc_attach(void **pointer) {
    (void)pointer;
    bacc_device_check_used();
}

void acc_detach(void **pointer) {
    (void)pointer;
    bacc_device_check_used();
}

void acc_detach_finalize(void **pointer) {
    (void)pointer;
    bacc_device_check_used();
}

void acc_attach_async(void **pointer, int queue) {
    (void)pointer;
    check(queue);
}

void acc_detach_async(void **pointer, int queue) {
    (void)pointer;
    check(queue);
}

void acc_detach_finalize_async(void **pointer, int queue) {
    (void)pointer;
    check(queue);
}
