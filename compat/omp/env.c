/*
 * env.c: see env.h. One read_KIND function for each kind of env.def. It takes the text of a variable and sets the
 * target and returns 0, or returns an errno value with the target untouched.
 */
#include "env.h"

#include <errno.h>
#include <string.h>

#include "places.h"
#include "report.h"

/* Bytes of a value that are repeated to the user. */
#define SHOWN_VALUE_MAX 64

/* The least stack that a thread gets. */
#define STACK_MIN ((size_t)16 * 1024)

const char *const bomp_allocator_names[BOMP_ALLOCATORS] = {
    "omp_default_mem_alloc", "omp_large_cap_mem_alloc", "omp_const_mem_alloc", "omp_high_bw_mem_alloc",
    "omp_low_lat_mem_alloc", "omp_cgroup_mem_alloc",    "omp_pteam_mem_alloc", "omp_thread_mem_alloc"};

/* Kinds that are one number or one word. */

static int read_flag(const char *text, bool *flag) {
    static const char *const words[] = {"false", "true"};
    size_t index;
    int rc = bz_parse_word(text, words, 2, &index);
    if (rc == 0) {
        *flag = index == 1;
    }
    return rc;
}

/* The switch of OpenMP before 5.0 for what OMP_MAX_ACTIVE_LEVELS says since. */
static int read_nested(const char *text, uint8_t *levels) {
    bool on;
    int rc = read_flag(text, &on);
    if (rc == 0) {
        *levels = on ? BOMP_SUPPORTED_ACTIVE_LEVELS : 1;
    }
    return rc;
}

static int read_levels(const char *text, uint8_t *levels) {
    uint64_t value;
    int rc = bz_parse_uint(text, 0, UINT64_MAX, &value);
    if (rc == 0) {
        *levels = (uint8_t)(value < BOMP_SUPPORTED_ACTIVE_LEVELS ? value : BOMP_SUPPORTED_ACTIVE_LEVELS);
    }
    return rc;
}

/* Beyond the numbers that the API can tell, there is no limit. */
static int read_limit(const char *text, uint32_t *limit) {
    uint64_t value;
    int rc = bz_parse_uint(text, 1, UINT64_MAX, &value);
    if (rc == 0) {
        *limit = value <= INT_MAX ? (uint32_t)value : UINT32_MAX;
    }
    return rc;
}

static int read_count(const char *text, struct bz_a32 *count) {
    uint64_t value;
    int rc = bz_parse_uint(text, 1, INT_MAX, &value);
    if (rc == 0) {
        bz_store_relaxed(count, (uint32_t)value); /* relaxed: nobody else is here yet */
    }
    return rc;
}

static int read_natural(const char *text, int32_t *number) {
    uint64_t value;
    int rc = bz_parse_uint(text, 0, INT_MAX, &value);
    if (rc == 0) {
        *number = (int32_t)value;
    }
    return rc;
}

/* KiB without a suffix. Of two variables with the same target, the first counts. */
static int read_size(const char *text, size_t *size) {
    size_t value;
    int rc = bz_parse_size(text, 1024, &value);
    if (rc == 0 && *size == 0) {
        *size = value;
    }
    return rc;
}

/* The index of the text among words, plus first. */
static int read_word(const char *text, const char *const *words, size_t count, uint32_t first,
                     uint32_t *value) {
    size_t index;
    int rc = bz_parse_word(text, words, count, &index);
    if (rc == 0) {
        *value = first + (uint32_t)index;
    }
    return rc;
}

static int read_wait(const char *text, uint32_t *policy) {
    static const char *const words[] = {"active", "passive"};
    return read_word(text, words, 2, BOMP_WAIT_ACTIVE, policy);
}

static int read_offload(const char *text, uint32_t *offload) {
    static const char *const words[] = {"default", "mandatory", "disabled"};
    return read_word(text, words, 3, BOMP_OFFLOAD_DEFAULT, offload);
}

static int read_display(const char *text, uint32_t *display) {
    static const char *const words[] = {"false", "true", "verbose"};
    return read_word(text, words, 3, BOMP_DISPLAY_NOTHING, display);
}

static int read_allocator(const char *text, uint32_t *allocator) {
    return read_word(text, bomp_allocator_names, BOMP_ALLOCATORS, 1, allocator);
}

/* Looks at memory before a thread sleeps; one takes about a nanosecond. The suffixes are powers of 1000. */
static int read_spin(const char *text, uint64_t *spin_ns) {
    static const char *const words[] = {"infinite", "infinity"};
    static const struct {
        char suffix;
        uint64_t unit;
    } suffixes[] = {{'k', 1000}, {'m', 1000000}, {'g', 1000000000}, {'t', 1000000000000}};
    size_t index;
    if (bz_parse_word(text, words, 2, &index) == 0) {
        *spin_ns = BZ_SPIN_INFINITE;
        return 0;
    }
    uint64_t count;
    int rc = bz_scan_uint(&text, 0, UINT64_MAX, &count);
    if (rc != 0) {
        return rc;
    }
    uint64_t unit = 1;
    for (size_t i = 0; i < 4 && unit == 1; i++) {
        unit = bz_scan_char(&text, suffixes[i].suffix) ? suffixes[i].unit : 1;
    }
    if (!bz_scan_end(&text)) {
        return EINVAL;
    }
    *spin_ns = count < BZ_SPIN_AUTO / unit ? count * unit : BZ_SPIN_INFINITE;
    return 0;
}

