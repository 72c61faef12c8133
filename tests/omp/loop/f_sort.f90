! repeat: 1000
! Merge sort by tasks on array sections.
include '../check.inc'

module sort_module
    implicit none

contains

    recursive subroutine merge_sort(v, spare, n)
        integer, intent(in) :: n
        integer, intent(inout) :: v(n), spare(n)
        integer :: half, i, j, k

        if (n <= 16) then
            do i = 2, n
                k = v(i)
                j = i - 1
                do while (j >= 1)
                    if (v(j) <= k) exit
                    v(j + 1) = v(j)
                    j = j - 1
                end do
                v(j + 1) = k
            end do
            return
        end if
        half = n / 2
        !$omp task shared(v, spare) firstprivate(half)
        call merge_sort(v(1:half), spare(1:half), half)
        !$omp end task
        !$omp task shared(v, spare) firstprivate(half, n) mergeable
        call merge_sort(v(half + 1:n), spare(half + 1:n), n - half)
        !$omp end task
        !$omp taskwait
        i = 1
        j = half + 1
        do k = 1, n
            if (j > n) then
                spare(k) = v(i); i = i + 1
            else if (i > half) then
                spare(k) = v(j); j = j + 1
            else if (v(i) <= v(j)) then
                spare(k) = v(i); i = i + 1
            else
                spare(k) = v(j); j = j + 1
            end if
        end do
        v = spare
    end subroutine merge_sort
end module sort_module

program f_sort
    use check_module
    use sort_module
    implicit none
    integer, allocatable :: v(:), spare(:)
    integer :: n, i
    integer(8) :: before

    n = check_arg(1, 30000)
    allocate (v(n), spare(n))
    do i = 1, n
        v(i) = int(mod(int(i, 8) * 48271_8, 65521_8))
    end do
    before = sum(int(v, 8))
    !$omp parallel
    !$omp single
    call merge_sort(v, spare, n)
    !$omp end single
    !$omp end parallel
    call check(all(v(1:n - 1) <= v(2:n)), 'in order')
    call check(sum(int(v, 8)) == before, 'same numbers')
    print '(a, i0, a, i0, a, i0)', 'first ', v(1), ' middle ', v(n / 2), ' last ', v(n)
    deallocate (v, spare)
    call check_done('f_sort')
end program f_sort
