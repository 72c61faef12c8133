/* Kinds with a list or a grammar (env_kinds.h). */
#include <errno.h>
#include <string.h>

#include "omp/icv/env_kinds.h"

/* The first number is for the next region, the others for the levels below it. libomp takes 0 for 1. */
int bomp_read_threads(const char *text, struct bomp_icv_store *s) {
    uint32_t list[1 + BOMP_LEVEL_LIST_MAX], least = bomp_llvm_is_asked() ? 0 : 1;
    uint16_t count = 0;
    int error = 0;
    bool cut;
    do {
        uint64_t threads = 0;
        int rc = bz_scan_uint(&text, least, INT_MAX, &threads);
        if (rc == EINVAL)
            return EINVAL;
        error = rc != 0 ? rc : error;
        cut = count > BOMP_LEVEL_LIST_MAX;
        if (!cut)
            list[count++] = threads > 0 ? (uint32_t)threads : 1;
    } while (bz_scan_char(&text, ','));
    if (error != 0 || !bz_scan_end(&text))
        return bz_scan_end(&text) ? error : EINVAL;
    s->initial.threads = list[0];
    s->initial.threads_left = (uint16_t)(count - 1);
    memcpy(s->threads_list, list + 1, s->initial.threads_left * sizeof *list);
    return cut ? BOMP_ENV_PARTLY : 0;
}

static const struct bomp_words alone = BOMP_WORDS(BOMP_BIND_FALSE, 2, "false", "true");
static const struct bomp_words of_llvm = BOMP_WORDS(BOMP_BIND_FALSE, 2, "0", "1", "disabled");

/* False and true stand alone, as do libomp's 0, 1 and disabled. Policies make a list, the first for the next region. */
int bomp_read_bind(const char *text, struct bomp_icv_store *s) {
    uint32_t policy;
    if (bomp_read_word(text, &policy, &alone) == 0 ||
        (bomp_llvm_is_asked() && bomp_read_word(text, &policy, &of_llvm) == 0)) {
        s->initial.bind = (uint8_t)policy;
        return 0;
    }
    uint8_t list[1 + BOMP_LEVEL_LIST_MAX];
    uint16_t count = 0;
    bool cut = false;
    do {
        if (!bomp_take_word(&text, &bomp_bind_words, &policy))
            return EINVAL;
        cut = count > BOMP_LEVEL_LIST_MAX;
        if (!cut)
            list[count++] = (uint8_t)policy;
    } while (bz_scan_char(&text, ','));
    if (!bz_scan_end(&text))
        return EINVAL;
    s->initial.bind = list[0];
    s->initial.bind_left = (uint16_t)(count - 1);
    memcpy(s->bind_list, list + 1, s->initial.bind_left);
    return cut ? BOMP_ENV_PARTLY : 0;
}

/* A chunk behind the comma. 0, which libgomp accepts, means the schedule's own; negative ones are bad. */
static int take_chunk(const char **at, int64_t *chunk) {
    int64_t own = *chunk;
    int rc = bz_scan_int(at, 0, INT_MAX, chunk);
    bool whole = rc == 0 && bz_scan_end(at);
    if (!whole || *chunk == 0) {
        *chunk = whole ? own : 1;
        return BOMP_ENV_BAD_CHUNK;
    }
    return 0;
}

static const struct bomp_words kinds = BOMP_WORDS(BOMP_LOOP_STATIC, 4, "static", "dynamic", "guided", "auto");

/* The kind of a schedule, or 0; libomp's own kinds if the process asks for that. */
static uint32_t take_kind(const char **at) {
    uint32_t kind = 0;
    if (bomp_take_word(at, &kinds, &kind) || !bomp_llvm_is_asked())
        return kind;
    return bz_scan_word(at, "trapezoidal")    ? BOMP_SCHED_TRAPEZOIDAL
           : bz_scan_word(at, "static_steal") ? BOMP_LOOP_DYNAMIC
                                              : 0;
}

/* [monotonic:|nonmonotonic:]kind[,chunk]. Without a modifier static is monotonic, the others are not. */
int bomp_read_schedule(const char *text, struct bomp_icv *icv) {
    bool monotonic = bz_scan_word(&text, "monotonic");
    bool nonmonotonic = !monotonic && bz_scan_word(&text, "nonmonotonic");
    if ((monotonic || nonmonotonic) && !bz_scan_char(&text, ':'))
        return EINVAL;
    uint32_t kind = take_kind(&text);
    if (kind == 0)
        return EINVAL;
    int64_t chunk = kind != BOMP_LOOP_STATIC;
    int rc = 0;
    if (bz_scan_char(&text, ',')) {
        rc = take_chunk(&text, &chunk);
        rc = kind == BOMP_LOOP_AUTO ? BOMP_ENV_BAD_CHUNK : rc;
    } else if (!bz_scan_end(&text)) {
        return EINVAL;
    }
    icv->sched_implied = kind == BOMP_LOOP_STATIC && !nonmonotonic && !monotonic;
    monotonic = monotonic || icv->sched_implied;
    icv->sched = kind | (monotonic ? BOMP_LOOP_MONOTONIC : 0);
    icv->chunk = (int32_t)chunk;
    icv->sched_said = true;
    return rc;
}

/* A good list replaces the former one. */
static int keep(struct bomp_icv_store *s, int rc, struct bomp_places *places) {
    if (rc == 0) {
        bomp_places_free(&s->global.places);
        s->global.places = *places;
        rc = places->partly ? BOMP_ENV_PARTLY : 0;
    }
    return rc;
}

int bomp_read_places(const char *text, struct bomp_icv_store *s) {
    struct bomp_places places;
    int rc = bomp_find_usable(s);
    if (rc != 0)
        return rc;
    rc = keep(s, bomp_places_parse(text, s->global.usable, bz_cpus_words(), &places), &places);
    if (rc > 0 && rc != ENODEV && bomp_llvm_is_asked()) {
        rc = keep(s, bomp_places_nearest(text, s->global.usable, bz_cpus_words(), &places), &places);
        rc = rc == 0 ? BOMP_ENV_NEAREST : rc;
    }
    return rc;
}

/* Checked even if there are places, when it has no effect. */
int bomp_read_cpus(const char *text, struct bomp_icv_store *s) {
    struct bomp_places places;
    int rc = bomp_find_usable(s);
    if (rc == 0)
        rc = bomp_places_parse_cpus(text, s->global.usable, bz_cpus_words(), &places);
    if (rc == 0 && s->global.places.count > 0) {
        bomp_places_free(&places);
        return 0;
    }
    return keep(s, rc, &places);
}
