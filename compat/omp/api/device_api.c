/* The omp_* functions about devices: names, distances, teams, threads, dimensions. The host is the only device, and all of
 * its teams and threads are in dimension 0. */
#include <limits.h>
#include <string.h>

#include "omp/api/omp_decl.h"
#include "omp/bomp.h"
#include "omp/team/target.h"

#define HOST_UID "OMP_INITIAL_DEVICE" /* as GCC names it */

/* Names. */

BOMP_EXPORT const char *omp_get_uid_from_device(int device) {
    BOMP_OFFLOAD(omp_get_uid_from_device, (device));
    return bomp_device_names_host(device) ? HOST_UID : NULL;
}

BOMP_EXPORT int omp_get_device_from_uid(const char *uid) {
    BOMP_OFFLOAD(omp_get_device_from_uid, (uid));
    return uid && strcmp(uid, HOST_UID) == 0 ? BOMP_DEVICE_INITIAL : BOMP_DEVICE_INVALID;
}

/* Distances from the calling thread. */

BOMP_EXPORT void omp_get_device_distances(int count, const int *devices, int *distances) {
    for (int i = 0; i < count; i++)
        distances[i] = bomp_device_names_host(devices[i]) ? 0 : -1;
}

/* Teams: the host's numbers are those of omp_set_num_teams and its like. */

int omp_get_device_num_teams(int device) {
    return bomp_device_names_host(device) ? omp_get_max_teams() : 0;
}

void omp_set_device_num_teams(int device, int n) {
    if (bomp_device_names_host(device))
        omp_set_num_teams(n);
}

int omp_get_device_teams_thread_limit(int device) {
    return bomp_device_names_host(device) ? omp_get_teams_thread_limit() : 0;
}

void omp_set_device_teams_thread_limit(int device, int n) {
    if (bomp_device_names_host(device))
        omp_set_teams_thread_limit(n);
}

/* Dimensions: each other than 0 has one thread, numbered 0. */

#define IN_DIMENSION(name, first, others)                                                                    \
    BOMP_EXPORT int name(int dim) {                                                                          \
        return dim == 0 ? first : others;                                                                    \
    }

IN_DIMENSION(omp_get_num_threads_dim, bomp_num_threads(), 1)
IN_DIMENSION(omp_get_thread_num_dim, bomp_thread_num(), 0)
IN_DIMENSION(omp_get_num_teams_dim, bomp_num_teams(), 1)
IN_DIMENSION(omp_get_team_num_dim, bomp_team_num(), 0)
IN_DIMENSION(omp_get_thread_limit_dim, omp_get_thread_limit(), 1)

/* The most that a device may have. */
BOMP_EXPORT int omp_get_supported_teams_dim(int device, int dim) {
    return !bomp_device_names_host(device) ? 0 : dim == 0 ? INT_MAX : 1;
}

BOMP_EXPORT int omp_get_supported_active_league_dims(int device, int strict) {
    (void)strict;
    return bomp_device_names_host(device) ? 1 : 0;
}

/* Fortran. */

void bomp_give_text(const char *from, const char **text, size_t *length) {
    *text = from;
    *length = from ? strlen(from) : 0;
}

/* gfortran passes the numbers by value. */

BOMP_EXPORT void omp_get_uid_from_device_(const char **text, size_t *length, int32_t device) {
    bomp_give_text(omp_get_uid_from_device(device), text, length);
}

BOMP_EXPORT void omp_get_uid_from_device_8_(const char **text, size_t *length, int64_t device) {
    bool is_int = device >= INT_MIN && device <= INT_MAX;
    bomp_give_text(is_int ? omp_get_uid_from_device((int)device) : NULL, text, length);
}

BOMP_EXPORT int32_t omp_get_device_from_uid_(const char *uid, size_t length) {
    bool same = strnlen(uid, length) == strlen(HOST_UID) && memcmp(uid, HOST_UID, strlen(HOST_UID)) == 0;
    return same ? BOMP_DEVICE_INITIAL : BOMP_DEVICE_INVALID;
}

BOMP_EXPORT int32_t omp_get_supported_active_league_dims_(const int32_t *device, const int32_t *strict) {
    return omp_get_supported_active_league_dims(*device, *strict);
}
