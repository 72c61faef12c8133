! scope, masked and error: reductions of arrays whose sizes only the running program knows, filters, messages with a length.
include '../check.inc'

program f_scope
    use, intrinsic :: iso_c_binding
    use omp_lib
    use check_module
    implicit none
    integer :: threads, round
    interface
        integer(c_int) function dup2(from, to) bind(C)
            import c_int
            integer(c_int), value :: from, to
        end function dup2
    end interface

    call check(dup2(1, 2) == 2, 'what is said on standard error is compared')
    threads = omp_get_max_threads()
    do round = 1, 10
        call reduced(round + 5)
        call filtered()
    end do
    !$omp error at(execution) severity(warning) message('a message' // ' of parts')
    call check_done('f_scope')

contains

    subroutine reduced(length)
        integer, intent(in) :: length
        integer, allocatable :: sums(:), most
        integer :: part(2, length), i

        allocate (sums(length), source=0)
        allocate (most, source=-1)
        part = 0
        !$omp parallel private(i)
        !$omp scope reduction(task, +: part)
        do i = 1, length
            !$omp task in_reduction(+: part)
            part(:, i) = part(:, i) + [1, i]
            !$omp end task
        end do
        !$omp end scope
        call check(all(part(1, :) == threads) .and. all(part(2, :) == [(threads * i, i=1, length)]), 'tasks')
        !$omp scope reduction(+: sums) reduction(max: most)
        sums = sums + [(2 * i, i=1, length)]
        most = omp_get_thread_num()
        !$omp end scope
        call check(all(sums == [(2 * threads * i, i=1, length)]) .and. most == threads - 1, 'allocatables')
        !$omp end parallel
    end subroutine reduced

    subroutine filtered()
        integer :: i, ran, who

        ran = 0
        who = -1
        !$omp parallel
        !$omp masked filter(threads - 1)
        who = omp_get_thread_num()
        !$omp end masked
        !$omp masked filter(threads)
        call check(.false., 'no thread has this number')
        !$omp end masked
        !$omp end parallel
        call check(who == threads - 1, 'the last thread')
        !$omp parallel masked taskloop filter(threads / 2) grainsize(7) reduction(+: ran)
        do i = 1, 100
            ran = ran + i
        end do
        !$omp end parallel masked taskloop
        call check(ran == 5050, 'combined')
    end subroutine filtered
end program f_scope
