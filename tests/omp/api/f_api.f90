! env: OMP_SCHEDULE=static,3
! env: OMP_SCHEDULE=guided
! The omp_* functions of Fortran: queries, settings, schedule, levels, time.
include '../check.inc'

program f_api
    use omp_lib
    use check_module
    implicit none
    integer(omp_sched_kind) :: kind
    integer :: chunk, threads, size
    double precision :: before
    logical :: was_nested

    threads = omp_get_max_threads()
    call omp_get_schedule(kind, chunk)
    print '(a, i0, a, i0)', 'schedule ', kind, ',', chunk
    call check(omp_get_thread_num() == 0 .and. omp_get_num_threads() == 1, 'serial part')
    call check(.not. omp_in_parallel() .and. .not. omp_in_final(), 'not in parallel')
    call check(omp_get_num_procs() >= 1, 'processors')
    call check(omp_get_thread_limit() == huge(0), 'thread limit')
    call check(omp_get_level() == 0 .and. omp_get_active_level() == 0, 'level')
    call check(omp_get_ancestor_thread_num(0) == 0 .and. omp_get_ancestor_thread_num(1) == -1, 'ancestors')
    call check(omp_get_team_size(0) == 1 .and. omp_get_team_size(3) == -1, 'team sizes')

    call omp_set_schedule(omp_sched_dynamic, 6)
    call omp_set_dynamic(.true.)
    call check(omp_get_dynamic(), 'dynamic on')
    call omp_set_dynamic(.false.)
    call check(.not. omp_get_dynamic(), 'dynamic off')
    was_nested = omp_get_nested()
    call omp_set_nested(.true.)
    call check(omp_get_nested() .and. .not. was_nested, 'nested')
    call omp_set_max_active_levels(2)
    call check(omp_get_max_active_levels() == 2, 'levels')
    call omp_set_num_threads(3)
    size = 0

    !$omp parallel private(kind, chunk) reduction(+: size)
    call omp_get_schedule(kind, chunk)
    call check(kind == omp_sched_dynamic .and. chunk == 6, 'schedule inherited')
    call omp_set_schedule(omp_sched_guided, omp_get_thread_num() + 1)
    call omp_set_num_threads(2)
    !$omp parallel private(kind, chunk) reduction(+: size)
    call check(omp_get_level() == 2 .and. omp_get_active_level() == 2, 'inner level')
    call check(omp_in_parallel() .and. omp_get_team_size(1) == 3 .and. omp_get_team_size(2) == 2, 'inner sizes')
    call check(omp_get_ancestor_thread_num(2) == omp_get_thread_num(), 'own number')
    call omp_get_schedule(kind, chunk)
    call check(kind == omp_sched_guided .and. chunk == omp_get_ancestor_thread_num(1) + 1, 'inner schedule')
    size = size + 1
    !$omp end parallel
    !$omp end parallel
    call check(size == 6, 'inner threads')
    call check(omp_get_max_threads() == 3, 'asked for')

    before = omp_get_wtime()
    call check(omp_get_wtick() > 0d0, 'tick')
    do while (omp_get_wtime() <= before)
    end do
    print '(a, i0, a, i0)', 'threads ', threads, ' size ', size
    call check_done('f_api')
end program f_api
