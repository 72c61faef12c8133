! The same as hints.c, for the Fortran entry points: locks made with a hint lock, and nestable ones count.
program hints
  use omp_lib
  implicit none
  integer(omp_sync_hint_kind), parameter :: all(6) = [omp_sync_hint_none, omp_sync_hint_uncontended, &
    omp_sync_hint_contended, omp_sync_hint_nonspeculative, omp_sync_hint_speculative, &
    ior(omp_sync_hint_contended, omp_sync_hint_speculative)]
  integer :: i

  do i = 1, size(all)
    print '(a, i0, a, l1, 1x, l1)', 'hint ', all(i), ': ', plain(all(i)), nestable(all(i))
  end do

contains

  logical function plain(hint)
    integer(omp_sync_hint_kind), intent(in) :: hint
    integer(omp_lock_kind) :: lock
    integer :: count, r

    count = 0
    call omp_init_lock_with_hint(lock, hint)
    !$omp parallel do num_threads(4)
    do r = 1, 2000
      call omp_set_lock(lock)
      count = count + 1
      call omp_unset_lock(lock)
    end do
    plain = omp_test_lock(lock) .and. count == 2000
    plain = plain .and. .not. omp_test_lock(lock)
    call omp_unset_lock(lock)
    call omp_destroy_lock(lock)
  end function plain

  logical function nestable(hint)
    integer(omp_sync_hint_kind), intent(in) :: hint
    integer(omp_nest_lock_kind) :: lock
    integer :: count, r

    count = 0
    call omp_init_nest_lock_with_hint(lock, hint)
    !$omp parallel do num_threads(4)
    do r = 1, 2000
      call omp_set_nest_lock(lock)
      call omp_set_nest_lock(lock)
      count = count + 1
      call omp_unset_nest_lock(lock)
      call omp_unset_nest_lock(lock)
    end do
    nestable = count == 2000
    nestable = nestable .and. omp_test_nest_lock(lock) == 1
    nestable = nestable .and. omp_test_nest_lock(lock) == 2
    call omp_unset_nest_lock(lock)
    call omp_unset_nest_lock(lock)
    call omp_destroy_nest_lock(lock)
  end function nestable
end program hints
