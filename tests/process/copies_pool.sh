#!/bin/sh
# copies_pool.sh CC PRELOAD FOLDER LIBGOMP LIBOMP: one process with a library that needs libgomp.so.1, one with a copy
# of that under another name, as a Python wheel carries it, and one that calls as clang's code does and needs LIBOMP
# (left out if that is empty). Preloaded, we serve all of them with one pool and one set of control variables. Preloaded
# as libgomp.so.1 we replace GCC's runtime in the process, even where a library searches itself first; on the library
# path, LLVM's as well.
here=$(cd "$(dirname "$0")" && pwd)
usage='usage: copies_pool.sh CC PRELOAD FOLDER LIBGOMP LIBOMP'
cc=${1:?$usage} preload=${2:?$usage} folder=${3:?$usage} libgomp=${4:?$usage} libomp=$5
. "$here/../plain_env.sh"
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
flags='-w -O1 -D_GNU_SOURCE -fPIC -shared'

# The copy also has its name inside: one of the same length.
LC_ALL=C sed 's/libgomp\.so\.1/libgomp-a3.1/g' "$libgomp" > "$scratch/libgomp-a3.1" || exit 1
# shellcheck disable=SC2086 # words
"$cc" -w -O1 -pthread "$here/copies_pool.c" -o "$scratch/program" &&
  "$cc" $flags -fopenmp "$here/plugin.c" -o "$scratch/plain.so" &&
  "$cc" -c $flags -fopenmp "$here/plugin.c" -o "$scratch/plugin.o" &&
  "$cc" $flags "$scratch/plugin.o" "$scratch/libgomp-a3.1" "-Wl,-rpath,$scratch" -o "$scratch/wheel.so" || exit 1
plugins="$scratch/plain.so $scratch/wheel.so"
if [ -n "$libomp" ]; then
  # shellcheck disable=SC2086 # words
  "$cc" $flags -DKMPC "$here/plugin.c" "$libomp" "-Wl,-rpath,$(dirname "$libomp")" -o "$scratch/clang.so" || exit 1
  plugins="$plugins $scratch/clang.so"
  LC_ALL=C sed 's/libomp\.so\.5/libomp-a3.5/g' "$libomp" > "$scratch/libomp-a3.5"
  # shellcheck disable=SC2086 # words
  "$cc" $flags -DKMPC "$here/plugin.c" "$scratch/libomp-a3.5" "-Wl,-rpath,$scratch" -o "$scratch/clang_wheel.so" || exit 1
else
  echo 'no libomp: without a library built by clang'
fi

status=0
# check WORDS: the program runs with these variables and arguments, and says what is on standard input. Libraries that we do
# not load ourselves may be there, and libomp's threads are its own affair.
check() {
  cat > "$scratch/wanted"
  # shellcheck disable=SC2086 # words
  timeout -k 5 60 env OMP_NUM_THREADS=2 $1 "$scratch/program" $2 $plugins > "$scratch/all" 2>&1
  code=$?
  sed -e 's/\(clang.*libomp.*\), [0-9]* threads/\1/' -e 's/libomp[^,]*,/libomp,/g' -e '/^loaded: libomp/d' \
    -e 's/libblitz-omp.so[.0-9]*/libblitz-omp.so/g' -e 's/^loaded: libgomp.so.1.0.0/loaded: libgomp.so.1/' "$scratch/all" |
    sort > "$scratch/said"
  [ -n "$libomp" ] || sed -i /clang/d "$scratch/wanted"
  sort -o "$scratch/wanted" "$scratch/wanted"
  [ $code -eq 0 ] && cmp -s "$scratch/wanted" "$scratch/said" && return
  echo "$1 $2: status $code"
  diff "$scratch/wanted" "$scratch/said"
  status=1
}

