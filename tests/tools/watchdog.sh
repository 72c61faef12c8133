#!/bin/sh
# watchdog.sh CC PRELOAD LIBRARY [FLAGS...]: BLITZ_WATCHDOG says of programs that hang who waits where, and nothing of those
# that do not. Built by CC with the flags. Under Blitz, the library PRELOAD; or with PRELOAD none under the compiler's own
# runtime, with the watchdog as the tool LIBRARY.
here=$(cd "$(dirname "$0")" && pwd)
usage='usage: watchdog.sh CC PRELOAD LIBRARY [FLAGS...]'
cc=${1:?$usage} preload=${2:?$usage} library=${3:?$usage}
shift 3
. "$here/../plain_env.sh"
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
source=$here/watchdog_program.c
"$cc" -g -O0 -w -fopenmp "$@" "$source" -o program -pthread || exit 1
export OMP_NUM_THREADS=2
if [ "$preload" != none ]; then
  export LD_PRELOAD="$preload"
else
  export OMP_TOOL_LIBRARIES="$library"
fi
status=0

fail() { echo "$*"; status=1; }

# line FUNCTION TEXT: the number of the first line in the function that has the text.
line() {
  awk -v begin="^static.*[ *]$1\\\\(" -v text="$2" '$0 ~ begin { on = 1 } on && index($0, text) { print NR; exit }' "$source"
}

blocked='reading_in_region reading_in_turn reading_in_group'

# nothing NAME: for a while, or until the report of one that is blocked is complete, whenever that is on a busy machine.
nothing() {
  case " $blocked " in
    *" $1 "*)
      tries=0
      until grep -qs 'This may be no hang' "$1.err" || [ $tries = 200 ]; do
        sleep 0.1
        tries=$((tries + 1))
      done
      ;;
    *) sleep 1.3 ;;
  esac
}

# run NAME SETTING: in the background, all at once, with nothing to read.
run() {
  { nothing "$1" | BLITZ_WATCHDOG=$2 timeout 30 ./program "$1" 1.2 > "$1.out" 2> "$1.err"; echo $? > "$1.rc"; } &
}

# says NAME TEXT...: the report has each of the texts, where FUNCTION@TEXT@ is the place of a text in a function.
says() {
  name=$1
  shift
  for wanted in "$@"; do
    while true; do
      case $wanted in
        *@*@*) ;;
        *) break ;;
      esac
      head=${wanted%%@*} rest=${wanted#*@}
      text=${rest%%@*} tail=${rest#*@} function=${head##* }
      wanted="${head% *} watchdog_program.c:$(line "$function" "$text") ($function)$tail"
    done
    grep -qF -e "$wanted" "$name.err" || fail "$name: does not say '$wanted': $(cat "$name.err")"
  done
}

hangs='barrier critical_in_itself two_locks lock_and_critical detached in_taskgroup depends_on_detached ordered nested_lock
  task_in_critical undeferred in_own_thread'
quiet='long_body sleeping_body serial_phase reading short_regions slow_chunks fulfilled after_depend
  held_outside trickling'
# Not under libomp, which does not know of the child's locks, tells nothing of doacross waits, and whose threads keep the
# process.
[ "$preload" = none ] || hangs="$hangs in_child doacross" quiet="$quiet main_leaves"
for name in $hangs $quiet $blocked; do run "$name" 0.5,exit=9; done
wait

for name in $hangs; do
  [ "$(cat "$name.rc")" = 9 ] || fail "$name: ends with $(cat "$name.rc")"
  [ "$(grep -c 'watchdog: nothing has moved for 0.5 s' "$name.err")" = 1 ] || fail "$name: $(cat "$name.err")"
done
for name in $quiet; do
  [ "$(cat "$name.rc")$(cat "$name.out")" = 0done ] || fail "$name: ends with $(cat "$name.rc")"
  [ ! -s "$name.err" ] || fail "$name: $(cat "$name.err")"
done
for name in $blocked; do
  [ "$(cat "$name.rc")" = 0 ] || fail "$name: ends with $(cat "$name.rc")"
  ! grep -q cycle: "$name.err" || fail "$name: $(cat "$name.err")"
  says "$name" 'is blocked outside of OpenMP, in the system call read' 'This may be no hang'
done
says reading_in_region '1 of 2 members' 'missing: thread 0'

says critical_in_itself "at add_to_ledger@omp critical@" "holds itself, taken at critical_in_itself@omp critical@" \
  'cycle: thread 1 waits for critical'
says two_locks 'waits for the lock first_lock at two_locks@&first_lock);@' 'held by thread 0, taken at' \
  'holds the lock second_lock, taken at two_locks@&second_lock);@' 'cycle: thread 0 waits for the lock second_lock'
says in_own_thread 'which the thread holds itself, taken at lock_twice@omp_set_lock@' 'cycle: thread'
says lock_and_critical 'cycle: thread 0 waits for critical' 'thread 1 waits for the lock first_lock at' \
  'holds the lock first_lock, taken at lock_and_critical@omp_set_lock@'
says detached 'waits for the taskwait of detached@taskwait@' \
  'the task of detached@task detach@ on thread' 'its body has ended, and its event is not fulfilled'
says undeferred 'waits for the dependences of watchdog_program.c:' 'its event is not fulfilled' '(in of shared+4)'
[ "$preload" = none ] || says in_child 'cycle: thread 0 waits for the lock second_lock'
[ "$preload" = none ] || says doacross 'waits for an earlier iteration of the doacross loop at watchdog_program.c:' \
  'cycle: thread 0 waits for the lock first_lock'
says in_taskgroup 'waits for the end of the taskgroup of watchdog_program.c:' 'its event is not fulfilled'
says depends_on_detached 'not begun: waits for the task of depends_on_detached@detach(event) depend@' '(in of shared+4)' \
  '(in of shared+8)' '2 of 2 members' ' tasks)'
says ordered 'waits for its turn in an ordered loop at watchdog_program.c:' 'cycle: thread 0 waits for the lock first_lock'
says nested_lock 'waits for the nestable lock nest_lock at' 'held by thread 0, taken at nested_lock@omp_set_nest_lock@' \
  'the end of the region of watchdog_program.c:' ' (nested_lock): 1 of 2 members, for ' '; missing: thread 1'
says task_in_critical 'in the task of watchdog_program.c:' 'waits for critical' 'which the thread holds itself'
if [ "$preload" != none ]; then # where all barriers of a region are one
  says barrier 'waits for members that have met at different barriers, in the region of watchdog_program.c:'
else
  says barrier 'the end of the region of barrier@omp parallel@' 'the barrier of barrier@omp barrier@' '1 of 2 members'
fi
exit $status
