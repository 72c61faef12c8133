! beyond libomp: it aborts by an assertion
! threads: 2
! env: OMP_PROC_BIND=close
! env: OMP_PLACES='{0},{0,1}' OMP_AFFINITY_FORMAT='at  '
! env: OMP_DYNAMIC=false OMP_AFFINITY_FORMAT=
! Places and affinity formats in Fortran: strings come with a length and are filled up with blanks.
include '../check.inc'

program f_affinity
    use omp_lib
    use check_module
    implicit none
    character(len=12) :: short
    character(len=40) :: long
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

    n = omp_get_affinity_format(short)
    print '(i0,3a)', n, '[', short, ']'
    call omp_set_affinity_format('F %n   ')
    short = 'zzzzzzzzzzzz'
    n = omp_get_affinity_format(short)
    print '(i0,3a)', n, '[', short, ']'
    short = 'zzzzzzzzzzzz'
    n = omp_get_affinity_format(short(1:2))
    print '(i0,3a)', n, '[', short, ']'
    n = omp_capture_affinity(long, 'x%n%Nyyyy %A')
    print '(i0,3a)', n, '[', long, ']'
    short = 'zzzzzzzzzzzz'
    n = omp_capture_affinity(short(1:4), 'x%n%Nyyyy')
    print '(i0,3a)', n, '[', short, ']'
    n = omp_capture_affinity(long, '')
    print '(i0,3a)', n, '[', long, ']'
    n = omp_capture_affinity(long, '  ')
    print '(i0,3a)', n, '[', long, ']'
    call omp_set_affinity_format('')
    n = omp_get_affinity_format(short)
    print '(i0,3a)', n, '[', short, ']'
    call omp_display_affinity('not compared: %n')
    call check_done('f_affinity')
end program
