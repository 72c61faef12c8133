/* OMP_ALLOCATOR (OpenMP 6.0): a predefined allocator, or a memory space, alone or with traits: space:trait=value,...
 * in either case, with white space between words. */
#include <errno.h>

#include "omp/icv/env.h"
#include "omp/icv/env_kinds.h"

const char *const bomp_allocator_names[BOMP_ALLOCATOR_NAMES] = {
    "omp_default_mem_alloc",     "omp_large_cap_mem_alloc",   "omp_const_mem_alloc", "omp_high_bw_mem_alloc",
    "omp_low_lat_mem_alloc",     "omp_cgroup_mem_alloc",      "omp_pteam_mem_alloc", "omp_thread_mem_alloc",
    "ompx_gnu_pinned_mem_alloc", "ompx_gnu_managed_mem_alloc"};

/* Values with names as in omp.h; without: any number. */
struct trait {
    const char *name;
    struct bomp_words values;
};

static const struct trait traits[] = {
    [BOMP_TRAIT_SYNC_HINT] = {"sync_hint",
                              BOMP_WORDS(3, 4, "contended", "uncontended", "serialized", "private")},
    [BOMP_TRAIT_ALIGNMENT] = {.name = "alignment"},
    [BOMP_TRAIT_ACCESS] = {"access", BOMP_WORDS(7, 4, "all", "thread", "pteam", "cgroup")},
    [BOMP_TRAIT_POOL_SIZE] = {.name = "pool_size"},
    [BOMP_TRAIT_FALLBACK] = {"fallback",
                             BOMP_WORDS(11, 4, "default_mem_fb", "null_fb", "abort_fb", "allocator_fb")},
    [BOMP_TRAIT_FB_DATA] = {"fb_data", {1, BOMP_ALLOCATORS, bomp_allocator_names, BOMP_ALLOCATORS}},
    [BOMP_TRAIT_PINNED] = {"pinned", BOMP_WORDS(0, 2, "false", "true")},
    [BOMP_TRAIT_PARTITION] = {"partition",
                              BOMP_WORDS(15, 4, "environment", "nearest", "blocked", "interleaved")},
};

bool bomp_trait_has(enum bomp_trait key, uintptr_t value) {
    return value - traits[key].values.first < traits[key].values.count;
}

static int read_value(const char **at, const struct trait *trait, uintptr_t *value) {
    uint32_t named;
    uint64_t number;
    if (bz_scan_end(at))
        return BOMP_ENV_NO_VALUE;
    bool is_named = bomp_take_word(at, &trait->values, &named);
    int rc = is_named ? 0 : trait->values.count > 0 ? EINVAL : bz_scan_uint(at, 1, UINTPTR_MAX, &number);
    if (rc == 0)
        *value = is_named ? named : (uintptr_t)number;
    return rc;
}

/* Its key; 0: unknown. */
static int read_key(const char **at) {
    for (int key = 1; key <= BOMP_ALLOCATOR_TRAITS; key++)
        if (bz_scan_word(at, traits[key].name))
            return key;
    return 0;
}

static int read_traits(const char **at, struct bomp_allocator_spec *spec) {
    bool possible = true;
    do {
        if (bz_scan_end(at))
            return BOMP_ENV_NO_VALUE;
        int key = read_key(at);
        if (key == 0 || (!bz_scan_char(at, '=') && !bz_scan_end(at)))
            return EINVAL;
        uintptr_t value;
        int rc = read_value(at, &traits[key], &value);
        if (rc != 0)
            return rc;
        possible &= key != BOMP_TRAIT_ALIGNMENT || (value & (value - 1)) == 0;
        spec->traits[spec->count] = (struct bomp_allocator_trait){key, value};
        spec->count++;
    } while (spec->count < BOMP_ALLOCATOR_TRAITS && bz_scan_char(at, ','));
    return !bz_scan_end(at) ? EINVAL : possible ? 0 : BOMP_ENV_NO_ALLOCATOR;
}

/* In the order of their allocators, then one more name of the first. */
static const struct bomp_words spaces =
    BOMP_WORDS(0, 5, "omp_default_mem_space", "omp_large_cap_mem_space", "omp_const_mem_space",
               "omp_high_bw_mem_space", "omp_low_lat_mem_space", "ompx_gnu_managed_mem_space");

static int read_space(const char **at, struct bomp_allocator_spec *spec) {
    if (!bomp_take_word(at, &spaces, &spec->space))
        return EINVAL;
    if (bz_scan_end(at))
        return 0;
    return bz_scan_char(at, ':') ? read_traits(at, spec) : EINVAL;
}

const char *bomp_allocator_fault(const char *text) {
    struct bomp_allocator_spec spec = {.count = 0};
    (void)read_space(&text, &spec);
    return text;
}

static int use_space(const char *text, struct bomp_global *global) {
    struct bomp_allocator_spec spec = {.count = 0};
    const char *at = text;
    int rc = read_space(&at, &spec);
    if (rc == 0 && spec.count > 0 && !(spec.text = bz_os_format("%s", text)))
        rc = ENOMEM;
    if (rc != 0)
        return rc;
    global->allocator = spec.count > 0 ? BOMP_ALLOCATOR_OF_ENV : spec.space + 1;
    global->allocator_spec = spec;
    return 0;
}

int bomp_read_allocator(const char *text, struct bomp_global *global) {
    size_t index;
    if (bz_parse_word(text, bomp_allocator_names, BOMP_ALLOCATOR_NAMES, &index) != 0)
        return use_space(text, global);
    uint32_t handle = (uint32_t)index + 1;
    global->allocator =
        handle <= BOMP_ALLOCATORS ? handle : handle + BOMP_GNU_ALLOCATOR - BOMP_ALLOCATORS - 1;
    return 0;
}
