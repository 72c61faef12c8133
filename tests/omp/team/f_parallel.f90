! Regions, data clauses, critical, atomic, reductions, threadprivate common blocks.
include '../check.inc'

module shared_data
    implicit none
    integer :: counter
    integer, save :: mine = 3
    !$omp threadprivate(mine)
end module shared_data

program f_parallel
    use omp_lib
    use check_module
    use shared_data
    implicit none
    integer :: threads, i, total, low, high, kept, part
    integer :: seen(0:check_max_threads - 1), histogram(4)
    real(8) :: real_sum
    real(10) :: extended
    complex(8) :: turned
    logical :: all_true, any_true
    common /block/ part
    !$omp threadprivate(/block/)

    threads = omp_get_max_threads()
    seen = 0
    counter = 0
    kept = 8
    extended = 0
    !$omp parallel default(none) shared(seen, counter, threads, extended) firstprivate(kept)
    call check(omp_get_num_threads() == threads, 'size of the team')
    seen(omp_get_thread_num()) = seen(omp_get_thread_num()) + 1
    kept = kept + omp_get_thread_num()
    !$omp critical
    counter = counter + kept
    !$omp end critical
    !$omp atomic
    extended = extended + 0.5_10
    !$omp end parallel
    call check(all(seen(0:threads - 1) == 1) .and. sum(seen) == threads, 'every thread once')
    call check(counter == 8 * threads + threads * (threads - 1) / 2, 'counter')
    call check(extended == threads * 0.5_10, 'extended')
    call check(kept == 8, 'firstprivate')

    total = 0; low = huge(low); high = -1; real_sum = 0; turned = 0; histogram = 0
    all_true = .true.; any_true = .false.
    !$omp parallel do reduction(+: total, real_sum, turned, histogram) reduction(min: low) reduction(max: high) &
    !$omp& reduction(.and.: all_true) reduction(.or.: any_true)
    do i = 1, 1000
        total = total + i
        real_sum = real_sum + i * 0.25d0
        turned = turned + cmplx(i, -i, 8)
        low = min(low, mod(i * 37, 501))
        high = max(high, mod(i * 37, 501))
        histogram(mod(i, 4) + 1) = histogram(mod(i, 4) + 1) + 1
        all_true = all_true .and. i > 0
        any_true = any_true .or. i == 500
    end do
    call check(total == 500500, 'sum')
    call check(real_sum == 125125d0, 'real sum')
    call check(turned == cmplx(500500, -500500, 8), 'complex sum')
    call check(low == 0 .and. high == 500, 'extremes')
    call check(all(histogram == 250), 'array reduction')
    call check(all_true .and. any_true, 'logical reductions')

    part = 11
    mine = 4
    !$omp parallel copyin(/block/, mine)
    call check(part == 11 .and. mine == 4, 'copyin')
    part = omp_get_thread_num()
    mine = 10 * part
    !$omp end parallel
    !$omp parallel reduction(+: counter)
    call check(part == omp_get_thread_num() .and. mine == 10 * part, 'threadprivate stays')
    counter = counter + mine
    !$omp end parallel

    !$omp parallel num_threads(5) if(threads > 1) proc_bind(close)
    !$omp master
    call check(omp_get_num_threads() == merge(5, 1, threads > 1), 'if clause')
    !$omp end master
    !$omp end parallel
    print '(a, i0, a, i0)', 'total ', total, ' counter ', counter
    call check_done('f_parallel')
end program f_parallel
