/* omp_* functions about places and affinity, with Fortran forms: strings have their lengths behind the other arguments, and
 * blanks at the end. */
#include <limits.h>
#include <string.h>

#include "omp/api/omp_decl.h"
#include "omp/bomp.h"
#include "omp/icv/first_mask.h"
#include "omp/icv/icv.h"
#include "omp/team/affinity.h"
#include "omp/team/affinity_display.h"

/* ---- places ---- */

/* For a thread that may be bound by that question. */
static const struct bomp_places *list_for_caller(void) {
    (void)bomp_place_assignment_of_caller();
    return &bomp_global()->places;
}

/* Whether that is one of all CPUs. */
static bool is_whole(const struct bomp_places *places, bool whole) {
    return whole && places->count == 0 && !bomp_global()->affinity.disabled;
}

unsigned bomp_place_count(bool whole) {
    const struct bomp_places *places = list_for_caller();
    return is_whole(places, whole) ? 1 : places->count;
}

int bomp_place_of_caller(bool whole) {
    struct bomp_place_assignment assignment = bomp_place_assignment_of_caller();
    const struct bomp_places *places = &bomp_global()->places;
    if (is_whole(places, whole))
        return 0;
    bool bound = assignment.count > 0 && bz_is_pinned(bomp_place(places, assignment.place));
    return bound ? (int)assignment.place : -1;
}

unsigned bomp_place_partition(int *nums, bool whole) {
    struct bomp_place_assignment assignment = bomp_place_assignment_of_caller();
    if (is_whole(&bomp_global()->places, whole))
        assignment.count = 1;
    for (unsigned i = 0; nums && i < assignment.count; i++)
        nums[i] = (int)(assignment.first + i);
    return assignment.count;
}

/* The CPUs of the process. */
static unsigned all_procs(int *ids) {
    size_t words = bz_cpus_words();
    uint64_t *all = bz_alloc_zero(words, sizeof *all);
    unsigned count = all && bomp_process_cpus(all) == 0 ? bomp_place_list_cpus(all, words, ids) : 0;
    bz_free(all);
    return count;
}

unsigned bomp_place_procs(int num, int *ids, bool whole) {
    const struct bomp_places *places = list_for_caller();
    if (num == 0 && is_whole(places, whole))
        return all_procs(ids);
    if (num < 0 || (unsigned)num >= places->count)
        return 0;
    return bomp_place_list_cpus(bomp_place(places, (unsigned)num), places->words, ids);
}

int omp_get_num_places(void) {
    return (int)bomp_place_count(false);
}

int omp_get_place_num(void) {
    return bomp_place_of_caller(false);
}

int omp_get_partition_num_places(void) {
    return (int)bomp_place_partition(NULL, false);
}

int omp_get_place_num_procs(int num) {
    return (int)bomp_place_procs(num, NULL, false);
}

BOMP_EXPORT void omp_get_place_proc_ids(int num, int *ids) {
    (void)bomp_place_procs(num, ids, false);
}

BOMP_EXPORT void omp_get_partition_place_nums(int *nums) {
    (void)bomp_place_partition(nums, false);
}

BOMP_EXPORT void omp_get_place_proc_ids_(const int32_t *num, int32_t *ids) {
    omp_get_place_proc_ids(*num, ids);
}

/* Numbers of 4 bytes at the beginning of an array become its elements. */
static void widen(int64_t *array, unsigned count) {
    int32_t number;
    while (count-- > 0) {
        memcpy(&number, (char *)array + count * sizeof number, sizeof number);
        array[count] = number;
    }
}

BOMP_EXPORT void omp_get_place_proc_ids_8_(const int64_t *num, int64_t *ids) {
    int place = *num >= 0 && *num <= INT_MAX ? (int)*num : -1;
    widen(ids, bomp_place_procs(place, (int *)(void *)ids, false));
}

BOMP_EXPORT void omp_get_partition_place_nums_8_(int64_t *nums) {
    widen(nums, bomp_place_partition((int *)(void *)nums, false));
}

/* ---- the affinity of the calling thread, in words; an empty format is that of the process ----
 *
 * omp_get_affinity_format and omp_set_affinity_format_ are second names (names.ld). */

BOMP_EXPORT void omp_set_affinity_format(const char *format) {
    bomp_affinity_format_set(format, strlen(format));
}

static const char *unless_empty(const char *format, size_t length) {
    return length > 0 ? format : NULL;
}

BOMP_EXPORT void omp_display_affinity(const char *format) {
    size_t length = format ? strlen(format) : 0;
    bomp_affinity_display(unless_empty(format, length), length);
}

BOMP_EXPORT size_t omp_capture_affinity(char *text, size_t size, const char *format) {
    size_t length = format ? strlen(format) : 0;
    return bomp_affinity_capture(text, size, unless_empty(format, length), length);
}

BOMP_EXPORT void omp_display_affinity_(const char *format, size_t length) {
    bomp_affinity_display(unless_empty(format, length), length);
}

/* As a C function, without a null byte in place of the last character. */
static int32_t give_padded(char *text, size_t size, char *made, size_t length) {
    size_t part = length < size ? length : size;
    memcpy(text, made, part);
    memset(text + part, ' ', size - part);
    bz_free(made);
    return length < INT32_MAX ? (int32_t)length : INT32_MAX;
}

BOMP_EXPORT int32_t omp_get_affinity_format_(char *text, size_t size) {
    char *made = bomp_scratch(size + 1, "a thread's affinity");
    return give_padded(text, size, made, bomp_affinity_format_get(made, size + 1));
}

BOMP_EXPORT int32_t omp_capture_affinity_(char *text, const char *format, size_t size, size_t length) {
    char *made = bomp_scratch(size + 1, "a thread's affinity");
    return give_padded(text, size, made,
                       bomp_affinity_capture(made, size + 1, unless_empty(format, length), length));
}
