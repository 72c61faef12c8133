#!/bin/sh
# Runs one program of cases (cases.h) on the ordinary libraries under a race detector of valgrind.
#
#   valgrind.sh TOOL SUPPRESSIONS PROGRAM NAME=value...      drd or helgrind; with these variables
#
# As it should be there is no report, but of words that the program itself changes by atomics, which the tools take for
# races. With a race in each case there is one of each.
set -u

tool=$1
suppressions=$2
program=$3
shift 3
name=$(basename "$program")
tries=20
. "$(dirname "$0")/../plain_env.sh"
command -v valgrind >/dev/null || { echo "no valgrind"; exit 77; }
options="-q --tool=$tool --suppressions=$suppressions"
[ "$tool" != drd ] || options="$options --check-stack-var=yes" # most cases use the stack

scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failures=0

fail() {
    echo "FAIL $name, $tool: $*"
    failures=$((failures + 1))
}

# Cases where each thread waits until another one has written to a word.
for kind in drd:ConflictingAccess Helgrind:Race; do
    for case in yields control_variables suspended; do
        printf '{\n   atomics of the case\n   %s\n   fun:%s*\n}\n' $kind $case
    done
done >"$scratch/atomics.supp"

run() { # MODE ARGUMENT...
    mode=$1
    shift
    # shellcheck disable=SC2086 # options are words
    env OMP_NUM_THREADS=2 BLITZ_WORKERS=2 "$@" timeout 300 valgrind $options "$program" "$mode" \
        >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ "$status" -eq 0 ] || fail "$mode: exit status $status"
}

# The cases that no report names: the function of one of the two accesses is the case's, or gcc made it of that.
unseen() {
    while read -r case; do
        grep -qE " at 0x[0-9A-F]+: $case([._ ]|\$)" "$scratch/err" || echo "$case"
    done <"$scratch/left"
}

options_before=$options
options="$options --suppressions=$scratch/atomics.supp"
run right "$@"
if grep -qE "^==[0-9]+== (Conflicting|Possible data race|.*[Ee]rror)" "$scratch/err"; then
    fail "reports without races"
    grep -v '^--' "$scratch/err" | head -n 60
fi
options=$options_before

env "$@" "$program" list >"$scratch/left" || fail "does not run"
[ -s "$scratch/left" ] || fail "has no cases"
count=$(wc -l <"$scratch/left")
try=0
while [ -s "$scratch/left" ] && [ "$try" -lt "$tries" ]; do
    run race "$@"
    unseen >"$scratch/still"
    mv "$scratch/still" "$scratch/left"
    try=$((try + 1))
done
[ ! -s "$scratch/left" ] || fail "races not reported:" $(cat "$scratch/left")

[ "$failures" -eq 0 ] || exit 1
echo "PASS $name, $tool: $count cases"
