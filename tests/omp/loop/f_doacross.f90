! repeat: 2
! Doacross loops of Fortran: sinks by name, steps, both directions, 64-bit variables.
include '../check.inc'

program f_doacross
    use check_module
    implicit none
    integer, parameter :: n = 40, m = 25
    integer :: table(0:n, 0:m), expected(0:n, 0:m), i, j, rounds, r
    integer(8) :: k, chain(0:300)

    rounds = check_arg(1, 4)
    expected = 1
    do i = 1, n
        do j = 1, m
            expected(i, j) = mod(expected(i - 1, j) + 2 * expected(i, j - 1), 10007)
        end do
    end do
    do r = 1, rounds
        table = 1
        !$omp parallel do ordered(2) schedule(dynamic) private(j)
        do i = 1, n
            do j = 1, m
                !$omp ordered depend(sink: i - 1, j) depend(sink: i, j - 1)
                table(i, j) = mod(table(i - 1, j) + 2 * table(i, j - 1), 10007)
                !$omp ordered depend(source)
            end do
        end do
        call check(all(table == expected), 'dynamic table')
        table = 1
        !$omp parallel private(i, j)
        !$omp do ordered(2) schedule(static, 3)
        do i = 1, n
            do j = 1, m
                !$omp ordered depend(sink: i - 1, j) depend(sink: i, j - 1)
                table(i, j) = mod(table(i - 1, j) + 2 * table(i, j - 1), 10007)
                !$omp ordered depend(source)
            end do
        end do
        !$omp end do
        !$omp end parallel
        call check(all(table == expected), 'static table')
        chain = 0
        !$omp parallel do ordered(1) schedule(runtime)
        do k = 296, 0, -4
            !$omp ordered depend(sink: k + 4)
            chain(k) = chain(k + 4) + 1
            !$omp ordered depend(source)
        end do
        call check(chain(0) == 75, 'a chain downwards')
    end do
    print '(a, i0)', 'corner ', table(n, m)
    call check_done('f_doacross')
end program f_doacross
