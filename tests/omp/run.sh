#!/bin/sh
# Runs one OpenMP program under its compiler's own runtime and under Blitz and compares stdout and exit status.
#
#   run.sh SOURCE PROGRAM [BLITZ_PROGRAM]
#
# BLITZ_PROGRAM, if given, is the same program built for the runs under Blitz (a sanitizer build).
# Blitz serves the program in two ways, which are the same code: the first run is made both ways, the others in turns.
#   preload   LD_PRELOAD=$TEST_PRELOAD         the library under its own name
#   folder    LD_LIBRARY_PATH=$TEST_FOLDER     the folder that holds libgomp.so.1 and libomp.so.5
# Either variable may be empty to leave that way out. More settings:
#   TEST_REFERENCE       libgomp, or libomp for a program that clang built (libgomp)
#   TEST_PRELOAD_FIRST   libraries that must come before the preloaded one (a sanitizer's runtime)
#   TEST_PRELOAD_PROGRAM the program of the runs that preload, if not the same: another compiler's
#   TEST_ALL             not empty: every run both ways, whatever TEST_FEW says
#   TEST_FEW             not empty: both ways and the comparison with two threads and the first environment only; the
#                        rest by the folder, where the program checks itself: eight threads, the other environments
#   TEST_TIMEOUT         seconds one run may take (60)
#
# SOURCE steers the runs by comment lines, '//' in C and C++, '!' in Fortran:
#   // env: NAME=value ...     run with this environment; several lines run the program once with each
#   // threads: 1 2 8          the values of OMP_NUM_THREADS
#   // beyond libgomp: why      libgomp gets this program wrong; then the two ways are compared with each other
#   // beyond libomp: why       the same for libomp
#   // checks itself: how       all is said by the exit status: the compiler's own runtime is asked once
set -u

if [ $# -lt 2 ] || [ $# -gt 3 ]; then
    sed -n '2,/^set/{/^set/!s/^# \{0,1\}//p;}' "$0" >&2
    exit 2
fi
source=$1
program=$2
blitz_program=${3:-$2}
name=$(basename "$program")
preload=${TEST_PRELOAD:-}
folder=${TEST_FOLDER:-}
first=${TEST_PRELOAD_FIRST:-}
limit=${TEST_TIMEOUT:-60}
own=${TEST_REFERENCE:-libgomp}
all=${TEST_ALL:-}
few=${TEST_FEW:-}
[ -z "$all" ] || few=
case $own in
libgomp) served=libgomp.so.1 ;;
libomp) served=libomp.so.5 ;;
*)
    echo "TEST_REFERENCE is '$own'" >&2
    exit 2
    ;;
esac
. "$(dirname "$0")/../plain_env.sh"

scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failures=0

fail() {
    echo "FAIL $name: $*"
    failures=$((failures + 1))
}

directive() { # WORD: what follows '// WORD:' or '! WORD:', one line per comment line
    sed -n "s,^\(//\|!\) $1: *,,p" "$source"
}

# Sets $LAUNCH to the variables that make the loader use the given runtime.
launch() { # WAY
    case $1 in
    "$own") LAUNCH= ;;
    preload) LAUNCH="LD_PRELOAD='$first $preload'" ;;
    folder) LAUNCH="LD_LIBRARY_PATH='$folder'" ;;
    esac
}

program_of() { # WAY
    case $1 in
    "$own") echo "$program" ;;
    preload) echo "${TEST_PRELOAD_PROGRAM:-$blitz_program}" ;;
    folder) echo "$blitz_program" ;;
    esac
}

# Every OpenMP and OpenACC symbol of the program must come from the library of this way, or two runtimes would be mixed
# without a word. The loader resolves and reports them all and does not start the program. Fails if one is missing or astray.
symbols='_*(GOMP|omp|GOACC|acc|kmp|kmpc|ompc)_'
served_by() { # WAY LIBRARY
    launch "$1"
    set -- "$1" "$(program_of "$1")" "$2"
    eval "env $LAUNCH LD_TRACE_LOADED_OBJECTS=1 LD_WARN=yes LD_BIND_NOW=1 LD_DEBUG=bindings '$2'" \
        >"$scratch/bindings" 2>&1
    grep -F "binding file $2 " "$scratch/bindings" | grep -E "symbol .$symbols" >"$scratch/symbols"
    {
        [ -s "$scratch/symbols" ] || echo "no OpenMP symbol is bound at all"
        grep -vF " to $3 " "$scratch/symbols" | sed 's/.*\] to //'
        grep -oE "undefined symbol: $symbols[^,]*, version [A-Z0-9_.]*" "$scratch/bindings"
    } >"$scratch/strays"
    [ -s "$scratch/strays" ] || return 0
    fail "$1: symbols that do not come from $3:"
    sed 's/^/    /' "$scratch/strays"
    return 1
}

