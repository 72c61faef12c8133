/* A bomp_read_KIND function for each kind of env.def, here or in env_kinds.h. */
#include "omp/icv/env.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "omp/base/report.h"
#include "omp/icv/env_kinds.h"

/* Bytes shown of a value in a message, and of places. */
#define SHOWN_USED_MAX 72
#define SHOWN_PLACES_MAX 800
#define NAME_ROOM 48 /* for any variable's, with its suffix */

const struct bomp_env_row bomp_env_rows[BOMP_ENV_COUNT] = {
#define ENV(variable, kind, target, shown, instead) {#variable, instead, BOMP_SHOWN_##shown, false},
#define ENV_IDLE(variable) {#variable, "", BOMP_SHOWN_NEVER, true},
#include "omp/icv/env.def"
#undef ENV
};

/* Kinds that are one number or one word. */

const struct bomp_words bomp_wait_words = BOMP_WORDS(BOMP_WAIT_ADAPTIVE, 3, "ADAPTIVE", "ACTIVE", "PASSIVE");
const struct bomp_words bomp_offload_words =
    BOMP_WORDS(BOMP_OFFLOAD_DEFAULT, 3, "DEFAULT", "MANDATORY", "DISABLED");
const struct bomp_words bomp_display_words = BOMP_WORDS(BOMP_DISPLAY_NOTHING, 3, "FALSE", "TRUE", "VERBOSE");
const struct bomp_words bomp_tool_words = BOMP_WORDS(0, 2, "enabled", "disabled");

int bomp_read_word(const char *text, uint32_t *value, const struct bomp_words *words) {
    uint32_t read;
    if (!bomp_take_word(&text, words, &read) || !bz_scan_end(&text))
        return EINVAL;
    *value = read;
    return 0;
}

static const struct bomp_words flag_words = BOMP_WORDS(0, 2, "false", "true");

/* libomp has more words for yes and no, in OpenMP's variables as well. */
static int bomp_read_flag(const char *text, bool *flag) {
    uint32_t value;
    int rc = bomp_read_word(text, &value, &flag_words);
    if (rc == 0)
        *flag = value;
    else if (bomp_llvm_is_asked())
        rc = bomp_read_llvm_switch(text, flag);
    return rc;
}

static int bomp_read_nested(const char *text, uint32_t *levels) {
    bool on;
    int rc = bomp_read_flag(text, &on);
    if (rc == 0)
        *levels = on ? BOMP_SUPPORTED_ACTIVE_LEVELS : 1;
    return rc;
}

int bomp_read_capped(const char *text, uint32_t *number, uint32_t most) {
    uint64_t value;
    int rc = bz_parse_uint(text, 0, UINT64_MAX, &value);
    if (rc != 0)
        return rc;
    *number = value < most ? (uint32_t)value : most;
    return value <= most ? 0 : BOMP_ENV_PARTLY;
}

/* A number beyond those of the API means no limit. */
static int bomp_read_limit(const char *text, uint32_t *limit) {
    uint64_t value;
    int rc = bz_parse_uint(text, 1, UINT64_MAX, &value);
    if (rc == 0)
        *limit = value <= INT_MAX ? (uint32_t)value : UINT32_MAX;
    return rc;
}

static int bomp_read_count(const char *text, uint32_t *count) {
    uint64_t value;
    int rc = bz_parse_uint(text, 1, INT_MAX, &value);
    if (rc == 0)
        *count = (uint32_t)value;
    return rc;
}

static int bomp_read_teams(const char *text, struct bomp_count *count) {
    int rc = bomp_read_count(text, &count->given);
    bz_store_relaxed(&count->now, count->given); /* relaxed: only this thread is here yet */
    return rc;
}

static int bomp_read_natural(const char *text, int32_t *number) {
    uint64_t value;
    int rc = bz_parse_uint(text, 0, INT_MAX, &value);
    if (rc == 0)
        *number = (int32_t)value;
    return rc;
}

