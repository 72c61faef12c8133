/* The omp_* functions of devices and their memory, C and Fortran. Without LLVM's offload library the host is the only
 * device; other numbers get libgomp's answers. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "omp/api/omp_decl.h"
#include "omp/bomp.h"
#include "omp/team/target.h"

/* Devices. */

/* omp_default_device: the one that it is. */
void omp_set_default_device(int device) {
    if (device != BOMP_DEVICE_DEFAULT)
        bomp_icv_own()->default_device = device;
}

int omp_get_default_device(void) {
    return bomp_icv()->default_device;
}

int omp_is_initial_device(void) {
    return 1;
}

/* Memory. */

BOMP_EXPORT void *omp_target_alloc(size_t size, int device) {
    BOMP_OFFLOAD(omp_target_alloc, (size, device));
    return bomp_device_is_host(device) ? malloc(size) : NULL;
}

BOMP_EXPORT void omp_target_free(void *block, int device) {
    void (*library_free)(void *, int) = (void (*)(void *, int))bomp_offload_function("omp_target_free");
    if (library_free)
        library_free(block, device);
    else if (block && bomp_device_is_host(device))
        free(block);
}

BOMP_EXPORT int omp_target_is_present(const void *host, int device) {
    BOMP_OFFLOAD(omp_target_is_present, (host, device));
    return host && bomp_device_is_host(device);
}

BOMP_EXPORT int omp_target_is_accessible(const void *host, size_t size, int device) {
    BOMP_OFFLOAD(omp_target_is_accessible, (host, size, device));
    return host && size > 0 && bomp_device_is_host(device);
}

BOMP_EXPORT void *omp_get_mapped_ptr(const void *host, int device) {
    BOMP_OFFLOAD(omp_get_mapped_ptr, (host, device));
    return host && bomp_device_is_host(device) ? (void *)host : NULL;
}

void *omp_target_memset(void *block, int value, size_t size, int device) {
    BOMP_OFFLOAD(omp_target_memset, (block, value, size, device));
    if (block && size > 0 && bomp_device_is_host(device))
        memset(block, value, size);
    return block;
}

int omp_target_memcpy(void *to, const void *from, size_t size, size_t to_offset, size_t from_offset,
                      int to_device, int from_device) {
    BOMP_OFFLOAD(omp_target_memcpy, (to, from, size, to_offset, from_offset, to_device, from_device));
    if (!bomp_device_is_host(to_device) || !bomp_device_is_host(from_device))
        return EINVAL;
    if (size > 0)
        memmove((char *)to + to_offset, (const char *)from + from_offset, size);
    return 0;
}

/* One array of a copy: its address, and the bytes of one index of the first dimension. */
struct side {
    char *at;
    size_t stride;
    const size_t *offsets, *dims;
};

/* The side at its offset in the first of `count` dimensions. False: beyond all memory. */
static bool enter_dimension(struct side *side, size_t element, int count) {
    size_t skipped;
    side->stride = element;
    for (int i = 1; i < count; i++)
        if (__builtin_mul_overflow(side->stride, side->dims[i], &side->stride))
            return false;
    if (__builtin_mul_overflow(side->stride, side->offsets[0], &skipped))
        return false;
    side->at += skipped;
    side->offsets++;
    side->dims++;
    return true;
}

static int copy_block(struct side to, struct side from, size_t element, int count, const size_t *volume) {
    if (!enter_dimension(&to, element, count) || !enter_dimension(&from, element, count))
        return EINVAL;
    if (count == 1) {
        size_t size;
        if (__builtin_mul_overflow(element, volume[0], &size))
            return EINVAL;
        memmove(to.at, from.at, size);
        return 0;
    }
    for (size_t i = 0; i < volume[0]; i++) {
        int error = copy_block(to, from, element, count - 1, volume + 1);
        if (error)
            return error;
        to.at += to.stride;
        from.at += from.stride;
    }
    return 0;
}

/* Both pointers NULL: a question for the most dimensions. */
int omp_target_memcpy_rect(void *to, const void *from, size_t element, int count, const size_t *volume,
                           const size_t *to_offsets, const size_t *from_offsets, const size_t *to_dims,
                           const size_t *from_dims, int to_device, int from_device) {
    BOMP_OFFLOAD(omp_target_memcpy_rect, (to, from, element, count, volume, to_offsets, from_offsets, to_dims,
                                          from_dims, to_device, from_device));
    if (!to && !from)
        return INT_MAX;
    if (!bomp_device_is_host(to_device) || !bomp_device_is_host(from_device))
        return EINVAL;
    if (!to || !from || count < 1)
        return EINVAL;
    return copy_block((struct side){.at = to, .offsets = to_offsets, .dims = to_dims},
                      (struct side){.at = (char *)from, .offsets = from_offsets, .dims = from_dims}, element,
                      count, volume);
}

/* Host memory is not another device's. */

BOMP_EXPORT int omp_target_associate_ptr(const void *host, const void *block, size_t size, size_t offset,
                                         int device) {
    BOMP_OFFLOAD(omp_target_associate_ptr, (host, block, size, offset, device));
    bomp_device_is_host(device);
    return EINVAL;
}

BOMP_EXPORT int omp_target_disassociate_ptr(const void *host, int device) {
    BOMP_OFFLOAD(omp_target_disassociate_ptr, (host, device));
    bomp_device_is_host(device);
    return EINVAL;
}

/* Resources: the threads that wait for the next region. Both kinds give them back. */

BOMP_EXPORT int omp_pause_resource_all(omp_pause_resource_t kind) {
    (void)kind;
    return bomp_pause() ? 0 : -1;
}

BOMP_EXPORT int omp_pause_resource(omp_pause_resource_t kind, int device) {
    return bomp_device_is_host(device) ? omp_pause_resource_all(kind) : -1;
}

/* Fortran. */

BOMP_EXPORT int32_t omp_pause_resource_(const int32_t *kind, const int32_t *device) {
    return omp_pause_resource((omp_pause_resource_t)*kind, *device);
}

BOMP_EXPORT int32_t omp_pause_resource_all_(const int32_t *kind) {
    return omp_pause_resource_all((omp_pause_resource_t)*kind);
}