# Leaves stdout, stderr and status in $scratch/WAY.*. Where threads exceed the free processors, the compilers' own
# runtimes crawl unless spinning is off.
run_once() { # WAY THREADS ENVIRONMENT
    launch "$1"
    spin=
    patience=$limit
    if [ "$1" = "$own" ]; then
        spin=OMP_WAIT_POLICY=passive
        patience=$((limit / 3))
    fi
    eval "env OMP_NUM_THREADS=$2 $spin $3 timeout $patience env $LAUNCH '$(program_of "$1")'" \
        >"$scratch/$1.out" 2>"$scratch/$1.err"
    echo $? >"$scratch/$1.status"
    sed -i '/^OMP: pid [0-9]/d' "$scratch/$1.out" # where threads of clang's programs are
}

show_stderr() { # WAY
    head -n 60 "$scratch/$1.err" | sed 's/^/    stderr: /'
}

compare() { # WAY THREADS ENVIRONMENT
    where="$1, OMP_NUM_THREADS=$2${3:+, $3}"
    status=$(cat "$scratch/$1.status")
    if [ "$status" -eq 124 ]; then
        fail "$where: still running after $limit s"
        show_stderr "$1"
    elif [ "$status" -ne "$(cat "$scratch/$judge.status")" ]; then
        fail "$where: exit status $status"
        show_stderr "$1"
    fi
    if ! diff "$scratch/$judge.out" "$scratch/$1.out" >"$scratch/diff"; then
        fail "$where: stdout differs (< $judge, > $1)"
        head -n 20 "$scratch/diff"
    fi
}

# The output that counts: that of the reference, $judge. A compiler's own runtime that hangs or crashes runs again:
# libomp 14 did once in some thirty runs of taskloop_clauses. If it hangs again, as on a busy machine, the ways are
# compared with each other. A status other than 0 is a result.
ask_reference() { # THREADS ENVIRONMENT WAY...
    judge=$reference
    for _ in 1 2; do
        run_once "$judge" "$1" "$2"
        status=$(cat "$scratch/$judge.status")
        [ "$judge" = "$own" ] && [ "$status" -ge 124 ] || break
    done
    if [ "$judge" = "$own" ] && [ "$status" -eq 124 ]; then
        echo "NOTE $name: $own, OMP_NUM_THREADS=$1${2:+, $2}: no end in $patience s, twice; $3 is asked instead"
        judge=$3
        run_once "$judge" "$1" "$2"
        status=$(cat "$scratch/$judge.status")
    fi
    [ "$status" -eq 0 ]
}

run_ways() { # THREADS ENVIRONMENT
    if [ $runs -gt 0 ] && [ -z "$all" ]; then
        # shellcheck disable=SC2086 # the ways are words
        set -- "$1" "$2" $(in_turn $ways)
        if [ "$reference" != "$own" ] || [ -n "$(directive 'checks itself')" ]; then
            run_alone "$1" "$2" "$3"
            return
        fi
    else
        # shellcheck disable=SC2086
        set -- "$1" "$2" $ways
    fi
    if ! ask_reference "$@"; then
        fail "$judge, OMP_NUM_THREADS=$1${2:+, $2}: exit status $status, so there is nothing to compare with"
        show_stderr "$judge"
        return
    fi
    count=$1
    environment=$2
    shift 2
    for way in "$@"; do
        [ "$way" = "$judge" ] || run_once "$way" "$count" "$environment"
        compare "$way" "$count" "$environment"
        runs=$((runs + 1))
    done
}

# One of the ways.
in_turn() { # WAY...
    shift $((runs % $#))
    echo "$1"
}

# The program's own verdict counts.
run_alone() { # THREADS ENVIRONMENT WAY
    run_once "$3" "$1" "$2"
    runs=$((runs + 1))
    status=$(cat "$scratch/$3.status")
    [ "$status" -eq 0 ] && return
    fail "$3, OMP_NUM_THREADS=$1${2:+, $2}: exit status $status"
    show_stderr "$3"
}

ways=
if [ -n "$preload" ] && served_by preload "$preload"; then
    ways="$ways preload"
fi
if [ -n "$folder" ] && served_by folder "$folder/$served"; then
    ways="$ways folder"
fi
if [ -z "$ways" ]; then
    fail "no way left to compare; TEST_PRELOAD is '$preload', TEST_FOLDER is '$folder'"
    exit 1
fi
reference=$own
if [ -n "$(directive "beyond $own")" ]; then
    # shellcheck disable=SC2086 # the ways are words
    set -- $ways
    reference=$1
fi
threads=$(directive threads)
directive env >"$scratch/environments"
[ -s "$scratch/environments" ] || echo >"$scratch/environments"

# Of the thread counts that the program may have.
if [ -n "$few" ]; then
    two=$(printf '%s\n' ${threads:-2} | grep -x 2 || printf '%s\n' $threads | tail -n 1)
    eight=$(printf '%s\n' ${threads:-8} | grep -x 8)
fi

runs=0
while IFS= read -r environment <&3; do
    if [ -z "$few" ]; then
        for count in ${threads:-1 2 8}; do
            run_ways "$count" "$environment"
        done
    elif [ $runs -eq 0 ]; then
        run_ways "$two" "$environment"
        [ -z "$eight" ] || run_alone "$eight" "$environment" folder
    else
        run_alone "$two" "$environment" folder
    fi
done 3<"$scratch/environments"

[ "$failures" -eq 0 ] || exit 1
echo "PASS $name: $runs runs compared with $reference"
