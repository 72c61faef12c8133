/* Copies and fills memory in tasks with dependences. Bad arguments are found before. */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "omp/api/omp_decl.h"
#include "omp/bomp.h"
#include "runtime.h"

/* Creates a task that runs fn on a copy of the arguments. */
static void create(void (*fn)(void *), void *args, size_t size, const struct bomp_depend_list *depend) {
    bomp_task_create(
        &(struct bomp_task_spec){.fn = fn, .data = args, .size = size, .align = 16, .depend = *depend});
}

/* ---- bytes in a row ---- */

struct bytes {
    void *to;
    const void *from; /* NULL: bytes of `value` */
    size_t size, to_offset, from_offset;
    int to_device, from_device, value;
};

static void run_bytes(void *arg) {
    const struct bytes *b = arg;
    if (b->from)
        (void)omp_target_memcpy(b->to, b->from, b->size, b->to_offset, b->from_offset, b->to_device,
                                b->from_device);
    else
        (void)omp_target_memset(b->to, b->value, b->size, b->to_device);
}

int bomp_target_copy_async(void *to, const void *from, size_t size, size_t to_offset, size_t from_offset,
                           int to_device, int from_device, const struct bomp_depend_list *depend) {
    if (!bomp_device_exists(to_device) || !bomp_device_exists(from_device) || (size > 0 && (!to || !from)))
        return EINVAL;
    struct bytes bytes = {to, from, from ? size : 0, to_offset, from_offset, to_device, from_device, 0};
    create(run_bytes, &bytes, sizeof bytes, depend);
    return 0;
}

void *bomp_target_fill_async(void *block, int value, size_t size, int device,
                             const struct bomp_depend_list *depend) {
    bool fills = block && bomp_device_exists(device);
    struct bytes bytes = {.to = block, .size = fills ? size : 0, .to_device = device, .value = value};
    create(run_bytes, &bytes, sizeof bytes, depend);
    return block;
}

/* ---- parts of arrays ---- */

/* The arguments; numbers: the volume, then offsets and dimensions as in the call. */
struct rect {
    void *to;
    const void *from;
    size_t element;
    int count, to_device, from_device;
    size_t numbers[];
};

enum { NUMBERS = 5 }; /* of each dimension */

static void run_rect(void *arg) {
    const struct rect *rect = arg;
    const size_t *n = rect->numbers;
    size_t count = (size_t)rect->count;
    (void)omp_target_memcpy_rect(rect->to, rect->from, rect->element, rect->count, n, n + count,
                                 n + 2 * count, n + 3 * count, n + 4 * count, rect->to_device,
                                 rect->from_device);
}

int bomp_target_copy_rect_async(void *to, const void *from, size_t element, int count, const size_t *volume,
                                const size_t *to_offsets, const size_t *from_offsets, const size_t *to_dims,
                                const size_t *from_dims, int to_device, int from_device,
                                const struct bomp_depend_list *depend) {
    if (!to && !from)
        return INT_MAX;
    if (!bomp_device_exists(to_device) || !bomp_device_exists(from_device) || !to || !from || count < 1)
        return EINVAL;
    size_t row = (size_t)count, bytes = sizeof(struct rect) + NUMBERS * row * sizeof(size_t);
    struct rect *rect = bz_alloc(bytes);
    if (!rect)
        return ENOMEM;
    *rect = (struct rect){to, from, element, count, to_device, from_device};
    const size_t *lists[NUMBERS] = {volume, to_offsets, from_offsets, to_dims, from_dims};
    for (size_t i = 0; i < NUMBERS; i++)
        memcpy(rect->numbers + i * row, lists[i], row * sizeof(size_t));
    create(run_rect, rect, bytes, depend);
    bz_free(rect);
    return 0;
}
