#!/bin/sh
# gdb.sh RUN CC [CLANG LIBOMP]: a debugger's view of a program: backtraces through our frames, teams and waits of a
# process and of its core file, the names of threads. 77: no gdb, or it may not attach to processes.
. "$(dirname "$0")/rig.sh"
clang=${1:-} libomp=${2:-}
cd "$scratch" || exit 2
command -v gdb > log || { echo 'no gdb'; exit 77; }
script=$(dirname "$run")/../share/blitz/blitz-gdb.py
printf 'set debuginfod enabled off\nset breakpoint pending on\nset pagination off\n' > setup
gdb='timeout --foreground 150 gdb -q -nx -batch -ix setup'
"$cc" -g -O1 -fopenmp "$here/stuck.c" -o stuck || exit 2
line() { grep -n "$1" "$here/stuck.c" | cut -d : -f 1 | sed -n "${2:-1}p"; }
region=$(line 'omp parallel' 2)

# has PATTERN...: lines that $said, the output of $what, must have.
has() {
  for pattern in "$@"; do
    printf '%s\n' "$said" | grep -qE -e "$pattern" || { echo "$what: nothing like '$pattern' in:"; echo "$said"; status=1; }
  done
}

# Backtraces from inside a task, on the thread's stack and on a fiber's, end where they have begun; so does each thread's.
what=backtraces
said=$($gdb -ex 'break in_task' -ex 'break in_fiber' -ex 'break hold' -ex run -ex bt -ex 'echo --fiber\n' -ex c -ex bt \
  -ex 'echo --threads\n' -ex c -ex 'thread apply all bt' -ex "source $script" -ex 'info blitz' \
  -ex 'generate-core-file core' -ex 'echo --damaged\n' -ex 'thread 1' \
  -ex 'set variable ((struct bomp_member *) bz_context)->current = (void *) 8' -ex 'info blitz' -ex kill \
  --args "$run" ./stuck 2>&1 < /dev/null)
case $said in
  *ptrace* | *'not trace'*) echo "$said"; exit 77 ;;
esac
damaged=$(printf '%s\n' "$said" | sed -n '/^--damaged/,$p')
said=$(printf '%s\n' "$said" | sed '/^--damaged/,$d')
has ' in_task \(\)' ' in (bomp_parallel|bz_team_end) ' ' main \(' ' in bz_os_context_begin \(\)' \
  '^#[0-9]+ +(0x[0-9a-f]+ in )?member_main \(' ' in [_A-Z]*clone'
fiber=$(printf '%s\n' "$said" | sed -n '/^--fiber/,/^--threads/p')
! printf '%s\n' "$fiber" | grep ' main (' || { echo 'in_fiber is not on a stack of its own'; status=1; }
! printf '%s\n' "$said" | grep -E '\?\?|corrupt|Cannot access|previous frame' || { echo "$said"; status=1; }
team="^Team of 3, level 1, of deadlock, stuck.c:$region\$"
zero='^ +0 thread 1( "[a-z]*")?: implicit task, runs at hold, stuck.c:'
one='^ +1 thread [23].*: implicit task, waits for critical construct alpha, held by thread 1( "[a-z]*")?, at deadlock, '
two='^ +2 thread [23].*: implicit task, waits for a barrier, at deadlock, stuck.c:'
has "$team" "$zero" "$one" "$two"
what='a core file'
said=$($gdb -x "$script" -ex 'info blitz' ./stuck core 2>&1)
has "$team" "$zero" "$one" "$two"
# A pointer that leads nowhere, as in a damaged core file, hides what it leads to, and no more.
what='a damaged process'
said=$damaged
has "$team" "$one" "$two" '^ +0 thread 1( "[a-z]*")?: cannot be read: Cannot access'

