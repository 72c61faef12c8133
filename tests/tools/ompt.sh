#!/bin/sh
# ompt.sh FOLDER INCLUDE CC [FLAG]...: how a tool is found and finalised, and what it hears of regions. FOLDER has the
# library, INCLUDE has omp-tools.h. CC makes the program and the tool.
folder=${1:?usage: ompt.sh FOLDER INCLUDE CC [FLAG]...} include=$2
shift 2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
here=$(cd "$(dirname "$0")" && pwd)
unset OMP_TOOL OMP_TOOL_LIBRARIES OMP_TOOL_VERBOSE_INIT MODE EXITS
"$@" -g -O1 -Wall -rdynamic "$here/ompt_program.c" -o "$scratch/program" &&
  "$@" -g -O1 -Wall -Werror -I "$include" -shared -fPIC "$here/ompt_tool.c" -o "$scratch/tool.so" &&
  "$1" -shared -fPIC -x c /dev/null -o "$scratch/empty.so" || exit 1
LD_LIBRARY_PATH=$folder
export LD_LIBRARY_PATH
bad=0

# expect WHAT TEXT...: what the last program has said has each text; one that begins with ! it has not.
expect() {
  what=$1
  shift
  for text in "$@"; do
    case $text in
      !*) ! grep -qF -e "${text#!}" "$scratch/said" ;;
      *) grep -qF -e "$text" "$scratch/said" ;;
    esac && continue
    echo "$what: not so: $text"
    sed 's/^/  /' "$scratch/said"
    bad=1
  done
}

# run VARIABLE=VALUE... -- ARGUMENT...: the program, for 30 s. Into the file $said, if it is set.
run() {
  set -- "$@" --
  variables=
  while [ "$1" != -- ]; do variables="$variables $1"; shift; done
  shift
  # shellcheck disable=SC2086
  env $variables timeout 30 "$scratch/program" ${1+"$1"} > "${said:-$scratch/said}" 2>&1
  echo "status: $?" >> "${said:-$scratch/said}"
}

tool=$scratch/tool.so
# Those that wait for a second, all the while.
(said=$scratch/thread run "OMP_TOOL_LIBRARIES=$tool" MODE=thread) &
(said=$scratch/early run "OMP_TOOL_LIBRARIES=$tool" MODE=slow -- early_fork) &
(said=$scratch/late run "OMP_TOOL_LIBRARIES=$tool" MODE=slower -- late) &
run
expect 'without a tool' 'control: -2' 'status: 0' '!tool:'
run "OMP_TOOL_LIBRARIES=$tool"
expect 'a tool' 'control: 42' 'status: 0' ' 8 regions, ' ' 0 wrong'
run OMP_TOOL=disabled "OMP_TOOL_LIBRARIES=$tool" OMP_TOOL_VERBOSE_INIT=stdout
expect disabled 'control: -2' 'OMP tool disabled.' '!tool:'
run OMP_TOOL=perhaps "OMP_TOOL_LIBRARIES=$tool"
expect 'a bad value' 'nvalid value' 'OMP_TOOL' ' 0 wrong'
run "OMP_TOOL_LIBRARIES=/none.so:$scratch/empty.so:$tool" OMP_TOOL_VERBOSE_INIT=stderr
expect 'the third library' 'Opening /none.so... Failed: ' "Searching for ompt_start_tool in $scratch/empty.so... Failed: " \
  'Tool was started and is using the OMPT interface.' ' 0 wrong'
run "OMP_TOOL_LIBRARIES=/none.so" OMP_TOOL_VERBOSE_INIT=/none/file
expect 'a file that cannot be' 'OMP_TOOL_VERBOSE_INIT=/none/file: No such file or directory; nothing is logged' 'control: -2'
# Beside tools of the library's own: it hears the same as alone, and so do they.
heard() { grep -o '[0-9]* regions, .*' "$scratch/said"; }
counted() { grep -o '"\(calls\|created\)": [0-9]*' "$scratch/$1.json" | sort; }
run "OMP_TOOL_LIBRARIES=$tool"
alone=$(heard)
run "BLITZ_STATS=$scratch/alone.json"
run "OMP_TOOL_LIBRARIES=$tool" "BLITZ_STATS=$scratch/both.json" "BLITZ_TRACE=$scratch/trace.json"
expect 'beside two others' "$alone" ' 0 wrong'
[ "$(counted alone)" = "$(counted both)" ] || { echo 'statistics differ beside another tool'; bad=1; }
run "LD_PRELOAD=$tool"
expect 'in the address space' ' 8 regions, ' ' 0 wrong'
run "OMP_TOOL_LIBRARIES=$tool" MODE=refuse
expect refused 'control: -2' 'status: 0' '!tool:'
run "OMP_TOOL_LIBRARIES=$tool" MODE=openmp
expect 'OpenMP in initialize' ' 8 regions, ' ' 0 wrong'
run "OMP_TOOL_LIBRARIES=$tool" MODE=region
expect 'a region in initialize' ' 8 regions, ' ' 0 wrong' 'status: 0'
for when in begin end; do
  run "OMP_TOOL_LIBRARIES=$tool" MODE=leave_$when EXITS=1
  expect "a tool that leaves at the $when of a region" 'tool:' ' 0 wrong' 'status: 0'
done
run "OMP_TOOL_LIBRARIES=$tool" MODE=asks OMP_PROC_BIND=true OMP_PLACES=threads -- locks
expect 'questions about places' ' 8 regions, ' ' 0 wrong' 'status: 0'
run "OMP_TOOL_LIBRARIES=$tool" -- locks
expect 'locks are what a thread has of OpenMP' ' 8 regions, ' ' 0 wrong' 'status: 0'
run "OMP_TOOL_LIBRARIES=$tool" EXITS=1 -- others
expect 'other threads go on' 'exit: at once' ' 16 regions, ' ' 0 wrong' 'status: 0'
run "OMP_TOOL_LIBRARIES=$tool" -- fork
expect fork 'child: 3' ' 8 regions, ' ' 0 wrong'
[ "$(grep -c '^tool:' "$scratch/said")" = 1 ] || { echo 'fork: the child has finalised the tool'; bad=1; }
run "OMP_TOOL_LIBRARIES=$tool" EXITS=1 -- exit
expect 'exit in a region' 'status: 0' ' 9 regions, ' ' 0 wrong'
wait
mv "$scratch/thread" "$scratch/said"
expect 'a thread in initialize' ' 8 regions, ' ' 0 wrong'
mv "$scratch/early" "$scratch/said"
expect 'a fork while the tool starts' 'child: 3' ' 8 regions, ' ' 0 wrong' 'status: 0'
mv "$scratch/late" "$scratch/said"
expect 'a thread that does not wait for the tool' 'control: -2' ' 0 regions, ' ' 0 wrong' 'status: 0'

# With raised privileges no user's tool is loaded. Root alone can make such a program, and some file systems raise
# nothing.
if [ "$(id -u)" = 0 ]; then
  "$@" -g -O1 -w "$here/ompt_program.c" -Wl,-rpath,"$folder" -o "$scratch/raised" && chmod 755 "$scratch" &&
    chown 65534:65534 "$scratch/raised" && chmod 4755 "$scratch/raised" || exit 1
  OMP_TOOL_LIBRARIES=$tool OMP_TOOL_VERBOSE_INIT=stdout timeout 30 "$scratch/raised" privileged > "$scratch/said" 2>&1
  if grep -q '^privileged: 1$' "$scratch/said"; then
    expect 'raised privileges' 'control: -2' '!tool:' '!TOOL REGISTRATION'
  fi
fi
exit $bad