/* Any text will do, also an empty one, if there is room for it. */
static int read_format(const char *text, char format[BOMP_FORMAT_MAX]) {
    size_t length = strlen(text);
    if (length >= BOMP_FORMAT_MAX) {
        return ERANGE;
    }
    memcpy(format, text, length + 1);
    return 0;
}

/* Threads are not bound, so nothing of these is kept. */
static int read_places(const char *text, struct bomp_icv_store *s) {
    (void)s;
    return bomp_places_check(text);
}

static int read_cpus(const char *text, struct bomp_icv_store *s) {
    (void)s;
    return bomp_cpu_list_check(text);
}

/* Kinds with a list or a grammar of their own. */

/* The first number is for the next region, the others for the levels below it. */
static int read_threads(const char *text, struct bomp_icv_store *s) {
    uint64_t values[1 + BOMP_LEVEL_LIST_MAX];
    size_t count;
    int rc = bz_parse_uint_list(text, 1, INT_MAX, values, 1 + BOMP_LEVEL_LIST_MAX, &count);
    if (rc != 0) {
        return rc;
    }
    count = count <= BOMP_LEVEL_LIST_MAX ? count : 1 + BOMP_LEVEL_LIST_MAX;
    s->initial.threads = (uint32_t)values[0];
    s->initial.threads_left = (uint16_t)(count - 1);
    for (size_t i = 1; i < count; i++) {
        s->threads_list[i - 1] = (uint32_t)values[i];
    }
    return 0;
}

/* False and true stand alone; the policies make a list, the first for the next region. */
static int read_bind(const char *text, struct bomp_icv_store *s) {
    bool flag;
    if (read_flag(text, &flag) == 0) {
        s->initial.bind = flag ? BOMP_BIND_TRUE : BOMP_BIND_FALSE;
        return 0;
    }
    uint8_t list[1 + BOMP_LEVEL_LIST_MAX];
    uint16_t count = 0;
    do {
        uint8_t policy;
        if (bz_scan_word(&text, "primary") || bz_scan_word(&text, "master")) {
            policy = BOMP_BIND_PRIMARY;
        } else if (bz_scan_word(&text, "close")) {
            policy = BOMP_BIND_CLOSE;
        } else if (bz_scan_word(&text, "spread")) {
            policy = BOMP_BIND_SPREAD;
        } else {
            return EINVAL;
        }
        if (count <= BOMP_LEVEL_LIST_MAX) {
            list[count++] = policy;
        }
    } while (bz_scan_char(&text, ','));
    if (!bz_scan_end(&text)) {
        return EINVAL;
    }
    s->initial.bind = list[0];
    s->initial.bind_left = (uint16_t)(count - 1);
    memcpy(s->bind_list, list + 1, s->initial.bind_left);
    return 0;
}

/* [monotonic:|nonmonotonic:]kind[,chunk]. Without a modifier static is monotonic, the others are not. */
static int read_schedule(const char *text, struct bomp_icv *icv) {
    static const char *const kinds[] = {"static", "dynamic", "guided", "auto"};
    bool monotonic = bz_scan_word(&text, "monotonic");
    bool nonmonotonic = !monotonic && bz_scan_word(&text, "nonmonotonic");
    if ((monotonic || nonmonotonic) && !bz_scan_char(&text, ':')) {
        return EINVAL;
    }
    uint32_t kind = 0;
    while (kind < 4 && !bz_scan_word(&text, kinds[kind])) {
        kind++;
    }
    if (kind == 4) {
        return EINVAL;
    }
    kind += BOMP_SCHED_STATIC;
    int64_t chunk = kind != BOMP_SCHED_STATIC;
    int rc = 0;
    if (bz_scan_char(&text, ',')) {
        int64_t least = chunk;
        rc = bz_scan_int(&text, 0, INT_MAX, &chunk);
        chunk = chunk > least ? chunk : least;
    }
    if (!bz_scan_end(&text)) {
        return EINVAL;
    }
    if (rc == 0) {
        monotonic = monotonic || (kind == BOMP_SCHED_STATIC && !nonmonotonic);
        icv->sched = kind | (monotonic ? BOMP_SCHED_MONOTONIC : 0);
        icv->chunk = (int32_t)chunk;
    }
    return rc;
}

/* The whole. */

