! threads: 2
! The functions as the module openacc has them: queries, queues, and memory in three forms.
include '../omp/check.inc'

program f_api
    use check_module
    use openacc
    use iso_c_binding, only: c_size_t
    implicit none
    integer, allocatable :: a(:, :), none(:)
    integer :: scalar
    character(len=9) :: text
    character(len=2) :: short

    call queries
    allocate (a(10, 20), none(0))
    a = 7
    call mapped
    call unmapped
    call queues
    call states
    call check_done('f_api')

contains

    subroutine queries
        call check(acc_get_num_devices(acc_device_host) == 1, 'one host')
        call check(acc_get_num_devices(acc_device_nvidia) == 0, 'no other device')
        call check(acc_get_device_type() == acc_device_host, 'type')
        call check(acc_get_device_num(acc_device_host) == 0, 'number')
        call check(acc_on_device(acc_device_host), 'on the host')
        call check(.not. acc_on_device(acc_device_not_host), 'on no other device')
        call check(acc_get_property(0, acc_device_host, acc_property_memory) == 0_c_size_t, 'memory')
        call acc_get_property_string(0, acc_device_host, acc_property_name, text)
        print '(3a)', '[', text, ']'
        call acc_get_property_string(0, acc_device_host, acc_property_vendor, short)
        print '(3a)', '[', short, ']'
        call acc_get_property_string(0, acc_device_host, acc_property_memory, text)
        print '(3a)', '[', text, ']'
    end subroutine queries

    subroutine mapped
        call acc_copyin(a)
        call acc_copyin(a(1:9:2, :))
        call acc_copyin(scalar)
        call acc_copyin(a, 40)
        call acc_copyin(a, 40_8)
        call acc_present_or_copyin(a)
        call acc_pcopyin(a, 4)
        call acc_create(a)
        call acc_create(a, 4)
        call acc_present_or_create(a, 4_8)
        call acc_pcreate(a)
        call acc_copyin_async(a, 1)
        call acc_copyin_async(a, 4, 1)
        call acc_create_async(a, 4_8, 1)
        call acc_update_device(a)
        call acc_update_self(a, 4)
        call acc_update_device_async(a, 2)
        call acc_update_self_async(a, 4, 2)
        call check(acc_is_present(a), 'an array')
        call check(acc_is_present(a(2, :)), 'a section')
        call check(acc_is_present(scalar), 'a scalar')
        call check(acc_is_present(a, 4), 'four bytes')
        call check(acc_is_present(a, 4_8), 'four bytes, counted in eight')
        call check(.not. acc_is_present(none), 'an empty array')
        call check(.not. acc_is_present(a(5:4, :)), 'an empty section')
        call check(.not. acc_is_present(a, 0), 'no byte')
        deallocate (none)
        call check(.not. acc_is_present(none), 'no array')
    end subroutine mapped

    subroutine unmapped
        call acc_copyout(a)
        call acc_copyout(a, 4)
        call acc_copyout_async(a, 1)
        call acc_copyout_finalize(a, 4_8)
        call acc_delete(a)
        call acc_delete(scalar, 4)
        call acc_delete_async(a, 4, 1)
        call acc_delete_finalize(a)
        call check(all(a == 7), 'the values')
    end subroutine unmapped

    subroutine queues
        !$acc parallel async(3) copy(scalar)
        scalar = 3
        !$acc end parallel
        call check(acc_async_test(3), 'a queue')
        call check(acc_async_test_all(), 'all queues')
        call acc_wait(3)
        call acc_async_wait(3)
        call acc_wait_async(3, 4)
        call acc_wait_all
        call acc_async_wait_all
        call acc_wait_all_async(5)
        call check(scalar == 3, 'the result')
    end subroutine queues

    subroutine states
        call acc_shutdown(acc_device_host)
        call acc_init(acc_device_default)
        call acc_shutdown(acc_device_host)
        call acc_set_device_type(acc_device_host)
        call acc_set_device_num(0, acc_device_host)
        call acc_shutdown(acc_device_host)
    end subroutine states
end program f_api
