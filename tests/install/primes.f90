! gfortran -fopenmp primes.f90 -Wl,-rpath,PREFIX/lib/blitz: nothing but the flag, and the folder for the loader.
program primes
  use omp_lib
  implicit none
  integer :: n, d, found, team
  logical :: is_prime
  found = 0
  team = 0
  !$omp parallel num_threads(3)
  !$omp atomic
  team = team + 1
  !$omp do schedule(dynamic, 16) reduction(+: found) private(d, is_prime)
  do n = 2, 10000
    is_prime = .true.
    do d = 2, int(sqrt(real(n)))
      if (mod(n, d) == 0) then
        is_prime = .false.
        exit
      end if
    end do
    if (is_prime) found = found + 1
  end do
  !$omp end do
  !$omp end parallel
  print '(i0, 1x, i0, 1x, i0)', team, found, omp_get_num_threads()
  if (team /= 3 .or. found /= 1229) stop 1
end program primes
