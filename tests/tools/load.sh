#!/bin/sh
# load.sh FOLDER LIBRARY INCLUDE CC [CLANG FLAG...]: libblitz-tools.so is loaded if a variable requests a tool,
# whichever way the runtime was loaded, and all of its tools at once work together with a foreign one. FOLDER has the
# names of the runtime and the tools, LIBRARY is the runtime to link with, INCLUDE has omp-tools.h.
here=$(cd "$(dirname "$0")" && pwd)
usage='usage: load.sh FOLDER LIBRARY INCLUDE CC [CLANG FLAG...]'
folder=${1:?$usage} library=${2:?$usage} include=${3:?$usage} cc=${4:?$usage}
shift 4
. "$here/../plain_env.sh"
unset BLITZ_STATS BLITZ_TRACE BLITZ_WATCHDOG
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
source=$here/load_program.c
mkdir link copy copy/blitz alone
"$cc" -g -O1 -Wall -fopenmp "$source" -o program &&
  "$cc" -g -O1 -Wall "$source" -o plain &&
  "$cc" -g -O1 -Wall -fopenmp -DLIBRARY -shared -fPIC "$source" -o late.so &&
  "$cc" -g -O1 -Wall -fopenmp "$source" -Wl,-rpath,"$(dirname "$library")" "$library" -o linked &&
  "$cc" -g -O1 -w -rdynamic -fopenmp "$here/ompt_program.c" -o watched &&
  "$cc" -g -O1 -Wall -fopenmp -I "$include" -shared -fPIC "$here/ompt_tool.c" -o tool.so || exit 1
status=0

# says SUM TOOLS LINE... -- COMMAND...: the program ends well and counts SUM threads and TOOLS libraries, and each LINE, a
# pattern, is that of one line; without a LINE nothing else is written.
says() {
  sum=$1 tools=$2
  shift 2
  : > wanted
  while [ "$1" != -- ]; do echo "$1" >> wanted; shift; done
  shift
  timeout 60 env "$@" > out 2> err || { echo "$*: status $?"; status=1; }
  grep -q "^sum: $sum, tools: $tools, " out || { echo "$*: $(cat out)"; status=1; }
  while read -r line; do
    [ "$(grep -c -e "$line" err)" = 1 ] || { echo "$*: not one line '$line' in: $(cat err)"; status=1; }
  done < wanted
  [ -s wanted ] || [ ! -s err ] || { echo "$*: says $(cat err)"; status=1; }
}
path=LD_LIBRARY_PATH=$folder
table='^blitz-omp: statistics of '
region='^  load_program.c:[0-9]* (work) '

# Nothing is asked for.
says 2 0 -- "$path" ./program
says 2 0 -- "$path" BLITZ_STATS=0 BLITZ_TRACE= BLITZ_WATCHDOG=0 ./program

# Each way of the runtime into a process. The tools see the program as they would otherwise.
says 2 1 "$table" "$region" -- "$path" BLITZ_STATS=1 ./program
says 2 1 "$table" "$region" -- LD_PRELOAD="$folder/libgomp.so.1" BLITZ_STATS=1 ./program
says 2 1 "$table" "$region" -- LD_PRELOAD="$library" BLITZ_STATS=1 ./program
says 2 1 "$table" "$region" -- BLITZ_STATS=1 ./linked
says 0 1 "$table" "$region" -- "$path" BLITZ_STATS=1 ./plain late ./late.so
ln -s "$folder/libgomp.so.1" link/libgomp.so.1
says 2 1 "$table" "$region" -- LD_LIBRARY_PATH=link BLITZ_STATS=1 ./program
says 2 1 "$table" "$region" -- LD_LIBRARY_PATH=link BLITZ_STATS=1 ./program chdir
cp "$folder/libgomp.so.1" copy/libgomp-a34b3233.so.1.0.0
cp "$folder/libblitz-tools.so" copy/blitz
says 2 1 "$table" "$region" -- LD_PRELOAD="$scratch/copy/libgomp-a34b3233.so.1.0.0" BLITZ_STATS=1 ./program
cp "$folder/libgomp.so.1" alone/libgomp.so.1
cp "$folder/libgomp.so.1" alone/libgomp-other.so
says 2 1 "$table" "$region" -- LD_PRELOAD="$scratch/alone/libgomp.so.1" "$path" BLITZ_STATS=1 ./program

# A tool's own thread is not bound, though the one that has started it is.
cpus=$(sed -n 's/Cpus_allowed_list:.//p' /proc/self/status)
says 2 1 -- "$path" OMP_PROC_BIND=true OMP_PLACES=threads BLITZ_WATCHDOG=9 ./program cpus blitz-watchdog "$cpus"
grep -qx "$cpus" out || { echo "the watchdog's CPUs: $(cat out)"; status=1; }

# Two runtimes: one has the tools.
second='^libblitz-omp: BLITZ_STATS=1: another runtime in the process uses libblitz-tools.so; no tool runs for this one$'
says 4 1 "$table" "$region" "$second" -- "$path" BLITZ_STATS=1 ./program second "$scratch/alone/libgomp-other.so"
says 4 1 "$table" "$region" "$second" -- "$path" BLITZ_STATS=1 ./program second "$scratch/copy/libgomp-a34b3233.so.1.0.0"