/* Of variables with the same target, the first counts, or that of libomp. */
static int bomp_read_size(const char *text, size_t *size, size_t unit) {
    size_t value;
    int rc = bz_parse_size(text, unit, &value);
    if (rc == 0 && value < BZ_STACK_LEAST)
        rc = BOMP_ENV_SMALL;
    if (rc == 0 && (*size == 0 || unit == 1))
        *size = value;
    return rc;
}

static int bomp_read_debug(const char *text, int32_t *debug) {
    int rc = bomp_read_natural(text, debug);
    bool asked = rc == 0 && *debug != 0;
    *debug = 0;
    return asked ? BOMP_ENV_NO_EFFECT : rc;
}

/* Polls before a thread sleeps; one takes about a nanosecond. The suffixes are powers of 1000. */
static int bomp_read_spin(const char *text, uint64_t *spin_ns) {
    static const char *const words[] = {"infinite", "infinity", "adaptive"};
    static const struct {
        char suffix;
        uint64_t unit;
    } suffixes[] = {{'k', 1000}, {'m', 1000000}, {'g', 1000000000}, {'t', 1000000000000}};
    size_t index;
    if (bz_parse_word(text, words, 3, &index) == 0) {
        *spin_ns = index < 2 ? BZ_SPIN_INFINITE : BZ_SPIN_AUTO;
        return 0;
    }
    uint64_t count;
    int64_t negative;
    const char *at = text;
    if (bz_scan_int(&at, INT64_MIN, -1, &negative) == 0 && bz_scan_end(&at)) {
        *spin_ns = BZ_SPIN_INFINITE; /* as for libgomp */
        return BOMP_ENV_ENDLESS;
    }
    int rc = bz_scan_uint(&text, 0, UINT64_MAX, &count);
    if (rc != 0)
        return rc;
    uint64_t unit = 1;
    for (size_t i = 0; i < 4 && unit == 1; i++)
        unit = bz_scan_char(&text, suffixes[i].suffix) ? suffixes[i].unit : 1;
    if (!bz_scan_end(&text))
        return EINVAL;
    bool fits = count < BZ_SPIN_AUTO / unit;
    *spin_ns = fits ? count * unit : BZ_SPIN_INFINITE;
    return fits ? 0 : BOMP_ENV_ENDLESS;
}

/* Any text, also an empty one. */
static int bomp_read_format(const char *text, struct bomp_global *global) {
    char *copy = bz_os_format("%s", text);
    if (!copy)
        return ENOMEM;
    bz_free(global->affinity_format_given);
    global->affinity_format = global->affinity_format_given = copy;
    return 0;
}

/* Variables without effect here. */
static int bomp_read_unused(const char *text, const struct bomp_icv_store *store) {
    (void)text, (void)store;
    return 0;
}

/* The whole. */

#define LLVM_PREFIX "KMP_"
#define LLVM_OTHER_PREFIX "LIBOMP_"

/* What the environment has of each variable, and the result. */
struct outcome {
    bool any;  /* a variable has one of the prefixes */
    bool llvm; /* one has LLVM's, and the process asks for its runtime */
    const char *text[BOMP_ENV_COUNT], *all[BOMP_ENV_COUNT]; /* of the name, and of that with _ALL */
    bool given[BOMP_ENV_COUNT];                             /* set, and valid */
    int why[BOMP_ENV_COUNT];                                /* what its reader returned */
};

/* What follows a beginning of the text; NULL: it begins otherwise. */
static const char *after(const char *beginning, const char *text) {
    while (*beginning != '\0' && *text == *beginning)
        beginning++, text++;
    return *beginning == '\0' ? text : NULL;
}

static bool is_llvms(const char *name) {
    return after(LLVM_PREFIX, name) || after(LLVM_OTHER_PREFIX, name);
}

static bool is_other(const char *name) {
    return after("OMP_", name) || after("GOMP_", name) || after("BLITZ_", name);
}

