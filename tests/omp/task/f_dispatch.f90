! flags: -cpp
! dispatch and interop wait for the tasks that they depend on; pointers for the host stay as they are.
#if __GNUC__ < 16
#error "for gcc 16"
#endif
include '../check.inc'

module replaced
    use, intrinsic :: iso_c_binding
    implicit none
contains

    integer function variant(numbers, place)
        integer, intent(in) :: numbers(:)
        type(c_ptr), intent(in) :: place
        integer, pointer :: target

        call c_f_pointer(place, target)
        variant = sum(numbers) + target
    end function variant

    integer function base(numbers, place)
        !$omp declare variant(variant) match(construct={dispatch}) adjust_args(need_device_ptr: place)
        integer, intent(in) :: numbers(:)
        type(c_ptr), intent(in) :: place

        base = -size(numbers) + merge(0, 1, c_associated(place))
    end function base
end module replaced

program f_dispatch
    use omp_lib
    use check_module
    use replaced
    implicit none
    integer :: i

    !$omp parallel
    !$omp single
    do i = 1, 100
        call ordered(i)
    end do
    !$omp end single
    !$omp end parallel
    call check_done('f_dispatch')

contains

    subroutine ordered(i)
        integer, intent(in) :: i
        integer, target :: x
        integer :: answer
        type(c_ptr) :: place
        integer(omp_interop_kind) :: object

        x = 0
        place = c_loc(x)
        !$omp task depend(out: x) shared(x)
        call sleep_a_little()
        x = i
        !$omp end task
        !$omp dispatch depend(in: x) device(omp_initial_device)
        answer = base([1, 2, 3], place)
        call check(answer == i + 6, 'dispatch')
        !$omp task depend(inout: x) shared(x)
        call sleep_a_little()
        x = x + 1
        !$omp end task
        object = omp_interop_none
        !$omp interop init(targetsync: object) depend(inout: x)
        call check(x == i + 1, 'interop')
        !$omp interop use(object)
        !$omp interop destroy(object)
        call check(object == omp_interop_none, 'no object')
    end subroutine ordered

    ! Long enough for others to run ahead.
    subroutine sleep_a_little()
        real(8) :: start

        start = omp_get_wtime()
        do while (omp_get_wtime() < start + 1d-5)
        end do
    end subroutine sleep_a_little
end program f_dispatch
