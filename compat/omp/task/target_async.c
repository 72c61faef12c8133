/*
 * target_async.c: the omp_* functions that copy and fill memory in a task of their own: it has the dependences that the
 * depend objects say, and copies when they are met. What cannot be done is found out before.
 */
#include <errno.h>
#include <string.h>

#include "omp/bomp.h"
#include "omp/omp_decl.h"
#include "omp/team/target.h"

_Static_assert(sizeof(struct bomp_depend_object) == 16, "omp_depend_t of GCC's ABI");

/* Creates a task that runs fn on a copy of the arguments, after what the depend objects say. */
static void create(void (*fn)(void *), void *args, size_t size, int count, const omp_depend_t *objects) {
    struct bomp_depend *items = count > 0 ? bz_alloc_zero((size_t)count, sizeof *items) : NULL;
    if (count > 0 && !items)
        bomp_no_memory("a list of dependences");
    for (int i = 0; i < count; i++)
        bomp_depend_put(items, (size_t)i,
                        bomp_depend_of_object((const struct bomp_depend_object *)&objects[i]));
    bomp_task_create(&(struct bomp_task_spec){
        .fn = fn,
        .data = args,
        .size = size,
        .align = 16,
        .depend = {items, count > 0 ? (size_t)count : 0},
    });
    bz_free(items);
}

/* ---- bytes in a row ---- */

struct bytes {
    char *to;
    const char *from; /* NULL: bytes of `value` */
    size_t size;
    int value;
};

static void run_bytes(void *arg) {
    const struct bytes *bytes = arg;
    if (bytes->from)
        memmove(bytes->to, bytes->from, bytes->size);
    else
        memset(bytes->to, bytes->value, bytes->size);
}

int omp_target_memcpy_async(void *to, const void *from, size_t size, size_t to_offset, size_t from_offset,
                            int to_device, int from_device, int count, omp_depend_t *objects) {
    if (!bomp_device_is_host(to_device) || !bomp_device_is_host(from_device) || (size > 0 && (!to || !from)))
        return EINVAL;
    struct bytes bytes = {(char *)to + to_offset, (const char *)from + from_offset, size, 0};
    create(run_bytes, &bytes, sizeof bytes, count, objects);
    return 0;
}

void *omp_target_memset_async(void *block, int value, size_t size, int device, int count,
                              omp_depend_t *objects) {
    struct bytes bytes = {block, NULL, block && bomp_device_is_host(device) ? size : 0, value};
    create(run_bytes, &bytes, sizeof bytes, count, objects);
    return block;
}

/* ---- parts of arrays ---- */

/* The arguments, with what they point to in numbers: first the volume, then offsets and dimensions as in the call. */
struct rect {
    void *to;
    const void *from;
    size_t element;
    int count;
    size_t numbers[];
};

enum { NUMBERS = 5 }; /* of each dimension */

static int copy_rect(const struct rect *rect) {
    const size_t *n = rect->numbers;
    size_t count = (size_t)rect->count;
    return omp_target_memcpy_rect(rect->to, rect->from, rect->element, rect->count, n, n + count,
                                  n + 2 * count, n + 3 * count, n + 4 * count, BOMP_HOST_DEVICE,
                                  BOMP_HOST_DEVICE);
}

static void run_rect(void *arg) {
    (void)copy_rect(arg);
}

int omp_target_memcpy_rect_async(void *to, const void *from, size_t element, int count, const size_t *volume,
                                 const size_t *to_offsets, const size_t *from_offsets, const size_t *to_dims,
                                 const size_t *from_dims, int to_device, int from_device, int depends,
                                 omp_depend_t *objects) {
    if (!to && !from)
        return INT_MAX;
    if (!bomp_device_is_host(to_device) || !bomp_device_is_host(from_device) || !to || !from || count < 1)
        return EINVAL;
    size_t row = (size_t)count, bytes = sizeof(struct rect) + NUMBERS * row * sizeof(size_t);
    struct rect *rect = bz_alloc(bytes);
    if (!rect)
        return ENOMEM;
    *rect = (struct rect){to, from, element, count};
    const size_t *lists[NUMBERS] = {volume, to_offsets, from_offsets, to_dims, from_dims};
    for (size_t i = 0; i < NUMBERS; i++)
        memcpy(rect->numbers + i * row, lists[i], row * sizeof(size_t));
    create(run_rect, rect, bytes, depends, objects);
    bz_free(rect);
    return 0;
}
