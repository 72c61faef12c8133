#!/bin/sh
# elision.sh FOLDER: runs the programs bench_WORKLOAD_blitz of FOLDER that have a serial elision, on one worker and on some,
# and the elisions. Each exits with 1 if a result is wrong.
set -eu
folder=$1
ran=0
for workload in fib nqueens tree health floorplan mergesort strassen sparselu fft alignment \
  cilksort matmul heat lu knapsack; do
  elision=$folder/bench_${workload}_elision
  [ -e "$elision" ] || elision=$folder/bench_${workload}_serial
  echo "-- $workload"
  "$elision" 1
  for workers in 1 2 8; do
    BLITZ_WORKERS=$workers "$folder/bench_${workload}_blitz" 1
  done
  ran=$((ran + 1))
done
echo "$ran programs agree with their serial elisions"
