#!/bin/sh
# Runs one OpenMP program under Blitz many times with 8 threads. Stops at the first run that hangs, fails, or prints
# anything but what the program prints under libgomp, or in its first run if libgomp gets it wrong ('beyond libgomp').
#
#   repeat.sh TIMES SOURCE PROGRAM [BLITZ_PROGRAM]
#
# Takes the variables of run.sh; TEST_REPETITIONS is another number of TIMES. SOURCE names the arguments of a small run
# in a line '// repeat: ARGUMENTS'; its first line '// env:' also applies.
set -u

if [ $# -lt 3 ] || [ $# -gt 4 ]; then
    sed -n '2,/^set/{/^set/!s/^# \{0,1\}//p;}' "$0" >&2
    exit 2
fi
times=${TEST_REPETITIONS:-$1}
source=$2
program=$3
blitz_program=${4:-$3}
name=$(basename "$program")
preload="${TEST_PRELOAD_FIRST:-} ${TEST_PRELOAD:?}"
limit=${TEST_TIMEOUT:-60}
. "$(dirname "$0")/../plain_env.sh"

scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

arguments=$(sed -n 's,^\(//\|!\) repeat:* *,,p' "$source")
eval "export OMP_NUM_THREADS=8 $(sed -n 's,^\(//\|!\) env: *,,p' "$source" | head -n 1)"

# Where threads exceed the processors, libgomp crawls unless spinning is off. If it hangs, as on a busy machine, Blitz
# is the reference instead.
served="env LD_PRELOAD='$preload' $blitz_program"
reference="env OMP_WAIT_POLICY=passive $program"
if grep -q '^\(//\|!\) beyond libgomp:' "$source"; then
    reference=$served
fi
ask() { # REFERENCE
    expected=$(eval "timeout $limit $1 $arguments")
    status=$?
}
ask "$reference"
[ $status -ne 124 ] || [ "$reference" = "$served" ] || {
    echo "NOTE $name: '$reference' has no end in $limit s"
    ask "$served"
}
[ $status -eq 0 ] || {
    echo "FAIL $name: no reference"
    exit 1
}
i=0
while [ "$i" -lt "$times" ]; do
    i=$((i + 1))
    # shellcheck disable=SC2086
    got=$(timeout "$limit" env LD_PRELOAD="$preload" "$blitz_program" $arguments 2>"$scratch/stderr")
    status=$?
    [ "$status" -eq 0 ] && [ "$got" = "$expected" ] && continue
    if [ "$status" -eq 124 ]; then
        echo "FAIL $name: run $i of $times still going after $limit s"
    else
        echo "FAIL $name: run $i of $times, exit status $status, stdout:"
        echo "$got"
    fi
    head -n 60 "$scratch/stderr"
    exit 1
done
echo "PASS $name: $times runs"
