/* goacc.c: GOACC_*, what GCC compiles OpenACC constructs to. The host runs a compute construct as one gang of one worker:
 * one call of its function, on the addresses of the program's own variables. A firstprivate variable is copied by the
 * function itself. An if clause makes no difference. */
#include <stdarg.h>

#include "acc_decl.h"
#include "device.h"
#include "profile.h"
#include "runtime.h"

/* The lower byte of a kind: what is done with a variable. Its upper byte is the logarithm of the alignment. */
enum {
    KIND_MASK = 0xff,
    KIND_ALLOC = 0x00,
    KIND_TO = 0x01,
    KIND_FROM = 0x02,
    KIND_POINTER = 0x04,
    KIND_TO_PSET = 0x05,
    KIND_FORCE_PRESENT = 0x06,
    KIND_DELETE = 0x07,
    KIND_USE_DEVICE = 0x0e,
    KIND_USE_DEVICE_IF_PRESENT = 0x10,
    KIND_RELEASE = 0x17,
    KIND_ATTACH = 0x50,
    KIND_FORCE_ALLOC = 0x80,
    KIND_FORCE_TO = 0x81,
    KIND_FORCE_FROM = 0x82
};

/* ---- compute constructs ---- */

/* parallel, kernels and serial. Arguments by keys follow: dimensions, the queue, waits. */
BOMP_EXPORT void GOACC_parallel_keyed(int flags, void (*fn)(void *), size_t count, void **addresses,
                                      size_t *sizes, unsigned short *kinds, ...) {
    struct bacc_profile profile;
    bomp_missing_check_function(fn);
    bacc_device_use();
    if (bz_unlikely(bz_load_relaxed(&bacc_device_debug)))
        bz_warn("%s: %zu variables", __func__, count);
    bacc_profile_start(&profile, &(struct bacc_event){.start = ACC_EV_COMPUTE_CONSTRUCT_START,
                                                      .parent = ACC_CONSTRUCT_PARALLEL,
                                                      .queue = ACC_ASYNC_SYNC});
    fn(addresses);
    bacc_profile_end(&profile);
}

/* In a region that is run without the compiler's knowledge of its dimensions. */
BOMP_EXPORT int GOACC_get_num_threads(void) {
    return 1;
}

/* ---- data ---- */

/* A construct that only notifies tools. */
static void notify(int start, int parent, int queue) {
    struct bacc_profile profile;
    bacc_device_use();
    bacc_profile_start(&profile, &(struct bacc_event){.start = start, .parent = parent, .queue = queue});
    bacc_profile_end(&profile);
}

static void notify_enter(int queue) {
    notify(ACC_EV_ENTER_DATA_START, ACC_CONSTRUCT_ENTER_DATA, queue);
}

static void notify_exit(int queue) {
    notify(ACC_EV_EXIT_DATA_START, ACC_CONSTRUCT_EXIT_DATA, queue);
}

static bool is_host_data(size_t count, const unsigned short *kinds) {
    for (size_t i = 0; i < count; i++) {
        unsigned kind = kinds[i] & KIND_MASK;
        if (kind == KIND_USE_DEVICE || kind == KIND_USE_DEVICE_IF_PRESENT)
            return true;
    }
    return false;
}

BOMP_EXPORT void GOACC_data_start(int flags, size_t count, void **addresses, size_t *sizes,
                                  unsigned short *kinds) {
    notify(ACC_EV_ENTER_DATA_START, is_host_data(count, kinds) ? ACC_CONSTRUCT_HOST_DATA : ACC_CONSTRUCT_DATA,
           ACC_ASYNC_SYNC);
    (void)bz_fetch_add_relaxed(&bacc_device_regions, 1);
}

BOMP_EXPORT void GOACC_data_end(void) {
    (void)bz_fetch_sub_relaxed(&bacc_device_regions, 1);
    notify(ACC_EV_EXIT_DATA_START, ACC_CONSTRUCT_DATA, ACC_ASYNC_SYNC);
}

BOMP_EXPORT void GOACC_enter_data(int flags, size_t count, void **addresses, size_t *sizes,
                                  unsigned short *kinds, int queue, int waits, ...) {
    notify_enter(queue);
}

BOMP_EXPORT void GOACC_exit_data(int flags, size_t count, void **addresses, size_t *sizes,
                                 unsigned short *kinds, int queue, int waits, ...) {
    notify_exit(queue);
}

static bool enters(unsigned short kind) {
    switch (kind & KIND_MASK) {
    case KIND_ALLOC:
    case KIND_TO:
    case KIND_FORCE_PRESENT:
    case KIND_ATTACH:
    case KIND_FORCE_ALLOC:
    case KIND_FORCE_TO:
        return true;
    default:
        return false;
    }
}

static bool is_of_another(unsigned short kind) {
    return (kind & KIND_MASK) == KIND_POINTER || (kind & KIND_MASK) == KIND_TO_PSET;
}

/* Of compilers before gcc 12, for both directives: what the first variable says that is no pointer to another one. */
BOMP_EXPORT void GOACC_enter_exit_data(int flags, size_t count, void **addresses, size_t *sizes,
                                       unsigned short *kinds, int queue, int waits, ...) {
    size_t first = 0;
    while (first < count && is_of_another(kinds[first]))
        first++;
    if (first < count && enters(kinds[first]))
        notify_enter(queue);
    else
        notify_exit(queue);
}

BOMP_EXPORT void GOACC_update(int flags, size_t count, void **addresses, size_t *sizes, unsigned short *kinds,
                              int queue, int waits, ...) {
    notify(ACC_EV_UPDATE_START, ACC_CONSTRUCT_UPDATE, queue);
}

/* Each variable of a declare directive where its scope begins and ends. */
BOMP_EXPORT void GOACC_declare(int flags, size_t count, void **addresses, size_t *sizes,
                               unsigned short *kinds) {
    bacc_device_use();
    for (size_t i = 0; i < count; i++) {
        switch (kinds[i] & KIND_MASK) {
        case KIND_TO:
        case KIND_FORCE_ALLOC:
        case KIND_FORCE_TO:
            notify_enter(ACC_ASYNC_SYNC);
            break;
        case KIND_FROM:
        case KIND_DELETE:
        case KIND_RELEASE:
        case KIND_FORCE_FROM:
            notify_exit(ACC_ASYNC_SYNC);
            break;
        default:
            break;
        }
    }
}

/* ---- queues ---- */

/* The wait directive: its arguments, or all queues. */
BOMP_EXPORT void GOACC_wait(int queue, int waits, ...) {
    va_list list;
    bacc_device_use();
    if (waits == 0)
        bacc_device_check_queue(queue);
    va_start(list, waits);
    for (int i = 0; i < waits; i++)
        bacc_device_check_queue(va_arg(list, int));
    va_end(list);
}
