! repeat: 10
! Tasks: recursion, if, final, untied, firstprivate arrays and allocatables, taskwait, taskgroup, taskyield.
include '../check.inc'

module task_module
    use omp_lib
    use check_module
    implicit none
    integer :: total = 0

contains

    recursive function fib(n) result(r)
        integer, intent(in) :: n
        integer :: r, a, b

        if (n < 2) then
            r = n
            return
        end if
        !$omp task shared(a) final(n < 5)
        a = fib(n - 1)
        !$omp end task
        !$omp task shared(b) untied
        b = fib(n - 2)
        !$omp end task
        !$omp taskwait
        r = a + b
    end function fib

    recursive subroutine grow(depth)
        integer, intent(in) :: depth
        integer :: i

        !$omp atomic
        total = total + 1
        if (depth == 0) return
        do i = 1, 3
            !$omp task firstprivate(depth)
            call grow(depth - 1)
            !$omp end task
        end do
    end subroutine grow

    subroutine arrays(count)
        integer, intent(in) :: count
        integer, allocatable :: row(:)
        integer :: block(100), i

        allocate (row(50))
        do i = 1, count
            row = i
            block = -i
            !$omp task firstprivate(row, block, i) if(mod(i, 4) /= 0)
            call check(all(row == i) .and. all(block == -i), 'arrays of a task')
            !$omp taskyield
            !$omp atomic
            total = total + sum(row) + sum(block(1:50))
            !$omp end task
            row = 0
            block = 0
        end do
        !$omp taskwait
        deallocate (row)
    end subroutine arrays
end module task_module

program f_tasks
    use task_module
    implicit none
    integer :: n, result

    n = check_arg(1, 18)

    result = 0
    !$omp parallel
    !$omp single
    result = fib(n)
    !$omp taskgroup
    call grow(5)
    !$omp end taskgroup
    call check(total == 364, 'taskgroup waits for all')
    call arrays(60)
    !$omp end single
    !$omp end parallel
    call check(total == 364, 'arrays add up to nothing')

    !$omp parallel
    call grow(2)
    !$omp end parallel
    call check(total == 364 + 13 * omp_get_max_threads(), 'tasks of all threads')
    print '(a, i0, a, i0)', 'fib ', result, ' total ', total
    call check_done('f_tasks')
end program f_tasks
