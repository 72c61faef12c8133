#!/bin/sh
# trace.sh FOLDER COMPILER...: BLITZ_TRACE under programs of each compiler, with the library in FOLDER: what the trace has,
# and that it is written however the program ends.
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:?usage: trace.sh FOLDER COMPILER...}
shift
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
status=0

fail() { echo "$*"; status=1; }

# run STATUS HOW: the program, its trace in t.json, and what it says in `said`.
run() {
  rm -f t.json
  how=$(basename "$cc").$2
  LD_LIBRARY_PATH=$folder OMP_NUM_THREADS=4 timeout 60 ./program "$2" > said 2> errors
  ended=$?
  [ "$ended" = "$1" ] || fail "$cc $2: ends with $ended: $(cat errors)"
}

# trace FILE FACT...: it must be valid, and have these facts: all are checked at the end, so that python starts only
# once.
count=0
trace() {
  file=$1 count=$((count + 1))
  shift
  cp "$file" "$count.$how.json" || fail "$cc $how: no $file"
  printf '%s\n' "$count.$how.json" "$@" -- >> checks
}

# quiet HOW: nothing was said on standard error but where the trace is.
quiet() {
  [ "$(cat errors)" = "libblitz-omp: BLITZ_TRACE: written to $scratch/t.json" ] || fail "$cc $1: $(cat errors)"
}

for cc in "$@"; do
  "$cc" -O1 -g -w -fopenmp "$here/trace_program.c" -o program || fail "$cc: cannot build"
  export BLITZ_TRACE=t.json

  run 0 tasks
  quiet tasks
  trace t.json 'threads=4' 'tasks=162' 'dropped=0' 'name:parallel region=1' 'name:implicit task=4' \
    'name:taskwait>=1' 'name:taskwait<=31' 'name:^single=2' 'name:^chunk=40' \
    'name:barrier>=4' 'name:critical>=4' 'name:^task trace_program.c:=162' 'name:(tree)>=62'

  run 0 chain
  trace t.json 'tasks=20' 'dependences=19'

  run 0 chunks
  trace t.json 'name:^chunk=20' 'iterations=2000000' 'tasks=40'

  "$cc" -O1 -g -w -fopenmp "$here/trace_fine.c" -o fine || fail "$cc: cannot build"
  rm -f t.json
  how=$(basename "$cc").fine
  LD_LIBRARY_PATH=$folder OMP_NUM_THREADS=4 timeout 60 ./fine 2> errors || fail "$cc fine: $(cat errors)"
  trace t.json 'tasks=45005' 'dropped=0' 'left=0'

  OMP_CANCELLATION=true
  export OMP_CANCELLATION
  run 0 discards
  trace t.json 'tasks<=45' 'left=0'
  unset OMP_CANCELLATION

  run 0 yields
  trace t.json 'tasks=40'

  run 5 exit
  trace t.json 'threads=4' 'tasks>=1' 'tasks<=50'
  run 6 quick_exit
  trace t.json 'threads=4' 'tasks>=1' 'tasks<=50'
  run 139 segv
  trace t.json 'threads=4' 'tasks>=1' 'tasks<=50' 'name:trace_program.c>=1'
  run 130 interrupt
  trace t.json 'threads=4' 'tasks>=1' 'tasks<=50' 'name:trace_program.c>=1'
  run 141 pipe
  trace t.json 'threads=4' 'tasks>=1' 'tasks<=50' 'name:trace_program.c>=1'
  run 143 term
  trace t.json 'threads=4' 'tasks>=1' 'tasks<=50' 'name:trace_program.c>=1'
  LD_LIBRARY_PATH=$folder OMP_NUM_THREADS=4 timeout 60 python3 "$here/trace_pipe.py" ./program || status=1
  for how in interrupt:130 term:143 hang_up:129 segv:139 alarm:142 real_time:165; do
    rm -f s.json
    (unset BLITZ_TRACE; BLITZ_STATS=s.json run "${how#*:}" "${how%:*}"; exit $status) || status=1
    grep -q '"place": "trace_program.c:[0-9]* (end_within)", .*"created": 50' s.json || fail "$cc: no statistics after $how"
    (unset BLITZ_TRACE; BLITZ_STATS=1 run "${how#*:}" "${how%:*}"; exit $status) || status=1
    grep -q '^parallel regions ' errors || fail "$cc: no table after $how: $(cat errors)"
  done
  BLITZ_STATS=s.json run 143 term
  grep -q '"place": "trace_program.c:' s.json || fail "$cc: no statistics beside a trace"
  trace t.json 'threads=4' 'tasks>=1' 'tasks<=50'
  run 7 handler
  grep -q '^own handler$' said || fail "$cc: the program's own handler does not run"

  run 0 fork
  trace t.json 'tasks=174' 'name:parallel region=2'
  child=$(sed -n 's/^child //p' said)
  trace "t.$child.json" 'tasks=72' 'name:parallel region=1'
  [ "$(ls t.*.json | wc -l)" = 1 ] || fail "$cc fork: $(ls t.*.json | tr '\n' ' '): one was expected"
  rm -f t.*.json

  BLITZ_TRACE_SIZE=64k
  export BLITZ_TRACE_SIZE
  run 0 many
  grep -q 'BLITZ_TRACE: the last [0-9]* events are missing; to keep them, set BLITZ_TRACE_SIZE above 64k' errors ||
    fail "$cc: nothing is said of what is missing: $(cat errors)"
  trace t.json 'dropped>=1000' 'tasks<=4000' 'tasks>=300'
  unset BLITZ_TRACE_SIZE
done

BLITZ_TRACE=t.txt run 0 tasks
grep -q "BLITZ_TRACE=t.txt: invalid value, must end in .html or .json; no trace is written" errors ||
  fail "t.txt: $(cat errors)"
(ulimit -f 1 && run 125 tasks && grep -q "BLITZ_TRACE=.*/t.json: File too large; no report is written$" errors) ||
  fail "a file too large: $(cat errors)"
[ -e t.json ] && [ ! -s t.json ] || fail "a file too large is left in part"
ln -s /dev/full full.json
for variable in BLITZ_TRACE BLITZ_STATS; do
  (unset BLITZ_TRACE; export $variable=full.json; run 125 tasks; exit $status) || status=1
  grep -q "$variable=.*/full.json: No space left on device; no report is written$" errors || fail "full: $(cat errors)"
done
BLITZ_TRACE=none/t.json run 125 tasks
grep -q "BLITZ_TRACE=.*/none/t.json: No such file or directory; no trace is made" errors ||
  fail "none/t.json: $(cat errors)"
BLITZ_TRACE_SIZE=1k run 0 tasks
grep -q "BLITZ_TRACE_SIZE=1k: invalid value" errors || fail "1k: $(cat errors)"
BLITZ_TRACE=r%p.html PMI_RANK=3 run 0 tasks
[ -s r[0-9]*.html ] || fail "no file of the process's number"
xargs -d '\n' python3 "$here/trace_check.py" < checks || status=1
exit $status
