! api_fortran.f90: the omp_* functions as Fortran calls them, with arguments of 4 and of 8 bytes, do what they do under
! libgomp. Run by ../omp/run.sh under both.
!
! threads: 2
! env:
! env: OMP_SCHEDULE=static,3
program api_fortran
  use omp_lib
  implicit none
  integer(8), parameter :: huge_count = 1_8 * 1099511627776_8
  logical(8) :: yes = .true., no = .false.
  integer(omp_sched_kind) :: sched
  integer(4) :: chunk4
  integer(8) :: chunk8
  integer(omp_lock_kind) :: lock
  integer(omp_nest_lock_kind) :: nest
  integer :: i

  call omp_set_num_threads(3)
  print *, omp_get_max_threads()
  call omp_set_num_threads(5_8)
  print *, omp_get_max_threads()
  call omp_set_num_threads(huge_count)
  print *, omp_get_max_threads()
  call omp_set_num_threads(-huge_count)
  print *, omp_get_max_threads()
  call omp_set_num_threads(2)

  call omp_set_dynamic(.true.)
  print *, omp_get_dynamic()
  call omp_set_dynamic(no)
  print *, omp_get_dynamic()
  call omp_set_nested(yes)
  print *, omp_get_nested(), omp_get_max_active_levels()
  call omp_set_nested(.false.)
  print *, omp_get_nested(), omp_get_max_active_levels()
  call omp_set_max_active_levels(4_8)
  print *, omp_get_max_active_levels(), omp_get_supported_active_levels()
  call omp_set_max_active_levels(2)
  print *, omp_get_max_active_levels(), omp_get_thread_limit(), omp_get_num_procs() > 0

  call omp_get_schedule(sched, chunk4)
  print *, sched, chunk4
  call omp_set_schedule(omp_sched_guided, 7_8)
  call omp_get_schedule(sched, chunk8)
  print *, sched, chunk8
  call omp_set_schedule(omp_sched_static, 0)
  call omp_get_schedule(sched, chunk4)
  print *, sched, chunk4

  call omp_set_default_device(3_8)
  print *, omp_get_default_device(), omp_get_num_devices(), omp_is_initial_device(), omp_get_initial_device()
  call omp_set_num_teams(4_8)
  call omp_set_teams_thread_limit(5)
  print *, omp_get_max_teams(), omp_get_teams_thread_limit(), omp_get_num_teams(), omp_get_team_num()
  print *, omp_get_proc_bind(), omp_get_cancellation(), omp_get_max_task_priority(), omp_in_final(), omp_in_parallel()
  print *, omp_get_wtick() < 1d-3, omp_get_wtime() > 0

  call omp_init_lock(lock)
  call omp_set_lock(lock)
  print *, omp_test_lock(lock)
  call omp_unset_lock(lock)
  print *, omp_test_lock(lock)
  call omp_unset_lock(lock)
  call omp_destroy_lock(lock)

  call omp_init_nest_lock(nest)
  call omp_set_nest_lock(nest)
  print *, omp_test_nest_lock(nest)
  call omp_unset_nest_lock(nest)
  call omp_unset_nest_lock(nest)
  print *, omp_test_nest_lock(nest)
  call omp_unset_nest_lock(nest)
  call omp_destroy_nest_lock(nest)

  !$omp parallel num_threads(2)
  !$omp single
  print *, omp_get_num_threads(), omp_get_level(), omp_get_active_level(), omp_in_parallel()
  print *, omp_get_team_size(0), omp_get_team_size(1_8), omp_get_team_size(9), omp_get_ancestor_thread_num(0_8)
  print *, omp_get_ancestor_thread_num(1) == omp_get_thread_num(), omp_get_ancestor_thread_num(-1)
  !$omp end single
  !$omp end parallel

  i = 0
  call omp_init_lock(lock)
  !$omp parallel num_threads(4)
  call omp_set_lock(lock)
  i = i + 1
  call omp_unset_lock(lock)
  !$omp end parallel
  call omp_destroy_lock(lock)
  print *, i
end program
