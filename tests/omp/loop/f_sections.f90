! sections, single with copyprivate, master, barrier, workshare.
include '../check.inc'

program f_sections
    use omp_lib
    use check_module
    implicit none
    integer, parameter :: n = 500
    integer :: ran(8), round, value, list(3), last, once
    integer :: a(n), b(n), c(n), total, i

    ran = 0
    once = 0
    last = 0
    !$omp parallel private(round, value, list)
    do round = 1, 50
        !$omp sections lastprivate(last)
        !$omp section
        ran(1) = ran(1) + 1
        !$omp section
        ran(2) = ran(2) + 1
        !$omp section
        ran(3) = ran(3) + 1
        !$omp section
        ran(4) = ran(4) + 1
        !$omp section
        ran(5) = ran(5) + 1
        last = round
        !$omp end sections
        call check(last == round .and. all(ran(1:5) == round), 'sections')
        !$omp barrier

        !$omp single
        value = round * 3
        list = [round, round + 1, round + 2]
        once = once + 1
        !$omp end single copyprivate(value, list)
        call check(value == round * 3 .and. sum(list) == 3 * round + 3, 'copyprivate')

        !$omp master
        ran(6) = ran(6) + 1
        !$omp end master
        !$omp single
        ran(7) = ran(7) + 1
        !$omp end single nowait
        !$omp barrier
        call check(ran(6) == round .and. ran(7) == round, 'master and single')
        !$omp barrier
    end do
    !$omp end parallel
    call check(once == 50, 'single')

    a = [(i, i=1, n)]
    total = 0
    !$omp parallel workshare shared(total)
    b = a * 2
    c = a + b
    where (mod(c, 2) == 0) c = -c
    total = sum(c)
    !$omp end parallel workshare
    call check(all(abs(c) == 3 * a), 'workshare')

    !$omp parallel sections num_threads(2)
    !$omp section
    ran(8) = ran(8) + 1
    !$omp end parallel sections
    print '(a, i0, a, i0)', 'total ', total, ' ran ', sum(ran)
    call check_done('f_sections')
end program f_sections
