! flags: -fdefault-integer-8
! Default integers and logicals of eight bytes: the omp_* calls then take their _8_ forms.
include '../check.inc'

program f_api_int8
    use omp_lib
    use check_module
    implicit none
    integer(omp_sched_kind) :: kind
    integer(8) :: chunk, i, total
    integer(omp_lock_kind) :: lock

    call omp_set_num_threads(4_8)
    call check(omp_get_max_threads() == 4, 'set_num_threads')
    call omp_set_dynamic(.true._8)
    call check(logical(omp_get_dynamic()), 'set_dynamic')
    call omp_set_dynamic(.false._8)
    call check(.not. logical(omp_get_dynamic()), 'set_dynamic back')
    call omp_set_nested(.true._8)
    call check(logical(omp_get_nested()), 'set_nested')
    call omp_set_max_active_levels(2_8)
    call check(omp_get_max_active_levels() == 2, 'set_max_active_levels')
    call omp_set_schedule(omp_sched_static, 5_8)
    call omp_get_schedule(kind, chunk)
    call check(kind == omp_sched_static .and. chunk == 5, 'schedule')

    total = 0
    call omp_init_lock(lock)
    !$omp parallel
    !$omp parallel num_threads(2_8)
    call check(omp_get_ancestor_thread_num(1_8) < 4, 'ancestor')
    call check(omp_get_team_size(1_8) == 4 .and. omp_get_team_size(2_8) == 2, 'team size')
    call omp_set_lock(lock)
    total = total + 1
    call omp_unset_lock(lock)
    !$omp end parallel
    !$omp end parallel
    call omp_destroy_lock(lock)
    call check(total == 8, 'threads')

    !$omp parallel do schedule(runtime) reduction(+: total)
    do i = 1_8, 1000_8
        total = total + i
    end do
    call check(total == 8 + 500500, 'loop')
    print '(a, i0)', 'total ', total
    call check_done('f_api_int8')
end program f_api_int8
