! beyond libomp: it hangs
! Plain and nestable locks through the Fortran interface.
include '../check.inc'

program f_locks
    use omp_lib
    use check_module
    implicit none
    integer, parameter :: rounds = 1000
    integer(omp_lock_kind) :: lock, many(20)
    integer(omp_nest_lock_kind) :: nest
    integer :: count, i, r, refused, threads, eaten(20)

    threads = omp_get_max_threads()
    count = 0
    call omp_init_lock(lock)
    !$omp parallel private(r)
    do r = 1, rounds
        if (mod(r, 2) == 0) then
            call omp_set_lock(lock)
        else
            do while (.not. omp_test_lock(lock))
            end do
        end if
        count = count + 1
        call omp_unset_lock(lock)
    end do
    !$omp end parallel
    call check(count == rounds * threads, 'plain lock')
    call check(omp_test_lock(lock), 'a free lock')
    call check(.not. omp_test_lock(lock), 'a taken lock')
    call omp_unset_lock(lock)
    call omp_destroy_lock(lock)

    call omp_init_nest_lock(nest)
    do i = 1, 4
        call check(omp_test_nest_lock(nest) == i, 'depth')
    end do
    refused = 0
    !$omp parallel num_threads(4) reduction(+: refused)
    if (omp_test_nest_lock(nest) == 0) refused = refused + 1
    !$omp end parallel
    call check(refused == 4, 'tasks of the region are not the owner')
    do i = 1, 4
        call omp_unset_nest_lock(nest)
    end do
    !$omp parallel private(r)
    do r = 1, rounds
        call omp_set_nest_lock(nest)
        call omp_set_nest_lock(nest)
        count = count + 1
        call omp_unset_nest_lock(nest)
        call omp_unset_nest_lock(nest)
    end do
    !$omp end parallel
    call omp_destroy_nest_lock(nest)
    call check(count == 2 * rounds * threads, 'nestable lock')

    eaten = 0
    do i = 1, 20
        call omp_init_lock(many(i))
    end do
    !$omp parallel do private(i) schedule(dynamic)
    do r = 1, rounds
        i = mod(r, 19) + 1
        call omp_set_lock(many(i))
        call omp_set_lock(many(i + 1))
        eaten(i:i + 1) = eaten(i:i + 1) + 1
        call omp_unset_lock(many(i))
        call omp_unset_lock(many(i + 1))
    end do
    do i = 1, 20
        call omp_destroy_lock(many(i))
    end do
    call check(sum(eaten) == 2 * rounds, 'many locks')
    print '(a, i0, a, i0, a, i0)', 'count ', count, ' kinds ', omp_lock_kind, ' ', omp_nest_lock_kind
    call check_done('f_locks')
end program f_locks
