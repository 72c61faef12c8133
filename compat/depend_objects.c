/* depend_objects.c: functions of OpenMP that take depend objects, which are 16 bytes each in GCC's programs and an address
 * in LLVM's. A program of LLVM's that was linked with us calls the same version as one of GCC's. */
#include "gomp/depend.h"
#include "kmpc/depend.h"
#include "omp/bomp.h"

BOMP_EXPORT int omp_target_memcpy_async(void *, const void *, size_t, size_t, size_t, int, int, int,
                                        const void *);
BOMP_EXPORT int omp_target_memcpy_rect_async(void *, const void *, size_t, int, const size_t *,
                                             const size_t *, const size_t *, const size_t *, const size_t *,
                                             int, int, int, const void *);
BOMP_EXPORT void *omp_target_memset_async(void *, int, size_t, int, int, const void *);

static struct bomp_depend_list decode(struct bomp_depend_room *room, const char *entry, int count,
                                      const void *objects) {
    if (count > 0 && objects && kmpc_depend_are_objects(objects))
        return kmpc_depend_of_objects(room, entry, (size_t)count, objects);
    return gomp_depend_of_objects(room, count, objects);
}

int omp_target_memcpy_async(void *to, const void *from, size_t size, size_t to_offset, size_t from_offset,
                            int to_device, int from_device, int count, const void *objects) {
    struct bomp_depend_room room;
    struct bomp_depend_list list = decode(&room, "omp_target_memcpy_async", count, objects);
    int error = bomp_target_copy_async(to, from, size, to_offset, from_offset, to_device, from_device, &list);
    bomp_depend_free(&room);
    return error;
}

int omp_target_memcpy_rect_async(void *to, const void *from, size_t element, int dimensions,
                                 const size_t *volume, const size_t *to_offsets, const size_t *from_offsets,
                                 const size_t *to_dims, const size_t *from_dims, int to_device,
                                 int from_device, int count, const void *objects) {
    struct bomp_depend_room room;
    struct bomp_depend_list list = decode(&room, "omp_target_memcpy_rect_async", count, objects);
    int error = bomp_target_copy_rect_async(to, from, element, dimensions, volume, to_offsets, from_offsets,
                                            to_dims, from_dims, to_device, from_device, &list);
    bomp_depend_free(&room);
    return error;
}

void *omp_target_memset_async(void *block, int value, size_t size, int device, int count,
                              const void *objects) {
    struct bomp_depend_room room;
    struct bomp_depend_list list = decode(&room, "omp_target_memset_async", count, objects);
    void *filled = bomp_target_fill_async(block, value, size, device, &list);
    bomp_depend_free(&room);
    return filled;
}
