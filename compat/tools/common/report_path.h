/* report_path.h: names of reports, a different one for each process. */
#ifndef BOMP_REPORT_PATH_H
#define BOMP_REPORT_PATH_H

#include <stdbool.h>

/* Replaces %p by the number of the process, %r by its MPI rank (0 without one), and %% by %. Without %p, the child of a fork
 * puts its number before the ending of the name; without %p and %r, a rank puts its rank there: x.json becomes x.3.json,
 * x.3.4711.json. The caller frees it by bz_free; NULL: no memory. */
char *bomp_report_path(const char *pattern, bool is_child);

/* The pattern as an absolute path, since the program may change its folder. The caller frees it by bz_free; NULL: see
 * errno. */
char *bomp_report_from_root(const char *pattern);

/* The rank of the process from the environment of Open MPI, MPICH, PMIx or Slurm. -1: none. */
long bomp_mpi_rank(void);

#endif