# Tasks that have not begun: where they are queued, or their predecessors; and those that wait for their events.
what='tasks that have not begun'
unbegun() {
  OMP_MAX_TASK_PRIORITY=9 OMP_WAIT_POLICY=passive $gdb -ex 'break queued' -ex 'break hold' -ex run -ex "source $script" \
    -ex 'info blitz' -ex 'echo --waits\n' -ex c -ex 'info blitz' -ex kill --args "$run" "$1" tasks 2>&1 < /dev/null
}
task() { printf 'task of unbegun, stuck.c:%d' "$(line "$1" "${2:-1}")"; }
first=$(task 'task depend(out : input)')
second=$(task 'task depend(in : input)')
said=$(unbegun ./stuck)
waits=$(printf '%s\n' "$said" | sed -n '/^--waits/,$p')
has "waits: $second, for $first, which runs on thread 2" \
  "waits: $(task 'task depend(in : result)'), for $second, which waits, too\$" \
  "queued by thread 1( \"stuck\")?: $(task 'omp task$' 3) \(3 tasks\)" \
  "queued with priority 5: $(task 'priority(5)')" \
  "queued by thread 1( \"stuck\")?: $(task 'omp taskloop') \(4 tasks\)"
said=$waits
has "^ +[01] thread 1( \"stuck\")?: implicit task, waits for tasks that it depends on" \
  "^ +thread 1( \"stuck\")? waits for: $first, which runs on thread 2" \
  "waits for its event: $(task 'detach(event)')\$"

# The stack has no frame of the code that a thread runs where that has jumped: what a thread does is the library's to say.
what='code that ends with a call'
jumped() {
  OMP_WAIT_POLICY=passive $gdb -ex 'break pause' -ex run -ex "source $script" -ex 'info blitz' -ex kill \
    --args "$run" "$1" jumped 2>&1 < /dev/null
}
"$cc" -g -O2 -fopenmp "$here/stuck.c" -o quick || exit 2
opened="^Team of 2, level 1, of jumped, stuck.c:$(line 'omp parallel num_threads(2)' 2)\$"
said=$(jumped ./quick)
has "$opened" '^ +[01] thread 1( "[a-z]*")?: implicit task, waits for a child task$' \
  '^ +[01] thread 2.*: task of jumped, stuck.c:[0-9]+, runs'

# So is the place of a task that runs in a wait: the program's code on the stack is not its own.
what='a task in a wait'
said=$($gdb -ex 'break pause' -ex run -ex "source $script" -ex 'info blitz' -ex kill --args "$run" ./quick waited \
  2>&1 < /dev/null)
has "^ +0 thread 1( \"quick\")?: task of waited, stuck.c:$(line 'TWO_EQUAL_TASKS;'), runs\$" \
  "^ +queued by thread 1( \"quick\")?: task of waited, stuck.c:$(line 'TWO_EQUAL_TASKS;')\$"

if [ -n "$clang" ]; then
  "$clang" -g -O1 -fopenmp "$here/stuck.c" -o clang -L"$(dirname "$libomp")"
  "$clang" -g -O2 -fopenmp "$here/stuck.c" -o quick -L"$(dirname "$libomp")"
  what="code of clang's"
  said=$(jumped ./quick)
  has "$opened" '^ +[01] thread 1( "[a-z]*")?: implicit task, waits for a child task' \
    '^ +[01] thread 2.*: task of (jumped, )?stuck.c:[0-9]+, runs'
  said=$($gdb -ex 'break hold' -ex run -ex "source $script" -ex 'info blitz' -ex kill --args "$run" ./clang 2>&1 < /dev/null)
  has "$team" "$zero" "$one" '^ +2 thread [23].*: implicit task, waits for a barrier' # which is the last that it calls
  said=$(unbegun ./clang)
  has 'waits: task of (unbegun, )?stuck.c:[0-9]+, for task of (unbegun, )?stuck.c:[0-9]+, which runs on thread 2' \
    'queued by thread 1( "clang")?: task of (unbegun, )?stuck.c:[0-9]+ \(3 tasks\)' \
    'queued by thread 1( "clang")?: task of (unbegun, )?stuck.c:[0-9]+ \(4 tasks\)' \
    'queued with priority 5: task of (unbegun, )?stuck.c:' 'waits for its event: task of (unbegun, )?stuck.c:[0-9]+$'
