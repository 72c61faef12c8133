#!/bin/sh
# Runs soak on Blitz.
#
#   run.sh PROGRAM FOLDER SEED AMOUNT THREADS...   AMOUNT (rounds, or seconds: 600s) from SEED on, for each number of threads
#   run.sh PROGRAM FOLDER --cases FILE             what once failed
#
# FOLDER holds our libgomp.so.1 and libomp.so.5. By hand, after a build with the preset ci (or tsan: rounds are then
# smaller):
#
#   tests/stress/soak/run.sh build/ci/tests/stress/soak/soak build/ci/lib/blitz "$(date +%s)" 600s 1 2 8 64
#
# The same built by clang, with more threads than cores:
#
#   ninja -C build/ci blitz_soak_clang
#   tests/stress/soak/run.sh build/ci/tests/stress/soak/soak.clang build/ci/lib/blitz "$(date +%s)" 600s 1 2 8 64
#
# A round that fails becomes a line of cases.txt.
set -u
if [ $# -lt 4 ]; then
    sed -n '2,/^set/{/^set/!s/^# \{0,1\}//p;}' "$0" >&2
    exit 2
fi
program=$1
folder=$2
shift 2
. "$(dirname "$0")/../../plain_env.sh"
export SOAK_BLITZ=1
failures=0

soak() { # SEED AMOUNT THREADS
    LD_LIBRARY_PATH="$folder" "$program" "$1" "$2" "$3" 2>&1
    status=$?
    [ "$status" -eq 0 ] && return
    echo "FAIL soak $1 $2 $3: exit status $status"
    failures=$((failures + 1))
}

if [ "$1" = --cases ]; then
    while read -r seed rounds threads _; do
        case $seed in
        '' | '#'*) ;;
        *) soak "$seed" "$rounds" "$threads" ;;
        esac
    done <"$2"
else
    seed=$1
    amount=$2
    shift 2
    for threads in "$@"; do
        soak "$seed" "$amount" "$threads"
    done
fi
[ "$failures" -eq 0 ]
