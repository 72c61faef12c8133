/* report_path.h: the names of the files that processes write reports to, so that each has one of its own. */
#ifndef BOMP_REPORT_PATH_H
#define BOMP_REPORT_PATH_H

#include <stdbool.h>

/* The pattern with %p replaced by the number of the process, %r by the rank that an MPI launcher has given it (0 without
 * one), and %% by %. Where the pattern has no %p, the child of a fork puts its number before the ending of the name, and
 * where it has neither %p nor %r, a rank puts its rank there: x.json becomes x.3.json, x.3.4711.json. To be freed by
 * bz_free; NULL: no memory. */
char *bomp_report_path(const char *pattern, bool is_child);

/* The pattern as an absolute path, since the program may change its folder or its environment before the report. Freed by
 * bz_free; NULL: errno says why. */
char *bomp_report_from_root(const char *pattern);

/* The rank of the process, as its launcher says: Open MPI, MPICH and those like it, PMIx, Slurm. -1: none says so. */
long bomp_mpi_rank(void);

#endif
