#!/bin/sh
# Runs the parsers on made-up texts.
#
#   run.sh replay PROGRAM CORPUS                    what is kept in CORPUS, and every beginning of it
#   run.sh fuzz PROGRAM CORPUS AMOUNT [TARGET...]   libFuzzer on each target (all of CORPUS): texts, or seconds (60s)
#
# By hand, where clang was found:
#
#   tests/fuzz/run.sh fuzz build/ci/tests/fuzz/fuzz tests/fuzz/corpus 300s
#
# A text that fails is left in the current folder. Mend, and add it to the corpus of its target.
set -u
if [ $# -lt 3 ]; then
    sed -n '2,/^set/{/^set/!s/^# \{0,1\}//p;}' "$0" >&2
    exit 2
fi
way=$1
program=$2
corpus=$3
shift 3
. "$(dirname "$0")/../plain_env.sh"
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

# The parsers complain of most texts: what is of interest stands at the end.
if [ "$way" = replay ]; then
    "$program" "$corpus" 2>"$scratch/stderr" && exit 0
    tail -n 60 "$scratch/stderr"
    exit 1
fi

case $1 in
*s) amount=-max_total_time=${1%s} ;;
*) amount=-runs=$1 ;;
esac
shift
[ $# -gt 0 ] || set -- "$corpus"/*
failures=0
for target in "$@"; do
    name=$(basename "$target")
    mkdir "$scratch/$name"
    if FUZZ_TARGET=$name "$program" "$amount" -timeout=20 -max_len=4096 -close_fd_mask=2 \
        -dict="$(dirname "$0")/dictionary.txt" -print_final_stats=1 "$scratch/$name" "$corpus/$name" \
        >"$scratch/log" 2>&1; then
        echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$scratch/log") texts," \
            "$(find "$scratch/$name" -type f | wc -l) of them new"
    else
        echo "FAIL $name"
        tail -n 60 "$scratch/log"
        failures=$((failures + 1))
    fi
done
[ "$failures" -eq 0 ]