/* The form with _ALL is for devices as well. */
static bool has_form_for_all(int variable) {
    return bomp_env_rows[variable].shown == BOMP_SHOWN_ALWAYS || variable == BOMP_ENV_OMP_DEFAULT_DEVICE;
}

/* The first of two variables with one name counts. */
static void find_texts(struct outcome *outcome) {
    for (char **variable = bz_os_environment(); *variable; variable++) {
        bool llvm = is_llvms(*variable), ours = llvm || is_other(*variable);
        outcome->any |= ours;
        outcome->llvm |= llvm;
        for (int i = 0; ours && i < BOMP_ENV_COUNT; i++) {
            const char *rest = after(bomp_env_rows[i].name, *variable);
            const char *rest_of_all = rest ? after("_ALL=", rest) : NULL;
            if (rest && *rest == '=' && !outcome->text[i])
                outcome->text[i] = rest + 1;
            else if (rest_of_all && has_form_for_all(i) && !outcome->all[i])
                outcome->all[i] = rest_of_all;
        }
    }
}

static int read_one(struct bomp_icv_store *s, enum bomp_env_variable variable, const char *text) {
    switch (variable) {
#define ENV(variable, kind, target, shown, instead)                                                          \
    case BOMP_ENV_##variable:                                                                                \
        return bomp_read_##kind(text, target);
#include "omp/icv/env.def"
#undef ENV
    case BOMP_ENV_COUNT:
        break;
    }
    return ENOENT;
}

/* Under libomp OMP_NESTED=false, whose row comes first, has precedence over OMP_MAX_ACTIVE_LEVELS. */
static void read_all(struct bomp_icv_store *s, struct outcome *outcome) {
    for (int i = 0; i < BOMP_ENV_COUNT; i++) {
        enum bomp_env_variable variable = (enum bomp_env_variable)i;
        const char *text = outcome->text[i] ? outcome->text[i] : outcome->all[i];
        bool overridden = variable == BOMP_ENV_OMP_MAX_ACTIVE_LEVELS && outcome->given[BOMP_ENV_OMP_NESTED] &&
                          s->initial.max_active_levels == 1 && bomp_llvm_is_asked();
        if (!text || overridden || (!outcome->llvm && is_llvms(bomp_env_rows[i].name)))
            continue;
        outcome->why[i] = read_one(s, variable, text);
        outcome->given[i] = BOMP_ENV_IS_TAKEN(outcome->why[i]);
    }
}

/* With binding, keeps the CPUs of the process; without places each is one. */
static void set_default_places(struct bomp_icv_store *s) {
    struct bomp_places *places = &s->global.places;
    if (s->initial.bind == BOMP_BIND_FALSE || bomp_find_usable(s) != 0 ||
        bz_cpus_keep(s->global.usable) != 0 ||
        (places->count == 0 && bomp_places_default(s->global.usable, bz_cpus_words(), places) != 0))
        bomp_places_free(places);
}

/* Without other settings, binds threads to the CPUs of KMP_HW_SUBSET. */
static void bind_to_subset(struct bomp_icv_store *s) {
    struct bomp_places *places = &s->global.places;
    *places = (struct bomp_places){.words = bz_cpus_words()};
    if (bomp_places_add_empty(places) == 0) {
        memcpy(bomp_place(places, 0), s->global.usable, places->words * sizeof(uint64_t));
        s->initial.bind = BOMP_BIND_TRUE;
    }
}

static void set_binding(struct bomp_icv_store *s, const bool *given) {
    bool said = given[BOMP_ENV_OMP_PROC_BIND] || s->global.affinity.decides;
    if (!said && s->global.places.count > 0)
        s->initial.bind = BOMP_BIND_TRUE;
    bool in_order = s->global.affinity.decides || given[BOMP_ENV_GOMP_CPU_AFFINITY];
    if (s->initial.bind == BOMP_BIND_TRUE && !in_order && bomp_llvm_is_asked())
        s->initial.bind = BOMP_BIND_SPREAD; /* as under libomp */
    if (!said && s->global.places.count == 0 && s->global.has_subset)
        bind_to_subset(s);
    set_default_places(s);
}