/* What became of each variable. */
struct outcome {
    bool given[BOMP_ENV_COUNT];      /* set, and valid */
    const char *bad[BOMP_ENV_COUNT]; /* the text of a bad one */
};

static void note(struct outcome *outcome, enum bomp_env_variable variable, const char *text, int rc) {
    outcome->given[variable] = rc == 0;
    outcome->bad[variable] = rc == 0 ? NULL : text;
}

static void read_all(struct bomp_icv_store *s, struct outcome *outcome) {
    const char *text;
#define ENV(variable, kind, target, shown, instead)                                                          \
    text = bz_os_getenv(#variable);                                                                          \
    if (text != NULL) {                                                                                      \
        note(outcome, BOMP_ENV_##variable, text, read_##kind(text, target));                                 \
    }
#include "env.def"
#undef ENV
}

/* Defaults that depend on more than one variable. */
static void settle(struct bomp_icv_store *s, const struct outcome *outcome) {
    const bool *given = outcome->given;
    struct bomp_icv *icv = &s->initial;
    if (!given[BOMP_ENV_OMP_NUM_THREADS]) {
        icv->threads = bz_topology_default_workers();
    }
    if (!given[BOMP_ENV_OMP_NESTED] && !given[BOMP_ENV_OMP_MAX_ACTIVE_LEVELS] &&
        (icv->threads_left > 0 || icv->bind_left > 0)) {
        icv->max_active_levels = BOMP_SUPPORTED_ACTIVE_LEVELS;
    }
    if (!given[BOMP_ENV_OMP_PROC_BIND] && (given[BOMP_ENV_OMP_PLACES] || given[BOMP_ENV_GOMP_CPU_AFFINITY])) {
        icv->bind = BOMP_BIND_TRUE;
    }
    if (!given[BOMP_ENV_GOMP_SPINCOUNT] && s->global.wait_policy != BOMP_WAIT_ADAPTIVE) {
        s->global.spin_ns = s->global.wait_policy == BOMP_WAIT_ACTIVE ? BOMP_ACTIVE_SPIN_NS : 0;
    }
}

/* Messages. */

/* What a variable that is spelt wrong is replaced with. */
static void warn_bad(const struct bomp_icv_store *s, enum bomp_env_variable variable, const char *text) {
    static const struct {
        const char *name, *instead;
    } rows[BOMP_ENV_COUNT] = {
#define ENV(variable, kind, target, shown, instead) {#variable, instead},
#include "env.def"
#undef ENV
    };
    char used[SHOWN_VALUE_MAX];
    bomp_env_show(s, variable, used, sizeof used);
    const char *more = strlen(text) > SHOWN_VALUE_MAX ? "..." : "";
    bool quoted = rows[variable].instead[0] == '\0';
    bz_warn("Invalid value for environment variable %s: '%.*s%s'; %s%s%s is used instead",
            rows[variable].name, SHOWN_VALUE_MAX, text, more, quoted ? "'" : "",
            quoted ? used : rows[variable].instead, quoted ? "'" : "");
}

/* Takes back what is not served yet, and says so. */
static void refuse(struct bomp_icv_store *s, const struct outcome *outcome) {
    if (s->global.cancellation) {
        s->global.cancellation = false;
        bz_warn("OMP_CANCELLATION: cancellation is not supported by this version; 'FALSE' is used instead");
    }
    if (s->global.display_affinity) {
        s->global.display_affinity = false;
        bz_warn("OMP_DISPLAY_AFFINITY is not supported by this version; 'FALSE' is used instead");
    }
    if (s->initial.bind != BOMP_BIND_FALSE) {
        const char *name = outcome->given[BOMP_ENV_OMP_PROC_BIND] ? "OMP_PROC_BIND"
                           : outcome->given[BOMP_ENV_OMP_PLACES]  ? "OMP_PLACES"
                                                                  : "GOMP_CPU_AFFINITY";
        bz_warn("%s: binding threads to CPUs is not supported by this version; they stay unbound", name);
    }
    if (s->global.stack_size > 0 && s->global.stack_size < STACK_MIN) {
        bz_warn("Stack size less than minimum of 16k: %zu bytes; %zu is used instead", s->global.stack_size,
                STACK_MIN);
        s->global.stack_size = STACK_MIN;
    }
}

void bomp_env_read(struct bomp_icv_store *s) {
    struct outcome outcome = {.given = {false}};
    bz_error_prefix(BOMP_MESSAGE_PREFIX);
    bomp_icv_defaults(s);
    read_all(s, &outcome);
    settle(s, &outcome);
    for (int i = 0; i < BOMP_ENV_COUNT; i++) {
        if (outcome.bad[i] != NULL) {
            warn_bad(s, (enum bomp_env_variable)i, outcome.bad[i]);
        }
    }
    refuse(s, &outcome);
    if (s->global.display != BOMP_DISPLAY_NOTHING) {
        bomp_env_display(s, s->global.display == BOMP_DISPLAY_VERBOSE);
    }
}
