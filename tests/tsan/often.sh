#!/bin/sh
# Runs one case with its race, again and again: ThreadSanitizer reports it nearly always. Without turns of the threads
# (compat/omp/task/tsan.c) half of the runs show it, and none on a loaded machine.
#
#   often.sh PROGRAM CASE NAME=value...      with these variables
set -u

program=$1 case=$2
shift 2
runs=40
least=30
. "$(dirname "$0")/../plain_env.sh"
export TSAN_OPTIONS="exitcode=66 atexit_sleep_ms=0 symbolize=0"

found=0
for run in $(seq $runs); do
    env "$@" OMP_NUM_THREADS=2 timeout 120 "$program" race "$case" >/dev/null 2>&1
    status=$?
    case $status in
        66) found=$((found + 1)) ;;
        0) ;;
        *) echo "FAIL run $run: exit status $status"; exit 1 ;;
    esac
done
[ "$found" -ge "$least" ] || { echo "FAIL $case: reported in $found of $runs runs"; exit 1; }
echo "PASS $case: reported in $found of $runs runs"