static void set_waiting(struct bomp_global *global, const bool *given) {
    if (global->library == BOMP_LIBRARY_TURNAROUND)
        global->wait_policy = BOMP_WAIT_ACTIVE;
    bool timed = given[BOMP_ENV_GOMP_SPINCOUNT] || given[BOMP_ENV_KMP_BLOCKTIME];
    if (timed && !given[BOMP_ENV_OMP_WAIT_POLICY] && global->spin_ns != BZ_SPIN_AUTO)
        global->wait_policy = global->spin_ns < BOMP_ACTIVE_SPIN_NS ? BOMP_WAIT_PASSIVE : BOMP_WAIT_ACTIVE;
    if (!timed && global->wait_policy != BOMP_WAIT_ADAPTIVE)
        global->spin_ns = global->wait_policy == BOMP_WAIT_ACTIVE ? BOMP_ACTIVE_SPIN_NS : 0;
}

/* Defaults that depend on more than one variable. */
static void set_dependent_defaults(struct bomp_icv_store *s, const bool *given) {
    struct bomp_icv *icv = &s->initial;
    set_binding(s, given);
    if (!given[BOMP_ENV_OMP_NUM_THREADS])
        icv->threads = 0;
    if (!given[BOMP_ENV_OMP_NESTED] && !given[BOMP_ENV_OMP_MAX_ACTIVE_LEVELS] &&
        (icv->threads_left > 0 || icv->bind_left > 0))
        icv->max_active_levels = BOMP_SUPPORTED_ACTIVE_LEVELS;
    if (s->global.library == BOMP_LIBRARY_SERIAL)
        icv->threads = icv->thread_limit = 1;
    if (s->global.helpers == 0)
        s->global.uses_helpers = false;
    /* As under libomp, LLVM's programs keep 0: they may have its offload library. */
    if (s->global.offload == BOMP_OFFLOAD_MANDATORY && !given[BOMP_ENV_OMP_DEFAULT_DEVICE] &&
        !bomp_llvm_is_asked())
        icv->default_device = BOMP_DEVICE_INVALID;
    set_waiting(&s->global, given);
}

/* Messages. */

static const char *reason(int why) {
    static const char *const reasons[] = {
        [-BOMP_ENV_BAD_CHUNK] = "invalid chunk size",
        [-BOMP_ENV_SMALL] = "less than 16k",
        [-BOMP_ENV_PARTLY] = "not possible in full",
        [-BOMP_ENV_ENDLESS] = "out of range",
        [-BOMP_ENV_NO_EFFECT] = "has no effect",
        [-BOMP_ENV_NO_VALUE] = "a value is missing at the end",
        [-BOMP_ENV_NO_ALLOCATOR] = "such an allocator cannot be made",
    };
    bool is_own = why < 0 && -why < (int)(sizeof reasons / sizeof *reasons) && reasons[-why];
    return is_own ? reasons[-why] : why == ERANGE ? "out of range" : "invalid value";
}

static void show_used(const struct bomp_icv_store *s, enum bomp_env_variable variable, int why,
                      const char *instead, char *used, size_t size) {
    bool as_places = variable == BOMP_ENV_GOMP_CPU_AFFINITY, in_part = why == BOMP_ENV_PARTLY;
    enum bomp_env_variable shown = as_places ? BOMP_ENV_OMP_PLACES : variable;
    size_t length = bomp_env_show(s, shown, used, size, why == BOMP_ENV_NEAREST);
    if (why == BOMP_ENV_ENDLESS)
        snprintf(used, size, "infinite");
    else if (instead[0] != '\0' && !in_part && why != BOMP_ENV_NEAREST)
        snprintf(used, size, "%s", instead);
    else if (length >= size)
        strcpy(used + size - sizeof "...", "...");
}

