! threads: 1 2 8
! repeat: 10
! Taskloops in Fortran: grainsize, num_tasks, nogroup, collapse, lastprivate, int kinds, both directions.
include '../check.inc'

module taskloop_module
    use omp_lib
    use check_module
    implicit none

contains

    subroutine plain(n)
        integer, intent(in) :: n
        integer :: hits(0:n), i, last
        integer(8) :: j

        hits = 0
        last = -1
        !$omp taskloop shared(hits) lastprivate(last) grainsize(5)
        do i = 0, n
            !$omp atomic
            hits(i) = hits(i) + 1
            last = i
        end do
        !$omp end taskloop
        call check(all(hits == 1), 'each once')
        call check(last == n, 'last')
        !$omp taskloop shared(hits) num_tasks(7)
        do j = n, 0, -2
            !$omp atomic
            hits(j) = hits(j) + 1
        end do
        !$omp end taskloop
        call check(sum(hits) == n + 1 + n / 2 + 1, 'downwards')
    end subroutine plain

    subroutine in_group(n)
        integer, intent(in) :: n
        integer :: i, j, total

        total = 0
        !$omp taskgroup
        !$omp taskloop shared(total) nogroup collapse(2) num_tasks(9)
        do i = 1, n
            do j = 1, 4
                !$omp atomic
                total = total + i
            end do
        end do
        !$omp end taskloop
        !$omp end taskgroup
        call check(total == 4 * n * (n + 1) / 2, 'collapse')
        total = 0
        !$omp taskloop shared(total) if(.false.)
        do i = 1, n
            total = total + 1
        end do
        !$omp end taskloop
        call check(total == n, 'undeferred')
    end subroutine in_group
end module taskloop_module

program f_taskloop
    use taskloop_module
    implicit none
    integer :: i, rounds

    rounds = check_arg(1, 100)
    do i = 1, rounds
        !$omp parallel
        !$omp single
        call plain(i)
        call in_group(i)
        !$omp end single
        !$omp end parallel
    end do
    print '(a, i0)', 'rounds ', merge(rounds, -1, rounds > 0)
    call check_done('f_taskloop')
end program f_taskloop