# Not there, no library, another one, of another version: a line that names the file, and the program goes on.
alone=LD_LIBRARY_PATH=$scratch/alone
none="libblitz-tools.so: .*No such file.* (the runtime is $scratch/alone/libgomp.so.1); no tool runs\$"
says 2 0 "^libblitz-omp: BLITZ_STATS=1: $none" -- "$alone" BLITZ_STATS=1 BLITZ_WATCHDOG=9 ./program
says 2 0 "^libblitz-omp: BLITZ_WATCHDOG=9: $none" -- "$alone" BLITZ_WATCHDOG=9 ./program
says 2 0 "^libblitz-omp: BLITZ_TRACE=x.html: $none" -- "$alone" BLITZ_TRACE=x.html ./program
echo text > alone/libblitz-tools.so
damaged="^libblitz-omp: BLITZ_STATS=1: $scratch/alone/libblitz-tools.so"
says 2 0 "$damaged: .*; no tool runs\$" -- "$alone" BLITZ_STATS=1 ./program
echo 'int x;' | "$cc" -shared -fPIC -x c - -o alone/libblitz-tools.so || exit 1
says 2 1 "$damaged: undefined symbol: .*; no tool runs\$" -- "$alone" BLITZ_STATS=1 ./program
cat > other.c << 'C'
void *blitz_tools_start(const void *host, const char **version) {
    *version = "libblitz-omp 0.0.7";
    return 0;
}
C
"$cc" -shared -fPIC other.c -o alone/libblitz-tools.so || exit 1
says 2 1 '1: libblitz-tools.so belongs to libblitz-omp 0.0.7 and not to libblitz-omp [0-9.]*; no tool runs$' \
  -- "$alone" BLITZ_STATS=1 ./program
[ ! -e x.html ] || { echo 'a timeline of nothing'; status=1; }

# A program that asks for no tool never loads a faulty one.
echo '__attribute__((constructor)) static void fail(void) { __builtin_trap(); }' |
  "$cc" -shared -fPIC -x c - -o alone/libblitz-tools.so || exit 1
says 2 0 -- "$alone" ./program
says 2 0 -- "$alone" BLITZ_STATS=0 BLITZ_TRACE= BLITZ_WATCHDOG=0 ./program
! timeout 60 env "$alone" BLITZ_STATS=1 ./program > out 2>&1 || { echo 'the faulty tool is harmless'; status=1; }

# With raised privileges it is not loaded. Root alone can make such a program, and some file systems raise nothing.
if [ "$(id -u)" = 0 ]; then
  "$cc" -g -O1 -w -fopenmp "$source" -Wl,-rpath,"$folder" -o raised && chmod 755 "$scratch" &&
    chown 65534:65534 raised && chmod 4755 raised || exit 1
  BLITZ_STATS=1 BLITZ_WATCHDOG=9 timeout 60 ./raised > out 2> err
  ! grep -q 'privileged: 1$' out || says 2 0 -- BLITZ_STATS=1 BLITZ_WATCHDOG=9 ./raised
fi

# All tools at once, together with a foreign one: each has seen all events.
env "$path" OMP_TOOL_LIBRARIES="$scratch/tool.so" BLITZ_STATS=1 BLITZ_TRACE=all.json BLITZ_WATCHDOG=9 \
  timeout 60 "$scratch/watched" > out 2> err || { echo "all tools: status $?"; status=1; }
cat err >> out
for line in "$table" ' 8 regions, .* 0 wrong' '^libblitz-omp: BLITZ_TRACE: written to ' '^control: 42'; do
  [ "$(grep -c -e "$line" out)" = 1 ] || { echo "all tools: not one line '$line' in: $(cat out)"; status=1; }
done
grep -q '"blitz-watchdog"\|thread_name' all.json || { echo 'all tools: an empty timeline'; status=1; }

[ $# -gt 0 ] || exit $status
"$@" -g -O1 -Wall "$source" -o program || exit 1
says 2 1 "$table" "$region" -- "$path" BLITZ_STATS=1 ./program
says 2 1 '^libblitz-omp: BLITZ_TRACE: written to ' -- "$path" BLITZ_TRACE=loud.json ./program
says 2 1 -- "$path" BLITZ_TRACE=quiet.json KMP_WARNINGS=false ./program
[ -s quiet.json ] || { echo 'without messages there is no timeline'; status=1; }

# Archer, together with the tools: it finds a race, and reports none in a correct program.
archer=$(dirname "$(dirname "$(readlink -f "$(command -v "$1")")")")/lib/libarcher.so
if [ -e "$archer" ] && "$@" -fsanitize=thread -g -O1 -w "$source" -o archer 2> log; then
  says 2 1 "$table" -- "$path" OMP_TOOL_LIBRARIES="$archer" TSAN_OPTIONS="ignore_noninstrumented_modules=1:exitcode=66" \
    BLITZ_STATS=1 BLITZ_WATCHDOG=9 ./archer
  ! grep -q 'WARNING: ThreadSanitizer' err || { echo "archer: $(cat err)"; status=1; }
fi
exit $status