static void warn_bad(const struct bomp_icv_store *s, enum bomp_env_variable variable,
                     const struct outcome *outcome) {
    char name[NAME_ROOM], used[SHOWN_USED_MAX];
    const char *plain = outcome->text[variable], *text = plain ? plain : outcome->all[variable];
    int why = outcome->why[variable];
    (void)snprintf(name, sizeof name, "%s%s", bomp_env_rows[variable].name, plain ? "" : "_ALL");
    show_used(s, variable, why, bomp_env_rows[variable].instead, used, sizeof used);
    const char *fault =
        variable == BOMP_ENV_OMP_ALLOCATOR && why == EINVAL ? bomp_allocator_fault(text) : text;
    if (fault > text)
        bz_warn_value(name, text, "%s at %s; using %s", reason(why), fault, used);
    else
        bz_warn_value(name, text, "%s; using %s", reason(why), used);
}

/* Debuggers use OMP_DEBUG. */
static void check_names(bool llvm) {
    static const char *const known[] = {
#define ENV(variable, kind, target, shown, instead) #variable,
#include "omp/icv/env.def"
#undef ENV
        "OMP_DEBUG", NULL};
    static const char *const prefixes[] = {"OMP_", "GOMP_", LLVM_PREFIX, LLVM_OTHER_PREFIX};
    for (int i = 0; i < (llvm ? 4 : 2); i++)
        bz_names_check(prefixes[i], known, false);
    bz_options_check();
}

/* libomp's message. */
static void show_helpers(const struct bomp_global *global) {
    if (!global->helper.verbose || global->helper.levels == 0)
        return;
    bz_error_prefix("OMP: ");
    bz_warn(
        "Info #145: KMP_HIDDEN_HELPER_AFFINITY: Threads may migrate across %u innermost levels of machine",
        global->helper.levels);
    bz_error_prefix(BOMP_MESSAGE_PREFIX);
}

/* For KMP_VERSION, KMP_SETTINGS and verbose affinity. */
static void show_llvm(const struct bomp_icv_store *s) {
    char places[SHOWN_PLACES_MAX];
    if (s->global.llvm_settings)
        bomp_env_display_llvm(s);
    else if (s->global.llvm_version && s->global.display == BOMP_DISPLAY_NOTHING)
        bomp_env_display_server();
    show_helpers(&s->global);
    if (!s->global.affinity.verbose)
        return;
    size_t length = bomp_env_show(s, BOMP_ENV_OMP_PLACES, places, sizeof places, false);
    bz_warn("KMP_AFFINITY: threads are bound to %s%s%s", length > 0 ? "places " : "no places", places,
            length >= sizeof places ? "..." : "");
}

int bomp_env_set(struct bomp_icv_store *s, const char *name, const char *text) {
    for (int i = 0; i < BOMP_ENV_COUNT; i++)
        if (strcmp(name, bomp_env_rows[i].name) == 0)
            return read_one(s, (enum bomp_env_variable)i, text);
    return ENOENT;
}

void bomp_env_read(struct bomp_icv_store *s) {
    struct outcome outcome = {.any = false};
    find_texts(&outcome);
    outcome.llvm = outcome.llvm && bomp_llvm_is_asked();
    bz_error_prefix(BOMP_MESSAGE_PREFIX);
    bomp_icv_defaults(s);
    read_all(s, &outcome);
    bz_error_quiet(!s->global.llvm_warns);
    set_dependent_defaults(s, outcome.given);
    for (int i = 0; i < BOMP_ENV_COUNT; i++)
        if (outcome.why[i] != 0)
            warn_bad(s, (enum bomp_env_variable)i, &outcome);
    if (outcome.any)
        check_names(outcome.llvm);
    show_llvm(s);
    if (s->global.display != BOMP_DISPLAY_NOTHING)
        bomp_env_display(s, s->global.display == BOMP_DISPLAY_VERBOSE);
}
