/* api.c: the acc_* functions of queues and memory, for C. Those of devices are in device.c, those of tools in profile.c.
 * Functions that do the same here are second names of one (names.ld).
 *
 * The host shares its memory with the program: what is mapped is where it was, present without being mapped, and the same in
 * both copies. Queues are empty. An address and a size that name nothing are refused where libgomp does. */
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

/* And what is done in a queue with a pointer in mapped data, whatever that is. */
void acc_attach_async(void **pointer, int queue) {
    check(queue);
}

/* ---- memory of the device ---- */

BOMP_EXPORT void *acc_malloc(size_t size) {
    bacc_device_use();
    return size > 0 ? malloc(size) : NULL;
}

BOMP_EXPORT void acc_free(void *block) {
    free(block);
}

void acc_memcpy_device(void *to, void *from, size_t size) {
    bacc_device_use();
    if (size > 0)
        memmove(to, from, size);
}

/* ---- mapping ---- */

void *acc_copyin(void *address, size_t size) {
    bacc_device_use();
    if (!address || size == 0)
        bz_fatal("[%p,+%zu] is a bad range", address, size);
    return address;
}

int acc_is_present(void *address, size_t size) {
    bacc_device_use();
    return address && size > 0;
}

void *acc_deviceptr(void *address) {
    bacc_device_use();
    return address;
}

BOMP_EXPORT void acc_map_data(void *host, void *device, size_t size) {
    bacc_device_use();
    if (host != device)
        bz_fatal("cannot map data on shared-memory system");
}
