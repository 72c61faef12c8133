#!/bin/sh
# without_tools.sh WORK CMAKE CC: a build with BLITZ_TOOLS=OFF serves programs, passes the tests of how it does, and answers
# a variable that asks for a tool by one line. Not optimised, for speed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$1 cmake=$2 cc=$3
. "$here/../plain_env.sh"
unset BLITZ_STATS BLITZ_TRACE BLITZ_WATCHDOG
rm -rf "$work"
mkdir -p "$work"
"$cmake" -S "$here/../.." -B "$work" -G Ninja -DCMAKE_C_COMPILER="$cc" -DCMAKE_BUILD_TYPE=Debug -DBLITZ_TOOLS=OFF \
  -DBLITZ_TESTS=ON > "$work/log"
"$cmake" --build "$work" --target blitz_gomp blitz_omp blitz_run >> "$work/log"
[ ! -e "$work/lib/blitz/libblitz-tools.so" ]
! nm "$work/lib/blitz/libgomp.so.1" | grep -E ' bomp_(stats|trace|watchdog|sources)_' || exit 1

gcc -O1 -fopenmp "$here/openmp.c" -o "$work/program"
for variable in nothing=1 BLITZ_STATS=1 BLITZ_TRACE=x.html BLITZ_WATCHDOG=9; do
  env $variable LD_LIBRARY_PATH="$work/lib/blitz" OMP_NUM_THREADS=3 "$work/program" > "$work/out" 2> "$work/err"
  [ "$(cat "$work/out")" = '3 500500' ]
  case $variable in
    nothing=1) [ ! -s "$work/err" ] ;;
    *) grep -q "^libblitz-omp: $variable: libblitz-tools.so: .*; no tool runs\$" "$work/err" &&
      [ "$(wc -l < "$work/err")" = 1 ] ;;
  esac || { cat "$work/err"; exit 1; }
done
(cd "$work" && ctest -R '^(run\.(serve|refuse)|tools\.ompt|abi\.symbols\..*)$' --no-tests=error --output-on-failure)
