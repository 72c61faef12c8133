/* report_path.c: see report_path.h. */
#include "tools/common/report_path.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/base.h"

#define RANK_MAX 0x7fffffff

long bomp_mpi_rank(void) {
    static const char *const variables[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                            "MV2_COMM_WORLD_RANK", "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *said = bz_os_getenv(variables[i]);
        uint64_t rank;
        if (said && bz_parse_uint(said, 0, RANK_MAX, &rank) == 0)
            return (long)rank;
    }
    return -1;
}

#define NUMBER_MAX 24 /* bytes of a dot and a number, or of two */

/* What stands for the two bytes at `at`, which begin with a %; false: nothing. */
static bool replace(const char *at, long rank, char to[NUMBER_MAX]) {
    if (at[1] == 'p')
        (void)snprintf(to, NUMBER_MAX, "%u", bz_os_process_id());
    else if (at[1] == 'r')
        (void)snprintf(to, NUMBER_MAX, "%ld", rank >= 0 ? rank : 0);
    else if (at[1] == '%')
        (void)snprintf(to, NUMBER_MAX, "%%");
    else
        return false;
    return true;
}

static bool has(const char *pattern, char letter) {
    for (; *pattern; pattern++)
        if (pattern[0] == '%' && pattern[1] != '\0') {
            if (pattern[1] == letter)
                return true;
            pattern++;
        }
    return false;
}

/* Where the name's ending begins: at its last dot, unless that is its first character; else at its end. */
static size_t ending_of(const char *pattern) {
    const char *slash = strrchr(pattern, '/');
    const char *name = slash ? slash + 1 : pattern;
    const char *dot = strrchr(name, '.');
    return dot && dot > name ? (size_t)(dot - pattern) : strlen(pattern);
}

char *bomp_report_path(const char *pattern, bool is_child) {
    long rank = bomp_mpi_rank();
    char own[2 * NUMBER_MAX] = ""; /* before the ending */
    size_t used = 0, ending = ending_of(pattern), written = 0;
    if (rank >= 0 && !has(pattern, 'p') && !has(pattern, 'r'))
        used = (size_t)snprintf(own, sizeof own, ".%ld", rank);
    if (is_child && !has(pattern, 'p'))
        (void)snprintf(own + used, sizeof own - used, ".%u", bz_os_process_id());
    char *path = bz_alloc((strlen(pattern) + 1) * NUMBER_MAX + sizeof own);
    if (!path)
        return NULL;
    for (size_t at = 0;; at++) {
        char number[NUMBER_MAX];
        if (at == ending)
            written += (size_t)sprintf(path + written, "%s", own);
        if (pattern[at] == '\0')
            break;
        if (pattern[at] == '%' && replace(pattern + at, rank, number)) {
            written += (size_t)sprintf(path + written, "%s", number);
            at++;
        } else {
            path[written++] = pattern[at];
        }
    }
    path[written] = '\0';
    return path;
}

char *bomp_report_from_root(const char *asked) {
    char folder[PATH_MAX];
    if (asked[0] == '/')
        return bz_os_format("%s", asked);
    if (!getcwd(folder, sizeof folder))
        return NULL;
    char escaped[2 * PATH_MAX]; /* percent signs of folders are literal */
    size_t length = 0;
    for (const char *at = folder; *at; at++) {
        escaped[length++] = *at;
        if (*at == '%')
            escaped[length++] = '%';
    }
    escaped[length] = '\0';
    errno = ENOMEM;
    return bz_os_format("%s/%s", escaped, asked);
}
