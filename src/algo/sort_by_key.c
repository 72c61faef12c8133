/* blitz_sort_by_key: keys and values become records, which are sorted. */
#include <string.h>

#include "algo/sort.h"
#include "base/config.h"
#include "os/os.h"

struct records {
    char *keys, *values, *records;
    size_t key_size, value_size, size;
};

static int pack(size_t lo, size_t hi, void *ctx) {
    const struct records *all = ctx;
    for (char *record = all->records + lo * all->size; lo < hi; lo++, record += all->size) {
        memcpy(record, all->keys + lo * all->key_size, all->key_size);
        memcpy(record + all->key_size, all->values + lo * all->value_size, all->value_size);
    }
    return 0;
}

static int unpack(size_t lo, size_t hi, void *ctx) {
    const struct records *all = ctx;
    for (const char *record = all->records + lo * all->size; lo < hi; lo++, record += all->size) {
        memcpy(all->keys + lo * all->key_size, record, all->key_size);
        memcpy(all->values + lo * all->value_size, record + all->key_size, all->value_size);
    }
    return 0;
}

/* Aligns keys for any type of their size, up to a line. */
static size_t record_size(size_t key_size, size_t value_size) {
    size_t alignment = key_size & -key_size;
    alignment = alignment < BZ_LINE ? alignment : BZ_LINE;
    return (key_size + value_size + alignment - 1) & ~(alignment - 1);
}

int blitz_sort_by_key(void *keys, size_t key_size, void *values, size_t value_size, size_t count,
                      blitz_compare_fn *compare, void *ctx) {
    if (!compare || bz_array_is_bad(keys, count, key_size) || bz_array_is_bad(values, count, value_size) ||
        key_size > SIZE_MAX / 4 || value_size > SIZE_MAX / 4)
        return EINVAL;
    if (count < 2)
        return 0;
    struct records all = {keys, values, NULL, key_size, value_size, record_size(key_size, value_size)};
    if (count <= SIZE_MAX / 2 / all.size)
        all.records = bz_os_room(count * all.size);
    if (!all.records)
        return ENOMEM;
    blitz_for(0, count, BZ_SORT_GRAIN, pack, &all);
    int error = blitz_stable_sort(all.records, count, all.size, compare, ctx);
    if (!error)
        blitz_for(0, count, BZ_SORT_GRAIN, unpack, &all);
    bz_os_free(all.records, count * all.size);
    return error;
}
