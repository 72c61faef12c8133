/* env_allocator.c: OMP_ALLOCATOR (OpenMP 6.0): a predefined allocator, or a memory space, alone or with traits:
 * space:trait=value,... in either case, with white space between words. */
#include <errno.h>

#include "omp/icv/env.h"
#include "omp/icv/env_kinds.h"

const char *const bomp_allocator_names[BOMP_ALLOCATOR_NAMES] = {
    "omp_default_mem_alloc",     "omp_large_cap_mem_alloc",   "omp_const_mem_alloc", "omp_high_bw_mem_alloc",
    "omp_low_lat_mem_alloc",     "omp_cgroup_mem_alloc",      "omp_pteam_mem_alloc", "omp_thread_mem_alloc",
    "ompx_gnu_pinned_mem_alloc", "ompx_gnu_managed_mem_alloc"};

/* The values of a trait by their names: numbers from `first` on, as in omp.h. No names: any number. */
struct trait {
    const char *name;
    uintptr_t first;
    const char *values[8];
};

static const struct trait traits[] = {
    [BOMP_TRAIT_SYNC_HINT] = {"sync_hint", 3, {"contended", "uncontended", "serialized", "private"}},
    [BOMP_TRAIT_ALIGNMENT] = {"alignment", 0, {0}},
    [BOMP_TRAIT_ACCESS] = {"access", 7, {"all", "thread", "pteam", "cgroup"}},
    [BOMP_TRAIT_POOL_SIZE] = {"pool_size", 0, {0}},
    [BOMP_TRAIT_FALLBACK] = {"fallback", 11, {"default_mem_fb", "null_fb", "abort_fb", "allocator_fb"}},
    [BOMP_TRAIT_FB_DATA] = {"fb_data",
                            1,
                            {"omp_default_mem_alloc", "omp_large_cap_mem_alloc", "omp_const_mem_alloc",
                             "omp_high_bw_mem_alloc", "omp_low_lat_mem_alloc", "omp_cgroup_mem_alloc",
                             "omp_pteam_mem_alloc", "omp_thread_mem_alloc"}},
    [BOMP_TRAIT_PINNED] = {"pinned", 0, {"false", "true"}},
    [BOMP_TRAIT_PARTITION] = {"partition", 15, {"environment", "nearest", "blocked", "interleaved"}},
};

bool bomp_trait_has(enum bomp_trait key, uintptr_t value) {
    const struct trait *trait = &traits[key];
    return value - trait->first < 8 && trait->values[value - trait->first];
}

static int read_value(const char **at, const struct trait *trait, uintptr_t *value) {
    uint64_t number;
    if (bz_scan_end(at))
        return BOMP_ENV_NO_VALUE;
    for (size_t i = 0; i < 8 && trait->values[i]; i++) {
        if (bz_scan_word(at, trait->values[i])) {
            *value = trait->first + i;
            return 0;
        }
    }
    int rc = trait->values[0] ? EINVAL : bz_scan_uint(at, 1, UINTPTR_MAX, &number);
    if (rc == 0)
        *value = (uintptr_t)number;
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

/* The spaces in the order of their allocators. */
static int read_space(const char **at, struct bomp_allocator_spec *spec) {
    static const char *const spaces[] = {"omp_default_mem_space", "omp_large_cap_mem_space",
                                         "omp_const_mem_space", "omp_high_bw_mem_space",
                                         "omp_low_lat_mem_space"};
    while (spec->space < 5 && !bz_scan_word(at, spaces[spec->space]))
        spec->space++;
    if (spec->space == 5)
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
