! newer_fortran.f90: the functions that Fortran programs of gcc 13 to 17 call, with the interfaces of their modules: results
! that are pointers to characters among them.
module newer
    use, intrinsic :: iso_c_binding
    implicit none
    interface
        logical(4) function omp_in_explicit_task()
        end function
        function omp_get_uid_from_device(device_num) result(uid)
            integer(4), value :: device_num
            character(:), pointer :: uid
        end function
        integer(4) function omp_get_device_from_uid(uid)
            character(len=*), intent(in) :: uid
        end function
        function omp_get_interop_str(interop, property_id, ret_code) result(text)
            import c_intptr_t
            integer(c_intptr_t), value :: interop
            integer(4), value :: property_id
            integer(4), optional, intent(out) :: ret_code
            character(:), pointer :: text
        end function
        function omp_get_interop_name(interop, property_id) result(text)
            import c_intptr_t
            integer(c_intptr_t), value :: interop
            integer(4), value :: property_id
            character(:), pointer :: text
        end function
        function omp_get_interop_type_desc(interop, property_id) result(text)
            import c_intptr_t
            integer(c_intptr_t), value :: interop
            integer(4), value :: property_id
            character(:), pointer :: text
        end function
        function omp_get_interop_rc_desc(interop, ret_code) result(text)
            import c_intptr_t
            integer(c_intptr_t), value :: interop
            integer(4), value :: ret_code
            character(:), pointer :: text
        end function
        integer(4) function omp_control_tool(command, modifier)
            integer(4), intent(in) :: command, modifier
        end function
        integer(4) function omp_get_supported_active_league_dims(device_num, strict)
            integer(4), intent(in) :: device_num
            logical(4), intent(in) :: strict
        end function
        integer(4) function omp_get_supported_active_team_dims(device_num, strict)
            integer(4), intent(in) :: device_num
            logical(4), intent(in) :: strict
        end function
        integer(c_int) function omp_get_num_teams_dim(dim) bind(C)
            import c_int
            integer(c_int), value :: dim
        end function
    end interface
contains
    subroutine check(ok, what)
        logical, intent(in) :: ok
        character(len=*), intent(in) :: what
        if (ok) return
        print *, 'failed: ', what
        stop 1
    end subroutine
end module

program newer_fortran
    use newer
    implicit none
    character(:), pointer :: text
    integer(c_intptr_t) :: none = 0
    integer(4) :: why
    logical :: inside
    call check(.not. omp_in_explicit_task(), 'no task')
    !$omp task if(.false.) shared(inside)
    inside = omp_in_explicit_task()
    !$omp end task
    call check(inside, 'a task')
    call check(associated(omp_get_uid_from_device(-1), omp_get_uid_from_device(-5)), 'one text for both names')
    text => omp_get_uid_from_device(0)
    call check(associated(text), 'the host has a name')
    call check(len(text) > 0, 'which is not empty')
    call check(omp_get_device_from_uid(text) == -1, 'and leads back to it')
    call check(omp_get_device_from_uid(text // ' ') == -4, 'another name')
    call check(omp_get_device_from_uid(text // c_null_char // 'x') == -1, 'a name of C')
    call check(.not. associated(omp_get_uid_from_device(7)), 'no device 7')
    why = 5
    text => omp_get_interop_str(none, -3, why)
    call check(.not. associated(text) .and. why == -1, 'no string')
    text => omp_get_interop_str(none, -30)
    call check(.not. associated(text), 'no such property')
    text => omp_get_interop_name(none, -4)
    call check(text == 'vendor_name', 'the name of a property')
    call check(.not. associated(omp_get_interop_type_desc(none, -4)), 'no type')
    text => omp_get_interop_rc_desc(none, 0)
    call check(text == 'successful', 'a reason')
    call check(.not. associated(omp_get_interop_rc_desc(none, -6)), 'no text for other reasons')
    call check(omp_get_device_from_uid('xOMP_INITIAL_DEVICEx'(2:19)) == -1, 'a part of a text')
    call check(omp_control_tool(1, 0) == -2, 'no tool')
    call check(omp_get_supported_active_league_dims(0, .true.) == 1, 'dimensions of leagues')
    call check(omp_get_supported_active_team_dims(0, .false.) == 1, 'dimensions of teams')
    call check(omp_get_num_teams_dim(0) == 1, 'one team')
end program
