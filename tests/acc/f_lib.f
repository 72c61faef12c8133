! threads: 2
! The same library from fixed form and openacc_lib.h.
      program f_lib
      implicit none
      include 'openacc_lib.h'
      real a(100), total
      integer i, failures
      failures = 0
      call acc_init(acc_device_host)
      call acc_copyin(a)
      if (.not. acc_is_present(a)) failures = failures + 1
      total = 0
!$acc parallel loop present(a)
      do i = 1, 100
        a(i) = i
      end do
!$acc parallel loop reduction(+:total) async(1)
      do i = 1, 100
        total = total + a(i)
      end do
!$acc wait(1)
      if (total .ne. 5050) failures = failures + 1
      if (.not. acc_async_test(1)) failures = failures + 1
      call acc_copyout(a, 400)
      i = acc_get_num_devices(acc_device_default)
      if (i .ne. 1) failures = failures + 1
      call acc_shutdown(acc_device_host)
      print *, 'f_lib: failures', failures
      if (failures .ne. 0) stop 1
      end
