! Loops: every schedule, steps of both signs, integer(8) at its limits, collapse, ordered, lastprivate.
include '../check.inc'

program f_loops
    use omp_lib
    use check_module
    implicit none
    integer, parameter :: n = 300
    integer(8), parameter :: top = huge(0_8)
    integer :: hits(-n:n), i, j, last, order, next, chunk, calls
    integer(8) :: k, sum8

    do chunk = 1, 30, 7
        hits = 0
        !$omp parallel private(i)
        !$omp do schedule(static)
        do i = -n, n
            hits(i) = hits(i) + 1
        end do
        !$omp do schedule(static, chunk)
        do i = n, -n, -1
            hits(i) = hits(i) + 1
        end do
        !$omp do schedule(dynamic, chunk)
        do i = -n, n
            hits(i) = hits(i) + 1
        end do
        !$omp do schedule(guided, chunk)
        do i = n, -n, -1
            hits(i) = hits(i) + 1
        end do
        !$omp do schedule(runtime)
        do i = -n, n
            hits(i) = hits(i) + 1
        end do
        !$omp do schedule(auto)
        do i = -n, n
            hits(i) = hits(i) + 1
        end do
        !$omp end do nowait
        !$omp end parallel
        call check(all(hits == 6), 'every iteration once in every loop')
    end do

    calls = 0
    sum8 = 0
    !$omp parallel do schedule(dynamic, 3) reduction(+: calls, sum8)
    do k = top - 40, top - 3, 3 ! the successor of the last value is also a value of the type
        calls = calls + 1
        sum8 = sum8 + (top - k)
    end do
    !$omp parallel do schedule(guided) reduction(+: calls, sum8)
    do k = -top + 40, -top, -1
        calls = calls + 1
        sum8 = sum8 + (k + top)
    end do
    call check(calls == 13 + 41, 'iterations at the limits')
    call check(sum8 == 286 + 820, 'sum at the limits')

    last = 0
    calls = 0
    !$omp parallel do collapse(2) schedule(dynamic, 5) lastprivate(last) reduction(+: calls)
    do i = 1, 20
        do j = 30, 1, -2
            calls = calls + 1
            last = i * 100 + j
        end do
    end do
    call check(calls == 300 .and. last == 2002, 'collapse and lastprivate')

    next = 1
    order = 0
    !$omp parallel do ordered schedule(dynamic, 2)
    do i = 1, n
        if (mod(i, 3) == 0) then
            !$omp ordered
            call check(i == 3 * next, 'ordered')
            next = next + 1
            order = order + i
            !$omp end ordered
        end if
    end do
    call check(next == n / 3 + 1, 'ordered regions')

    calls = 0
    !$omp parallel do schedule(dynamic) reduction(+: calls)
    do i = calls + 5, 4
        calls = calls + 1
    end do
    call check(calls == 0, 'no iterations')
    print '(a, i0, a, i0)', 'order ', order, ' sum ', sum8
    call check_done('f_loops')
end program f_loops