fi

what='a program without OpenMP'
echo 'int main(void) { return 0; }' | "$cc" -x c - -o none
said=$($gdb -x "$script" -ex 'info blitz' -ex 'break main' -ex run -ex 'info blitz' -ex kill ./none 2>&1)
has 'info blitz: there is no process' 'info blitz: there is no Blitz in this process of .*/none$'

# A profiler sees the same, where there is one that may look. It starts the program itself: where that is started by another
# one, perf 6.1 mixes up the two.
what=perf
if command -v perf > log && "$run" perf record -q --call-graph dwarf -o data ./stuck busy > log 2>&1; then
  said=$(perf script -i data 2> log | awk '/ in_task/ { inside = 1 } NF == 0 { inside = 0 } inside { print $2 }' | sort -u)
  has '^in_task' '^bz_team_end|^bomp_parallel_end' '^main'
fi

# attach_until PATTERN PROGRAM ARGUMENT...: the report on the program as soon as two lines have the pattern.
attach_until() {
  pattern=$1
  shift
  "$@" &
  process=$!
  tries=0
  until said=$("$run" --attach $process 2>&1 < /dev/null) &&
    [ "$(printf '%s\n' "$said" | grep -c "$pattern")" = 2 ] || [ $tries = 50 ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
  kill -9 $process
}

# A process that already hangs, with names of threads, and only the requested parts; if gdb may attach.
[ "$(id -u)" = 0 ] || [ "$(cat /proc/sys/kernel/yama/ptrace_scope 2>&1)" = 0 ] || exit $status
"$run" ./stuck > out &
process=$!
tries=0
until grep -qs stuck out || [ $tries = 200 ]; do
  sleep 0.05
  tries=$((tries + 1))
done
what='blitz-run --attach'
said=$("$run" --attach $process 2>&1 < /dev/null)
has "$team" '^ +0 thread 1 "stuck": ' '^ +1 thread [23] "blitz/[0-9]+": .*held by thread 1 "stuck"' "$one" "$two"
[ "$(printf '%s\n' "$said" | wc -l)" = 4 ] || { echo "more than the team: $said"; status=1; }
what='blitz-run --attach to a thread'
for thread in "/proc/$process/task"/*; do
  said=$("$run" --attach "${thread##*/}" 2>&1 < /dev/null)
  has "$team" "$one" "$two"
done
kill -9 $process

# Link-time optimization leaves parts of the debug information without lines.
what='--attach, -flto'
cat > lto.c << 'EOF'
#include <unistd.h>
int main(void) {
    alarm(100);
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
        sleep(100);
#pragma omp taskwait
    }
}
EOF
"$cc" -g -O3 -flto -fopenmp lto.c -o lto || exit 2
attach_until ': task of main\|: implicit task, waits' "$run" ./lto
has '^Team of 2, level 1, of main, lto.c:' ': task of main, lto.c:[789], runs'

# refuses WHAT PROGRAM PATTERN [USER...]: the message when it can show nothing, as that user, in one line with status
# 125.
refuses() {
  what="--attach, $1"
  LD_LIBRARY_PATH=$scratch/lib "$2" > out &
  process=$!
  tries=0
  until grep -qs stuck out || [ $tries = 200 ]; do
    sleep 0.05
    tries=$((tries + 1))
  done
  pattern=$3
  shift 3
  said=$("$@" "$run" --attach $process 2>&1 < /dev/null)
  rc=$?
  [ "$rc $(printf '%s\n' "$said" | wc -l)" = '125 1' ] || { echo "$what: status $rc: $said"; status=1; }
  has "^blitz-run: --attach: $pattern"
  kill -9 $process
}
built=$(dirname "$run")/../lib

