/* For tests that read the environment more than once: frees what a store of control variables holds. */
#ifndef TESTS_ICV_STORE_H
#define TESTS_ICV_STORE_H

#include "omp/icv/icv.h"

static inline void icv_store_free(struct bomp_icv_store *store) {
    bomp_places_free(&store->global.places);
    bomp_places_free(&store->global.helper.places);
    bz_free(store->global.usable);
    store->global.usable = NULL;
    bz_free(store->global.allocator_spec.text);
    store->global.allocator_spec.text = NULL;
    bz_free(store->global.affinity_format_given);
    store->global.affinity_format_given = NULL;
}

#endif
