! threads: 1 4
! Teams, target regions and their functions from Fortran.
include '../check.inc'

program f_target
    use omp_lib
    use check_module
    implicit none
    integer :: teams, i, total, scale
    integer :: row(100)
    integer, allocatable :: list(:)

    call check(omp_get_num_teams() == 1 .and. omp_get_team_num() == 0, 'no teams')
    call omp_set_num_teams(4)
    call omp_set_teams_thread_limit(3)
    call check(omp_get_max_teams() == 4 .and. omp_get_teams_thread_limit() == 3, 'settings')
    teams = 0
    !$omp teams reduction(+: teams)
    teams = teams + omp_get_num_teams() * 10 + omp_get_team_num()
    !$omp end teams
    call check(teams == 166, 'four teams')

    allocate (list(50))
    list = 2
    scale = 3
    total = 0
    !$omp target map(tofrom: row, list, total) firstprivate(scale)
    do i = 1, 100
        row(i) = i * scale
    end do
    list = list + scale
    scale = 0
    if (omp_is_initial_device()) total = sum(row) + sum(list)
    !$omp end target
    call check(total == 15150 + 250 .and. scale == 3, 'target')

    total = 0
    !$omp target teams distribute parallel do num_teams(2) map(to: row) reduction(+: total)
    do i = 1, 100
        total = total + row(i)
    end do
    call check(total == 15150, 'target teams')

    !$omp parallel
    !$omp single
    !$omp target nowait map(tofrom: list) depend(inout: list)
    list = list * 2
    !$omp end target
    !$omp target map(tofrom: list) depend(inout: list)
    list = list + 1
    !$omp end target
    !$omp end single
    !$omp end parallel
    call check(all(list == 11), 'nowait')
    deallocate (list)

    call omp_set_default_device(2)
    call check(omp_get_default_device() == 2, 'default device')
    call omp_set_default_device(0)
    print '(a, 3(i0, x))', 'devices ', omp_get_num_devices(), omp_get_initial_device(), omp_get_device_num()
    call check(omp_pause_resource(omp_pause_soft, omp_get_initial_device()) == 0, 'pause')
    call check(omp_pause_resource_all(omp_pause_hard) == 0, 'pause all')
    call check(omp_pause_resource(omp_pause_soft, 3) /= 0, 'pause another')
    call check_done('f_target')
end program f_target
