! repeat: 5
! Task reductions of Fortran: scalars, arrays, min and max.
include '../check.inc'

program f_task_reduction
    use check_module
    implicit none
    integer, parameter :: n = 60
    integer :: i, r, rounds, total, smallest, columns(4)
    real(8) :: product

    rounds = check_arg(1, 20)
    do r = 1, rounds
        total = 1
        columns = 0
        smallest = 1000
        product = 1
        !$omp parallel
        !$omp single
        !$omp taskgroup task_reduction(+: total, columns) task_reduction(min: smallest) task_reduction(*: product)
        do i = 1, n
            !$omp task in_reduction(+: total, columns) in_reduction(min: smallest) firstprivate(i)
            total = total + i
            columns(1 + mod(i, 4)) = columns(1 + mod(i, 4)) + 1
            smallest = min(smallest, n - i)
            !$omp end task
            !$omp task in_reduction(*: product) firstprivate(i)
            if (mod(i, 10) == 0) product = product * 2
            !$omp end task
        end do
        !$omp end taskgroup
        !$omp end single
        !$omp end parallel
        call check(total == 1 + n * (n + 1) / 2, 'total')
        call check(all(columns == n / 4), 'columns')
        call check(smallest == 0, 'smallest')
        call check(product == 2d0**(n / 10), 'product')
        total = 0
        !$omp parallel do reduction(task, +: total) schedule(dynamic)
        do i = 1, n
            !$omp task in_reduction(+: total) firstprivate(i)
            total = total + i
            !$omp end task
        end do
        call check(total == n * (n + 1) / 2, 'a loop')
    end do
    print '(a, i0)', 'rounds ', rounds
    call check_done('f_task_reduction')
end program f_task_reduction