# A program of blitz.h, linked with either library: its pool, and futures that wait for each other.
ring() {
  attach_until 'waits for the future' ./ring ring
  at() { grep -n "/\* $1 \*/" "$native" | cut -d : -f 1; }
  has '^Pool "blitz" of 3 workers, 2 submitted tasks not done$' \
    '^ +[012] thread [234] "blitz-[012]": has no work$' '^In no pool: thread 1 "ring"$' \
    "$each of wait_for_one, native.*, which thread [234].* runs, at wait_for_other, .*:$(at other)$" \
    "$each of wait_for_other, native.*, which thread [234].* runs, at wait_for_one, .*:$(at one)$"
  [ "$(printf '%s\n' "$said" | wc -l)" = 5 ] || { echo "more than the pool: $said"; status=1; }
}
native=$here/../tools/native_program.c
each='^ +[012] thread [234].*: waits for the future'
for library in libblitz.so libblitz.a; do
  what="--attach, $library"
  [ -e "$built/$library" ] || continue
  "$cc" -g -O1 -I"$here/../../include" "$native" "$built/$library" -Wl,-rpath,"$built" -lpthread -o ring || exit 2
  ring
done

# A pool's threads in code that ends with a call, so that the stack of one has no frame of the program.
what='--attach, calls'
cat > calls.c << 'EOF'
#include <blitz.h>
#include <unistd.h>
static void wait_here(void *arg) {
    (void)arg;
    pause();
}
int main(void) {
    alarm(100);
    blitz_join(wait_here, NULL, wait_here, NULL);
}
EOF
"$cc" -O2 -I"$here/../../include" calls.c "$built/libblitz.so" -Wl,-rpath,"$built" -o calls || exit 2
attach_until ': runs' env BLITZ_WORKERS=2 ./calls
has '^Pool "blitz" of 2 workers$' '^ +[01] thread 1 "calls": runs' '^ +[01] thread 2 "blitz-[01]": runs$'
if [ -e "$built/libblitz.a" ]; then
  what='--attach, libblitz.a without symbols'
  "$cc" -O2 -s -I"$here/../../include" calls.c "$built/libblitz.a" -lpthread -o stripped || exit 2
  BLITZ_WORKERS=2 ./stripped &
  process=$!
  tries=0
  until grep -qs '^blitz-1$' "/proc/$process/task"/*/comm || [ $tries = 200 ]; do
    sleep 0.05
    tries=$((tries + 1))
  done
  said=$("$run" --attach $process 2>&1 < /dev/null)
  has '^blitz-run: --attach: info blitz: .*/stripped has no debug information: build it with -g$'
  kill -9 $process
fi
mkdir lib
strip -g "$built/blitz/libgomp.so.1" -o lib/libgomp.so.1
name=$(readlink "$built/libblitz.so")
strip -g "$built/$name" -o "lib/$name"
cat > native.c << 'EOF'
#include <blitz.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
    printf("%s, stuck\n", blitz_version());
    fflush(stdout);
    pause();
}
EOF
printf '#include <stdio.h>\n#include <unistd.h>\nint main(void) { puts("stuck"); fflush(stdout); pause(); }\n' > plain.c
"$cc" plain.c -o plain && "$cc" -I"$here/../../include" native.c "lib/$name" -o native || exit 2
refuses 'no Blitz' ./plain 'info blitz: there is no Blitz in this process of .*/plain$'
refuses 'a native program' ./native 'info blitz: .*/libblitz.so.[0-9] has no debug information: build it with -g$'
refuses 'no debug information' ./stuck 'info blitz: .*/libgomp.so.1 has no debug information: build it with -g$'
nobody='setpriv --reuid=65534 --clear-groups'
# shellcheck disable=SC2086 # words
if [ "$(id -u)" = 0 ] && $nobody true 2> log; then
  refuses "another user's" ./plain "ptrace: Operation not permitted: it is another user's\$" $nobody
fi
exit $status
