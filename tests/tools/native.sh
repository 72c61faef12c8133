#!/bin/sh
# native.sh RUN SHARED STATIC INCLUDE CC: what the tools say of native_program.c, a program of blitz.h, built by CC and put
# on its way by RUN, blitz-run: with libblitz.so (SHARED) and with libblitz.a (STATIC; - for none).
here=$(cd "$(dirname "$0")" && pwd)
usage='usage: native.sh RUN SHARED STATIC INCLUDE CC'
run=${1:?$usage} shared=${2:?$usage} static=${3:?$usage} include=${4:?$usage} cc=${5:?$usage}
. "$here/../plain_env.sh"
unset BLITZ_STATS BLITZ_TRACE BLITZ_WATCHDOG
export LC_ALL=C
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
source=$here/native_program.c
status=0
fail() { echo "$*"; status=1; }

# at WORDS: the line of the program with that comment.
at() { grep -n "/\* $1 \*/" "$source" | cut -d: -f1; }

# task KEY FUNCTION WORDS IN NUMBER: of the function that is spawned on the line with these WORDS, in function IN, that key
# of all.json has the number.
task() {
  row=$(grep -F "\"place\": \"$2 at native_program.c:$(at "$3") ($4)\"" all.json)
  got=$(printf '%s\n' "$row" | sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p")
  [ "$got" = "$5" ] || fail "$program: $1 of $2 at $3 is '$got', not $5"
}

# counts: all.json is of a run of "all".
counts() {
  task created cilk_fib cilk cilk_fib 232
  task ended cilk_fib cilk cilk_fib 232
  task created fork_fib fork fork_fib 232
  task ended fork_fib fork fork_fib 232
  task created join_fib join join_fib 232
  task ended join_fib join join_fib 232
  task ended fork_fib call use_all 1
  task created job submit use_all 10
  task ended job submit use_all 10
  task ended job spawn use_all 7
  task ended value future use_all 1
}

# slices NUMBER NAME: x.json has that many slices of that name.
slices() {
  got=$(grep -oF "\"name\":\"$2\"" x.json | wc -l)
  [ "$got" = "$1" ] || fail "$program: $got slices $2, not $1"
}

"$cc" -g -O2 -Wno-unknown-pragmas -I "$include" "$source" -o shared -Wl,-rpath,"$(dirname "$shared")" "$shared" || exit 1
programs=shared
if [ "$static" != - ]; then
  "$cc" -g -O2 -Wno-unknown-pragmas -I "$include" "$source" -o linked "$static" -lpthread || exit 1
  programs='shared linked'
fi
for program in $programs; do
  # Nothing is loaded where nothing is asked for, and nothing where a program never calls blitz.h.
  said=$("./$program" 2>&1)
  [ "$said" = '144 144 144 42' ] || fail "$program: '$said'"
  said=$("$run" --stats "./$program" nothing 2>&1)
  [ "$said" = nothing ] || fail "$program nothing: '$said'"

  # Statistics.
  for workers in 1 2 5 0; do
    BLITZ_WORKERS=$workers "$run" --stats=all.json "./$program" > out 2> err || fail "$program: status $?, $(cat err)"
    [ "$(cat out)" = '144 144 144 42' ] || fail "$program: '$(cat out)'"
    counts
  done
  "$run" --stats "./$program" > out 2> err
  grep -q "^blitz: statistics of $program, process " err || fail "$program: no table: $(cat err)"
  grep -A 1 '^pools$' err | grep -q ' workers: .* stolen in .* asleep' || fail "$program: no pool: $(cat err)"

  # A pool that ends, jobs that never begin.
  "$run" --stats=all.json "./$program" pool > out 2> err || fail "$program pool: status $?, $(cat err)"
  [ "$(grep -c '"cancelled": 1,' all.json)" = 2 ] || fail "$program pool: $(cat all.json)"
  grep -q '^    "2 workers: ' all.json || fail "$program pool: $(cat all.json)"

  # The forked call of a join outside of pools.
  "$run" --stats=all.json "./$program" outside > out 2> err || fail "$program outside: status $?, $(cat err)"
  task ended job outside main 1

  # Pieces of loops, a call on each thread of a pool.
  "$run" --stats=all.json "./$program" loops > out 2> err || fail "$program loops: status $?, $(cat err)"
  task ended piece for use_loops 100
  task ended map reduce use_loops 1
  task ended job join_n use_loops 5
  task ended each broadcast use_loops 3
  grep -q "\"piece at native_program.c:$(at fine) (use_loops)\"" all.json || fail "$program loops: $(cat all.json)"

  # A misuse names the function of the program.
  for by in '' future; do
    # shellcheck disable=SC2086 # no word or one
    "$run" --stats=all.json "./$program" misuse $by > out 2> err && fail "$program misuse: status 0"
    grep -q "^blitz: blitz_.*submit: function $(cat out): returned with" err ||
      fail "$program misuse: not $(cat out) in $(cat err)"
  done

  # The child of a fork counts for itself.
  rm -f all*.json
  "$run" --stats=all.json "./$program" child > out 2> err || fail "$program child: status $?, $(cat err)"
  counts
  mv all.*.json all.json && counts

  # A timeline: a slice for each task and wait, with the same names; and the page.
  rm -f x.json x.html
  "$run" --trace=x.json "./$program" > out 2> err || fail "$program: status $?, $(cat err)"
  slices 232 "task cilk_fib at native_program.c:$(at cilk) (cilk_fib)"
  slices 232 "task fork_fib at native_program.c:$(at fork) (fork_fib)"
  slices 10 "task job at native_program.c:$(at submit) (use_all)"
  "$run" --report=x.html "./$program" > out 2> err || fail "$program: status $?, $(cat err)"
  grep -qF "\"word\":\"task\",\"place\":\"fork_fib at native_program.c:$(at fork) (fork_fib)\"" x.html ||
    fail "$program: no fork_fib in the page"
  rm -f x.json x.html

  # Waits that end by themselves, and a thread outside, are no hang.
  for case in limit lent; do
    "$run" --watchdog 0.3,exit=9 --trace=$case.json "./$program" $case > out 2> err || fail "$program $case: status $?"
    grep -v ': written to ' err && fail "$program $case: $(cat err)"
  done
  mv limit.json x.json
  slices 1 "future native_program.c:$(at other) (wait_for_other)"
  slices 0 "future native_program.c:$(at one) (wait_for_one)"
  rm -f x.json lent.json

  # Two futures that wait for each other.
  "$run" --watchdog 0.3,exit=9 "./$program" ring > out 2> err
  got=$?
  [ "$got" = 9 ] || fail "$program ring: status $got"
  for line in \
    "cycle: the task of wait_for_other at native_program.c:$(at first) (wait_in_ring) on thread [0-9]* waits for a future at\
 native_program.c:$(at other) (wait_for_other), which needs the task of wait_for_one at native_program.c:$(at second)" \
    "    the task of wait_for_one at native_program.c:$(at second) (wait_in_ring) on thread [0-9]* waits for a future at\
 native_program.c:$(at one) (wait_for_one), which needs the task of wait_for_other"; do
    grep -q "$line" err || fail "$program ring: no '$line' in $(cat err)"
  done
done

# A program of OpenMP that takes blitz.h from libblitz-omp: the tools show both.
program=joined
if "$cc" -g -O2 -fopenmp -I "$include" "$source" -o joined -Wl,-rpath,"$(dirname "$shared")" -L "$(dirname "$shared")" \
  -lblitz-omp -lpthread 2> log; then
  for workers in 1 2 5; do
    BLITZ_WORKERS=$workers "$run" --stats=all.json ./joined openmp > out 2> err || fail "joined: status $?, $(cat err)"
    [ "$(cat out)" = '8
144 144 144 42' ] || fail "joined: '$(cat out)'"
    counts
    task ended open_region outer use_openmp 3
    task ended job region use_openmp 2
    grep -q "\"place\": \"native_program.c:[0-9]* (open_region)\", .*\"calls\": 3," all.json || fail "joined: no region"
    grep -q "^    \"$workers workers: " all.json || fail "joined: no pool"
  done
  "$run" --trace=x.json ./joined openmp > out 2> err || fail "joined: status $?, $(cat err)"
  slices 3 "task open_region at native_program.c:$(at outer) (use_openmp)"
  slices 2 "task job at native_program.c:$(at region) (use_openmp)"
  slices 232 "task fork_fib at native_program.c:$(at fork) (fork_fib)"
  rm -f x.json
  "$run" --watchdog 0.3,exit=9 ./joined openmp ring > out 2> err
  got=$?
  [ "$got" = 9 ] || fail "joined ring: status $got"
  grep -q "cycle: the task of wait_for_other at .* waits for a future at .*, which needs the task of wait_for_one" err ||
    fail "joined ring: $(cat err)"
fi

# With libblitz-omp in one process: the tools are for the one that is used first, and a line says so of the other one. And
# a program that another one starts, which has libblitz-omp preloaded.
cat > both.c << 'END'
#include <blitz.h>
static void job(void *arg) { ++*(int *)arg; }
int main(int argc, char **argv) {
    int n = 0;
    (void)argv;
    if (argc > 1) blitz_call(0, job, &n);
#pragma omp parallel num_threads(2)
    n += argc;
    blitz_call(0, job, &n);
    return 0;
}
END
"$cc" -g -O1 -w -fopenmp -I "$include" both.c -o both -Wl,-rpath,"$(dirname "$shared")" "$shared" 2> log || : > both
taken='another runtime in the process uses libblitz-tools.so; no tool runs for this one'
for order in '' first; do
  [ -x both ] || break
  # shellcheck disable=SC2086 # no word or one
  "$run" --stats ./both $order > out 2> err || fail "both: status $?"
  # A program of clang's begins OpenMP before main.
  grep -q '^blitz-omp: statistics of both,' err && grep -q "^blitz: BLITZ_STATS=1: $taken" err && continue
  grep -q '^blitz: statistics of both,' err && grep -q "^libblitz-omp: BLITZ_STATS=1: $taken" err && [ -n "$order" ] ||
    fail "both $order: $(cat err)"
done
"$run" --stats sh -c './shared; exit 0' > out 2> err
grep -q '^blitz: statistics of shared, ' err && grep -q '^  fork_fib at ' err || fail "started by sh: $(cat err)"

# Tools that are missing, of another version, or taken: one line, and the program goes on.
says() {
  line=$1
  shift
  said=$(env BLITZ_STATS=x.json "$@" 2>&1 > out)
  # shellcheck disable=SC2254 # a pattern
  case $said in $line) ;; *) fail "$*: '$said'" ;; esac
  [ "$(cat out)" = '144 144 144 42' ] || fail "$*: '$(cat out)'"
}
mkdir alone
cp "$shared" alone/libblitz.so
says 'blitz: BLITZ_STATS=x.json: libblitz-tools.so: cannot open *; no tool runs' \
  LD_PRELOAD="$scratch/alone/libblitz.so" ./shared
sed 's/libblitz [0-9]\.[0-9]\.[0-9]/libblitz 9.9.9/' "$(dirname "$shared")/blitz/libblitz-tools.so" > alone/libblitz-tools.so
says "blitz: BLITZ_STATS=x.json: libblitz-tools.so belongs to libblitz 9.9.9 and not to libblitz *; no tool runs" \
  LD_PRELOAD="$scratch/alone/libblitz.so" ./shared
if [ "$static" != - ] && "$cc" -static -g -O2 -I "$include" "$source" -o static "$static" -lpthread 2> log; then
  [ ! -s log ] || fail "static: $(cat log)"
  says "blitz: BLITZ_STATS=x.json: the program is linked statically (the runtime is */static); no tool runs" ./static
  said=$("$run" --stats ./static 2>&1)
  case $said in *'./static is linked statically'*) ;; *) fail "static: '$said'" ;; esac
fi
[ ! -e x.json ] || fail 'a report in vain'
exit $status
