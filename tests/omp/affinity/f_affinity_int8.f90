! flags: -fdefault-integer-8
! threads: 2
! env: OMP_PROC_BIND=close
! env: OMP_PLACES='{0},{0,1}' OMP_AFFINITY_FORMAT='at  '
! The same with default integers of eight bytes: the omp_* calls then take their _8_ forms.
include 'f_affinity.f90'
