#!/bin/sh
# Runs a program on Blitz under the tool `order` and fails if it finds a fault, or sees too little.
#
#   order.sh TOOL FOLDER PROGRAM [ARGUMENT...]
#
# FOLDER holds our libgomp.so.1 and libomp.so.5. Environment: ORDER_THREADS (1 2 8 64), values of OMP_NUM_THREADS;
# ORDER_SET, a further variable of the program, as NAME=VALUE.
# By hand, for the programs of 1000 seeds from 5000 on, after a build with the preset ci:
#
#   tests/ompt/order.sh build/ci/tests/ompt/liborder.so build/ci/lib/blitz build/ci/tests/omp/random_programs 5000 1000
set -u
if [ $# -lt 3 ]; then
    sed -n '2,/^set/{/^set/!s/^# \{0,1\}//p;}' "$0" >&2
    exit 2
fi
tool=$1
folder=$2
shift 2
. "$(dirname "$0")/../plain_env.sh"
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failures=0

fail() {
    echo "FAIL $(basename "$program") $arguments, $threads threads: $*"
    head -n 40 "$scratch/err"
    failures=$((failures + 1))
}

program=$1
shift
arguments=$*
for threads in ${ORDER_THREADS:-1 2 8 64}; do
    env LD_LIBRARY_PATH="$folder" OMP_TOOL_LIBRARIES="$tool" OMP_NUM_THREADS="$threads" ${ORDER_SET:+"$ORDER_SET"} \
        timeout 300 "$program" "$@" >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ "$status" -eq 0 ] || fail "exit status $status"
    # The least that each of the programs has.
    sum=$(sed -n 's/^order: \([0-9]*\) callbacks, \([0-9]*\) regions, \([0-9]*\) tasks, \([0-9]*\) faults$/\1 \2 \3 \4/p' \
        "$scratch/err")
    # shellcheck disable=SC2086 # numbers
    set_of() { callbacks=${1:-0} regions=${2:-0} tasks=${3:-0} faults=${4:-none}; }
    set_of $sum
    [ "$faults" = 0 ] || fail "faults: $faults"
    if [ "$callbacks" -lt 1000 ] || [ "$regions" -lt 2 ] || [ "$tasks" -lt 10 ]; then
        fail "has seen $callbacks callbacks, $regions regions, $tasks tasks only"
    fi
done
[ "$failures" -eq 0 ]