check "LD_PRELOAD=$preload" '' << .
plain.so: right, served by libblitz-omp.so, asks libblitz-omp.so, 4 threads, wants 2
wheel.so: right, served by libblitz-omp.so, asks libblitz-omp.so, 4 threads, wants 10
clang.so: right, served by libblitz-omp.so, asks libblitz-omp.so, 4 threads, wants 11
loaded: libblitz-omp.so
loaded: libgomp.so.1
loaded: libgomp-a3.1
.
for now in LD_BIND_NOW= LD_BIND_NOW=1; do
  check "$now LD_PRELOAD=$folder/libgomp.so.1" '' << .
plain.so: right, served by libgomp.so.1, asks libgomp.so.1, 4 threads, wants 2
wheel.so: right, served by libgomp.so.1, asks libgomp.so.1, 4 threads, wants 10
clang.so: right, served by libgomp.so.1, asks libgomp.so.1, 4 threads, wants 11
loaded: libgomp.so.1
loaded: libgomp-a3.1
.
done
# A library that searches itself first finds the copy that it was linked with.
clang='clang.so: right, served by libomp, asks libomp, wants 2'
check LD_LIBRARY_PATH=$folder -deep << .
plain.so: right, served by libgomp.so.1, asks libgomp.so.1, 4 threads, wants 2
wheel.so: right, served by libgomp-a3.1, asks libgomp-a3.1, 7 threads, wants 2
clang.so: right, served by libgomp.so.1, asks libgomp.so.1, 7 threads, wants 10
loaded: libgomp.so.1
loaded: libgomp-a3.1
.
check "LD_PRELOAD=$folder/libgomp.so.1" -deep << .
plain.so: right, served by libgomp.so.1, asks libgomp.so.1, 4 threads, wants 2
wheel.so: right, served by libgomp-a3.1, asks libgomp-a3.1, 7 threads, wants 2
$clang
loaded: libgomp.so.1
loaded: libgomp-a3.1
.
check "LD_PRELOAD=$preload" -deep << .
plain.so: right, served by libgomp.so.1, asks libgomp.so.1, 4 threads, wants 2
wheel.so: right, served by libgomp-a3.1, asks libgomp-a3.1, 7 threads, wants 2
$clang
loaded: libblitz-omp.so
loaded: libgomp.so.1
loaded: libgomp-a3.1
.
# A copy of LLVM's under another name. Two of them would not live in one process.
if [ -n "$libomp" ]; then
  all=$plugins plugins="$scratch/plain.so $scratch/clang_wheel.so"
  check "LD_PRELOAD=$preload" '' << .
plain.so: right, served by libblitz-omp.so, asks libblitz-omp.so, 4 threads, wants 2
clang_wheel.so: right, served by libblitz-omp.so, asks libblitz-omp.so, 4 threads, wants 10
loaded: libblitz-omp.so
loaded: libgomp.so.1
.
  check "LD_PRELOAD=$folder/libgomp.so.1" '' << .
plain.so: right, served by libgomp.so.1, asks libgomp.so.1, 4 threads, wants 2
clang_wheel.so: right, served by libgomp.so.1, asks libgomp.so.1, 4 threads, wants 10
loaded: libgomp.so.1
.
  plugins="$all $scratch/clang_wheel.so"
  check "LD_LIBRARY_PATH=$folder" '' << .
plain.so: right, served by libgomp.so.1, asks libgomp.so.1, 4 threads, wants 2
wheel.so: right, served by libgomp-a3.1, asks libgomp-a3.1, 7 threads, wants 2
clang.so: right, served by libgomp.so.1, asks libgomp.so.1, 7 threads, wants 10
clang_wheel.so: right, served by libomp, asks libomp, wants 2
loaded: libgomp.so.1
loaded: libgomp-a3.1
.
fi
# The lines above do not tell us from GCC's: it is not there.
LD_PRELOAD=$folder/libgomp.so.1 LD_DEBUG=files "$scratch/program" "$scratch/plain.so" 2>&1 | grep -F "$libgomp" && status=1
exit $status
