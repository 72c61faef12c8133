! Allocators from Fortran: making them, the default one, the allocate clause.
include '../check.inc'

program f_alloc
    use omp_lib
    use check_module
    use, intrinsic :: iso_c_binding, only: c_intptr_t, c_loc
    implicit none
    type(omp_alloctrait) :: traits(2), refused(1)
    integer(omp_allocator_handle_kind) :: page, none
    integer :: number, total

    call check(omp_get_default_allocator() == omp_default_mem_alloc, 'default')
    traits(1) = omp_alloctrait(omp_atk_alignment, 4096)
    traits(2) = omp_alloctrait(omp_atk_fallback, omp_atv_null_fb)
    refused(1) = omp_alloctrait(omp_atk_alignment, 3)
    page = omp_init_allocator(omp_default_mem_space, 2, traits)
    none = omp_init_allocator(omp_default_mem_space, 1, refused)
    call check(page /= omp_null_allocator, 'an allocator')
    print '(a, l1)', 'an alignment of 3 is refused: ', none == omp_null_allocator

    call omp_set_default_allocator(page)
    call check(omp_get_default_allocator() == page, 'set default')
    number = 5
    total = 0
    !$omp parallel firstprivate(number) allocate(page: number) reduction(+: total)
    call check(omp_get_default_allocator() == page, 'inherited default')
    call check(mod(transfer(c_loc_of(number), 0_c_intptr_t), 4096_c_intptr_t) == 0, 'aligned')
    number = number + 1
    total = total + number
    !$omp end parallel
    call check(total == 6 * omp_get_max_threads(), 'total')

    call omp_set_default_allocator(omp_null_allocator)
    call check(omp_get_default_allocator() == omp_default_mem_alloc, 'default again')
    call omp_destroy_allocator(page)
    call omp_destroy_allocator(omp_null_allocator)
    call check_done('f_alloc')

contains

    function c_loc_of(n) result(address)
        use, intrinsic :: iso_c_binding, only: c_ptr
        integer, intent(in), target :: n
        type(c_ptr) :: address

        address = c_loc(n)
    end function c_loc_of

end program f_alloc
