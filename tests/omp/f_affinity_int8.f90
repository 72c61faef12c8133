! flags: -fdefault-integer-8
! env: OMP_PROC_BIND=close
! env: OMP_PLACES='{0},{0,1}' OMP_AFFINITY_FORMAT='at  '
! Places with default integers of eight bytes: the omp_* calls then take their _8_ forms.
include 'check.inc'

program f_affinity_int8
    use omp_lib
    use check_module
    implicit none
    integer :: i, n
    integer, allocatable :: list(:)

    print '(a,i0,a,i0,a,i0)', 'places ', omp_get_num_places(), ' place ', omp_get_place_num(), ' bind ', &
        omp_get_proc_bind()
    do i = -1, omp_get_num_places()
        n = omp_get_place_num_procs(i)
        allocate (list(n + 1))
        list = -1
        call omp_get_place_proc_ids(i, list)
        print '(a,i0,a,*(1x,i0))', 'place ', i, ' has', list
        deallocate (list)
    end do
    n = omp_get_partition_num_places()
    allocate (list(n + 1))
    list = -1
    call omp_get_partition_place_nums(list)
    print '(a,*(1x,i0))', 'partition', list
    deallocate (list)

    call check_done('f_affinity_int8')
end program
