/* omp_target_memcpy_async and its like, which take GCC's depend objects. */
#include "depend.h"
#include "omp/bomp.h"

BOMP_EXPORT int omp_target_memcpy_async(void *, const void *, size_t, size_t, size_t, int, int, int,
                                        const struct gomp_depend_object *);
BOMP_EXPORT int omp_target_memcpy_rect_async(void *, const void *, size_t, int, const size_t *,
                                             const size_t *, const size_t *, const size_t *, const size_t *,
                                             int, int, int, const struct gomp_depend_object *);
BOMP_EXPORT void *omp_target_memset_async(void *, int, size_t, int, int, const struct gomp_depend_object *);

int omp_target_memcpy_async(void *to, const void *from, size_t size, size_t to_offset, size_t from_offset,
                            int to_device, int from_device, int count,
                            const struct gomp_depend_object *objects) {
    struct gomp_depend room;
    struct bomp_depend_list list = gomp_depend_of_objects(&room, count, objects);
    int error = bomp_target_copy_async(to, from, size, to_offset, from_offset, to_device, from_device, &list);
    gomp_depend_free(&room);
    return error;
}

int omp_target_memcpy_rect_async(void *to, const void *from, size_t element, int dimensions,
                                 const size_t *volume, const size_t *to_offsets, const size_t *from_offsets,
                                 const size_t *to_dims, const size_t *from_dims, int to_device,
                                 int from_device, int count, const struct gomp_depend_object *objects) {
    struct gomp_depend room;
    struct bomp_depend_list list = gomp_depend_of_objects(&room, count, objects);
    int error = bomp_target_copy_rect_async(to, from, element, dimensions, volume, to_offsets, from_offsets,
                                            to_dims, from_dims, to_device, from_device, &list);
    gomp_depend_free(&room);
    return error;
}

void *omp_target_memset_async(void *block, int value, size_t size, int device, int count,
                              const struct gomp_depend_object *objects) {
    struct gomp_depend room;
    struct bomp_depend_list list = gomp_depend_of_objects(&room, count, objects);
    void *filled = bomp_target_fill_async(block, value, size, device, &list);
    gomp_depend_free(&room);
    return filled;
}
