! flags: -fdefault-integer-8
! threads: 1
! Making an allocator with 8-byte integers.
include '../check.inc'

program f_alloc_int8
    use omp_lib
    use check_module
    implicit none
    type(omp_alloctrait) :: traits(1)
    integer(omp_allocator_handle_kind) :: allocator

    traits(1) = omp_alloctrait(omp_atk_alignment, 64)
    allocator = omp_init_allocator(omp_default_mem_space, 1, traits)
    call check(allocator /= omp_null_allocator, 'an allocator')
    call omp_destroy_allocator(allocator)
    call check_done('f_alloc_int8')
end program f_alloc_int8
