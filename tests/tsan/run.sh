#!/bin/sh
# Runs one program of cases (cases.h) that was built with ThreadSanitizer on the ordinary libraries.
#
#   run.sh PROGRAM NAME=value...      with these variables
#
# As it should be it ends well and there is no report, with 2 threads and with 8. With a race in each case, between 2
# threads, there is one of each. Two accesses at the very same time may escape ThreadSanitizer, so the races are run until
# all have been reported, but not forever. More settings, for programs of clang's:
#   TEST_SYMBOLIZER      finds names for its ThreadSanitizer: binutils' addr2line
#   TEST_SOURCE          the program's source: clang's tasks do not bear the name of the function around them
set -u

program=$1
shift
name=$(basename "$program")
tries=200
. "$(dirname "$0")/../plain_env.sh"
# Several cases use the same place on the stack.
export TSAN_OPTIONS="exitcode=66 atexit_sleep_ms=0 suppress_equal_addresses=0 history_size=4"
[ -z "${TEST_SYMBOLIZER:-}" ] || TSAN_OPTIONS="$TSAN_OPTIONS external_symbolizer_path=$TEST_SYMBOLIZER"

scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failures=0

fail() {
    echo "FAIL $name: $*"
    failures=$((failures + 1))
}

run() { # THREADS ARGUMENT...
    count=$1
    shift
    env "$@" OMP_NUM_THREADS="$count" BLITZ_WORKERS="$count" timeout 120 "$program" "$mode" \
        >"$scratch/out" 2>"$scratch/err"
}

# Adds to a report the case that has an access's line.
by_line() {
    [ -n "${TEST_SOURCE:-}" ] || { cat; return; }
    awk -v file="/$(basename "$TEST_SOURCE"):" '
        NR == FNR { if (/^static void [a-z_0-9]+\(void\)/) { name = $3; sub(/\(.*/, "", name) } of[FNR] = name; next }
        { print }
        /^ *#0 / && (at = index($0, file)) { print "#0 " of[substr($0, at + length(file)) + 0] }' "$TEST_SOURCE" -
}

# The cases that no report names: the function of one of its accesses is the case's, or gcc made it of that.
unseen() {
    while read -r case; do
        grep -qE "#0 $case([._ ]|\$)" "$scratch/reports" || echo "$case"
    done <"$scratch/left"
}

env "$@" "$program" list >"$scratch/cases" || fail "does not run"
[ -s "$scratch/cases" ] || fail "has no cases"

mode=right
for threads in 2 8; do
    run "$threads" "$@"
    status=$?
    if [ "$status" -ne 0 ] || grep -q "WARNING: ThreadSanitizer" "$scratch/err"; then
        fail "$threads threads, without races: exit status $status"
        head -n 60 "$scratch/err"
    fi
done

mode=race
try=0
cp "$scratch/cases" "$scratch/left"
while [ -s "$scratch/left" ] && [ "$try" -lt "$tries" ]; do
    run 2 "$@"
    status=$?
    [ "$status" -eq 66 ] || { fail "with races: exit status $status"; break; }
    sed -n '/WARNING: ThreadSanitizer: data race/,/^$/p; /^  Previous /,/^$/p' "$scratch/err" | by_line >"$scratch/reports"
    unseen >"$scratch/still"
    mv "$scratch/still" "$scratch/left"
    try=$((try + 1))
done
[ ! -s "$scratch/left" ] || fail "races not reported:" $(cat "$scratch/left")

[ "$failures" -eq 0 ] || exit 1
echo "PASS $name: $(wc -l <"$scratch/cases") cases"
