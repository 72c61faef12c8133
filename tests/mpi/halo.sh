#!/bin/sh
# Requests that complete detached tasks: halo.sh PROGRAM, which is bench/mpi/omp.c. It compares all that it computes with a
# serial run, bit by bit. Every way has to have been there: also the one that needs a taskyield that works, on one thread.
# See launch.sh.
. "$(dirname "$0")/launch.sh"
for run in 'preload 2 1' 'folder 2 2' 'preload 2 8' 'folder 3 2'; do
    # shellcheck disable=SC2086 # words
    set -- "$1" $run
    launch "$2" "$3" none "OMP_NUM_THREADS=$4" "$1" 1 || continue
    for name in blocking thread yield; do
        for measurement in "mpi.$name" "mpi.$name.wire"; do
            grep -q "^$measurement [0-9.e+]* ns\$" "$scratch/out" && continue
            echo "FAIL $run: no $measurement"
            failures=$((failures + 1))
        done
    done
done
finish halo
