#!/bin/sh
# only.sh PROGRAM NAME: HARNESS_ONLY has PROGRAM measure NAME in all of its ways, and nothing else (bench/harness.h).
set -eu
export HARNESS_ONLY="other $2" OMP_NUM_THREADS=1
measured=$("$1" 1 | sed -n 's/ns$//p' | cut -d ' ' -f 1 | sed 's/\.cpu$//; s/\.by_[a-z]*$//' | grep -v '^core$' | sort -u)
[ "$measured" = "$2" ] || { echo "measured for '$2': $measured"; exit 1; }
