#!/bin/sh
# Explores one variant of one model to the end and compares the outcome with what is expected.
#
#   run.sh FOLDER MODEL.pml EXPECTED [DEFINE ...]
#
# FOLDER     scratch folder of this test; holds the verifier and the trail afterwards
# EXPECTED   "holds": the whole state space was searched and nothing found; otherwise a text that must be in the
#            verifier's report of the first error
# DEFINE     the variant; each must occur in the model
#
# Environment: SPIN, CC, OPTIMIZE (-O1). A model that fails unexpectedly is replayed, step by step.
set -u

if [ $# -lt 3 ]; then
    sed -n '2,/^set/{/^set/!s/^# \{0,1\}//p;}' "$0" >&2
    exit 2
fi
folder=$1
model=$2
expected=$3
shift 3

defines=
for define in "$@"; do
    grep -qw "${define%%=*}" "$model" || { echo "$model knows no $define"; exit 2; }
    defines="$defines -D$define"
done

mkdir -p "$folder" && cd "$folder" || exit 2
rm -f pan pan.? ./*.trail
cp "$model" model.pml
# shellcheck disable=SC2086 # one word per define
"${SPIN:-spin}" $defines -a model.pml >spin.log 2>&1 && [ -f pan.c ] || { cat spin.log; exit 2; }
# Most errors are found within a moment, and most searches are short: there a better verifier costs more than it saves.
optimize=-O0
[ "$expected" != holds ] || optimize=${OPTIMIZE:--O1}
"${CC:-cc}" "$optimize" -w -DSAFETY -DSFH -DMEMLIM=4000 -o pan pan.c || exit 2
./pan -m100000 -w24 >pan.log 2>&1

states=$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' pan.log)
seconds=$(sed -n 's/^pan: elapsed time \([0-9.e+-]*\) seconds/\1/p' pan.log)
error=$(sed -n 's/^pan:[0-9]*: \(.*\) (at depth [0-9]*)/\1/p' pan.log | head -n 1)
echo "$(basename "$model")$defines: ${error:-no error} ($states states, $seconds s)"

if [ "$expected" = holds ]; then
    if [ -z "$error" ] && grep -q 'errors: 0$' pan.log &&
        ! grep -qE 'Search not completed|search depth too small|out of memory' pan.log; then
        exit 0
    fi
    cat pan.log
    # shellcheck disable=SC2086
    [ ! -f model.pml.trail ] || "${SPIN:-spin}" $defines -t -p -g model.pml
    exit 1
fi
case $error in
*"$expected"*) exit 0 ;;
esac
echo "expected: $expected"
cat pan.log
exit 1
