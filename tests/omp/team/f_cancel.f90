! env: OMP_CANCELLATION=true
! env: OMP_CANCELLATION=false
! threads: 1 2 8
! repeat: 20
! Cancellation in Fortran: regions, loops, sections, taskgroups.
include '../check.inc'

module cancel_module
    use omp_lib
    use check_module
    implicit none
    logical :: on

contains

    subroutine regions(who)
        integer, intent(in) :: who
        integer :: before, after

        before = 0
        after = 0
        !$omp parallel shared(before, after)
        !$omp atomic
        before = before + 1
        if (omp_get_thread_num() == mod(who, omp_get_num_threads())) then
            !$omp cancel parallel
        end if
        !$omp barrier
        !$omp atomic
        after = after + 1
        !$omp end parallel
        call check(before >= 1, 'before')
        call check(merge(after == 0, after == before, on), 'after')
    end subroutine regions

    subroutine loops(at)
        integer, intent(in) :: at
        integer :: i, n, m

        n = 0
        m = 0
        !$omp parallel shared(n, m)
        !$omp do schedule(dynamic)
        do i = 1, 500
            if (i == at) then
                !$omp cancel do
            end if
            !$omp atomic
            n = n + 1
            !$omp cancellation point do
        end do
        !$omp end do
        !$omp do schedule(guided)
        do i = 1, 500
            !$omp atomic
            m = m + 1
        end do
        !$omp end do
        !$omp end parallel
        call check(merge(n < 500, n == 500, on .and. at <= 500), 'cancelled loop')
        call check(m == 500, 'loop after it')
    end subroutine loops

    subroutine pieces()
        integer :: n

        n = 0
        !$omp parallel shared(n)
        !$omp sections
        !$omp section
        !$omp cancel sections
        !$omp atomic
        n = n + 1
        !$omp section
        !$omp atomic
        n = n + 1
        !$omp end sections
        !$omp end parallel
        call check(merge(n <= 1, n == 2, on), 'sections')
    end subroutine pieces

    recursive subroutine visit(depth, visited)
        integer, intent(in) :: depth
        integer, intent(inout) :: visited
        integer :: i

        !$omp task firstprivate(depth) shared(visited) private(i)
        !$omp atomic
        visited = visited + 1
        if (depth == 0) then
            !$omp cancel taskgroup
        end if
        do i = 1, merge(3, 0, depth > 0)
            !$omp cancellation point taskgroup
            call visit(depth - 1, visited)
        end do
        !$omp end task
    end subroutine visit

    subroutine groups()
        integer :: visited

        visited = 0
        !$omp parallel shared(visited)
        !$omp single
        !$omp taskgroup
        call visit(5, visited)
        !$omp end taskgroup
        !$omp end single
        !$omp end parallel
        call check(merge(visited >= 6 .and. visited <= 364, visited == 364, on), 'tree')
    end subroutine groups
end module cancel_module

program f_cancel
    use cancel_module
    implicit none
    integer :: i, rounds

    rounds = check_arg(1, 100)
    on = omp_get_cancellation()
    do i = 1, rounds
        call regions(i)
        call loops(i * 7)
        call pieces()
        call groups()
    end do
    print '(a, l1)', 'cancellation ', on
    call check_done('f_cancel')
end program f_cancel
