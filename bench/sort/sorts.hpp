// sorts.hpp: the sorts of C++ libraries as ways of workload.h.
#ifndef SORTS_HPP
#define SORTS_HPP

#include "workload.h"

static inline bool operator<(const sort_pair &a, const sort_pair &b) {
    return a.key < b.key;
}

// Calls sort(first, last) on the array as what it is an array of.
template <typename Sort>
static uint64_t sort_typed(void *arg, const Sort &sort) {
    const sort_data *data = static_cast<const sort_data *>(arg);
    const auto run = [&](auto *first) { sort(first, first + data->n); };
    switch (data->type) {
    case SORT_INT32:
        run(static_cast<int32_t *>(data->array));
        break;
    case SORT_INT64:
        run(static_cast<int64_t *>(data->array));
        break;
    case SORT_DOUBLE:
        run(static_cast<double *>(data->array));
        break;
    default:
        run(static_cast<sort_pair *>(data->array));
    }
    return 0;
}

#endif
