/* procs.c: see procs.h. */
#include "omp/icv/procs.h"

_Thread_local uint32_t bomp_procs_own_answer;
struct bz_a32 bomp_procs_answer;
