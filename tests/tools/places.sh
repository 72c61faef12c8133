#!/bin/sh
# places.sh FOLDER CC [FLAG...]: of code in functions that the compiler has put into main (places_program.c), statistics, the
# trace and the watchdog name the functions that were written, and the lines of the constructs. FOLDER has the library.
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:?usage: places.sh FOLDER CC [FLAG...]}
shift
. "$here/../plain_env.sh"
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
source=$here/places_program.c
"$@" -g -O2 -fopenmp "$source" -o program || exit 1
status=0
region=$(grep -n 'parallel num_threads' "$source" | cut -d : -f 1)
loop=$(grep -n 'parallel for' "$source" | cut -d : -f 1)
tasks=$(grep -n 'omp task$' "$source" | cut -d : -f 1)

# has WHAT FILE TEXT: the file contains a text.
has() {
  grep -qF "$3" "$2" || { echo "$1: nothing like '$3' in:"; head -n 60 "$2"; status=1; }
}

export LD_LIBRARY_PATH="$folder"
BLITZ_STATS=stats.json BLITZ_TRACE=trace.json ./program || exit 1
BLITZ_WATCHDOG=0.2,exit=3 ./program hang 2> watchdog
for file in stats.json trace.json; do
  for place in "$region (count_in_region)" "$loop (count_in_loop)"; do
    has "$file of $1" $file "places_program.c:$place"
  done
  for task in $tasks; do
    has "$file of $1" $file "places_program.c:$task (count_in_task)"
  done
  ! grep -q ' (main)' $file || { echo "$file of $1: $(grep ' (main)' $file | head -n 3)"; status=1; }
done
has "stats.json of $1" stats.json '"place": "unnamed", '
ends=$(grep -o "barrier at the region's end places_program[^\"]*" trace.json | sort -u)
[ "$(echo "$ends" | wc -l)" = 2 ] || { echo "barriers of $1 at the ends of two regions: $ends"; status=1; }
has "the watchdog of $1" watchdog "of 2 of the region of places_program.c:$region (count_in_region)"
exit $status
