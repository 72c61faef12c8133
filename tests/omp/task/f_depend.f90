! repeat: 4
! Dependences and detached tasks in Fortran: chains, a wavefront, sets, depend objects, iterators, events by value.
include '../check.inc'

program f_depend
    use check_module
    use omp_lib
    implicit none
    integer :: rounds, r, last

    rounds = check_arg(1, 20)
    do r = 1, rounds
        call chain()
        call wavefront()
        call sets()
        call events()
    end do
    print '(a,i0)', 'chain ', last
    call check_done('f_depend')

contains

    subroutine chain()
        integer :: i, x
        x = 0
        !$omp parallel private(i)
        !$omp single
        do i = 1, 100
            !$omp task depend(inout: x) shared(x) firstprivate(i)
            x = mod(x * 3 + i, 1009)
            !$omp end task
        end do
        !$omp taskwait depend(in: x)
        last = x
        !$omp end single
        !$omp end parallel
    end subroutine

    subroutine wavefront()
        integer, parameter :: n = 16
        integer :: cell(0:n, 0:n), i, j
        cell = 1
        !$omp parallel private(i, j)
        !$omp single
        do j = 1, n
            do i = 1, n
                !$omp task depend(in: cell(i - 1, j), cell(i, j - 1)) depend(out: cell(i, j)) firstprivate(i, j) shared(cell)
                cell(i, j) = mod(cell(i - 1, j) + cell(i, j - 1), 10007)
                !$omp end task
            end do
        end do
        !$omp end single
        !$omp end parallel
        call check(cell(2, 2) == 6, 'cell(2, 2)')
        call check(cell(4, 4) == 70, 'cell(4, 4)')
    end subroutine

    subroutine sets()
        integer :: x, i
        x = 0
        !$omp parallel private(i)
        !$omp single
        do i = 1, 50
            !$omp task depend(mutexinoutset: x) shared(x)
            x = x + 1
            !$omp end task
        end do
        !$omp task depend(inout: x) shared(x) if(.false.)
        x = 2 * x
        !$omp end task
        !$omp end single
        !$omp end parallel
        call check(x == 100, 'x')
    end subroutine

    subroutine events()
        integer(omp_event_handle_kind) :: event
        integer :: x, seen
        x = 0
        seen = 0
        !$omp parallel
        !$omp single
        !$omp task detach(event) depend(out: x) shared(x)
        x = 7
        !$omp end task
        !$omp task depend(in: x) shared(x, seen)
        seen = x
        !$omp end task
        call omp_fulfill_event(event)
        !$omp end single
        !$omp end parallel
        call check(seen == 7, 'seen')
    end subroutine

end program
