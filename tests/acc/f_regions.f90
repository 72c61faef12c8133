! threads: 2
! Constructs and directives in Fortran: arrays of all kinds, derived types, module variables, functions.
include '../omp/check.inc'

module globals
    implicit none
    integer :: table(100)
    !$acc declare create(table)
    type pair
        integer :: count
        real, allocatable :: values(:)
    end type pair
end module globals

program f_regions
    use check_module
    use globals
    use openacc
    implicit none

    call arrays(50)
    call scalars
    call derived
    call declared
    call check_done('f_regions')

contains

    subroutine arrays(n)
        integer, intent(in) :: n
        real, allocatable :: a(:, :)
        real :: automatic(n)
        real, pointer :: p(:)
        integer :: i, j

        allocate (a(n, n), p(n))
        !$acc data create(a) copyout(automatic) copy(p)
        !$acc parallel loop collapse(2) present(a)
        do j = 1, n
            do i = 1, n
                a(i, j) = i + 100*j
            end do
        end do
        !$acc kernels present(a, automatic)
        automatic(:) = a(:, 3)
        !$acc end kernels
        !$acc parallel loop gang vector
        do i = 1, n
            p(i) = automatic(n + 1 - i)
        end do
        !$acc update self(a(1:10, :)) async(2)
        !$acc wait(2)
        !$acc end data
        call check(a(n, n) == 101*n, 'a nest')
        call check(all(automatic == [(i + 300, i=1, n)]), 'a whole array')
        call check(p(1) == n + 300, 'a pointer')
        !$acc enter data copyin(p(1:n))
        !$acc host_data use_device(p)
        call check(associated(p), 'the address')
        !$acc end host_data
        !$acc exit data delete(p(1:n)) finalize
        deallocate (p)
    end subroutine arrays

    subroutine scalars
        integer :: i, total, first, hidden
        logical :: any_seen

        total = 0
        first = 5
        hidden = 1
        any_seen = .false.
        !$acc parallel loop reduction(+:total) reduction(.or.:any_seen) firstprivate(first) private(hidden) num_gangs(4)
        do i = 1, 100
            hidden = i + first
            total = total + hidden
            any_seen = any_seen .or. i == 50
        end do
        call check(total == 5550, 'a sum')
        call check(any_seen, 'an or')
        call check(first == 5 .and. hidden == 1, 'private variables')
        !$acc serial copy(total) if(total > 0) async
        !$acc atomic
        total = total + 1
        !$acc end serial
        !$acc wait
        call check(total == 5551, 'an atomic')
    end subroutine scalars

    subroutine derived
        type(pair) :: one
        integer :: i

        one%count = 10
        allocate (one%values(10))
        !$acc enter data copyin(one)
        !$acc enter data copyin(one%values)
        !$acc parallel loop present(one)
        do i = 1, one%count
            one%values(i) = i
        end do
        !$acc exit data copyout(one%values)
        !$acc exit data delete(one)
        call check(sum(one%values) == 55, 'a component')
    end subroutine derived

    subroutine declared
        integer :: i
        !$acc parallel loop present(table)
        do i = 1, 100
            table(i) = twice(i)
        end do
        !$acc update host(table)
        call check(sum(table) == 10100, 'a module variable')
    end subroutine declared

    integer function twice(i)
        !$acc routine seq
        integer, intent(in) :: i
        twice = 2*i
    end function twice
end program f_regions
