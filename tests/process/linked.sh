#!/bin/sh
# linked.sh CC PRELOAD FOLDER LIBGOMP: a program without OpenMP keeps its CPUs and gets no message when the library is
# loaded, whichever way. One that is linked with OpenMP, itself or by one of its libraries, has its thread bound then,
# and each wrong variable is reported once; for an LLVM program that happens at its first call of the runtime. 77: there
# is only one CPU, or no taskset.
here=$(cd "$(dirname "$0")" && pwd)
usage='usage: linked.sh CC PRELOAD FOLDER LIBGOMP'
cc=${1:?$usage} preload=${2:?$usage} folder=${3:?$usage} libgomp=${4:?$usage}
. "$here/../plain_env.sh" # nproc heeds OMP_NUM_THREADS
[ "$(nproc)" -gt 1 ] && command -v taskset > /dev/null || { echo 'one CPU, or no taskset'; exit 77; }
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
flags="-w -O1 -fPIC"
LC_ALL=C sed 's/libgomp\.so\.1/libgomp-a3.1/g' "$libgomp" > "$scratch/libgomp-a3.1" || exit 1
cp "$folder/libgomp.so.1" "$scratch/renamed.so" || exit 1
# shellcheck disable=SC2086 # words
"$cc" $flags "$here/linked.c" -o "$scratch/without" &&
  "$cc" $flags -fopenmp -DUSE "$here/linked.c" -o "$scratch/with" &&
  "$cc" $flags -Wl,--no-as-needed -fopenmp "$here/linked.c" -o "$scratch/silent" &&
  "$cc" $flags -fopenmp -DREGION -c "$here/linked.c" -o "$scratch/region.o" &&
  "$cc" -shared -fopenmp "$scratch/region.o" -o "$scratch/plain.so" &&
  "$cc" -shared "$scratch/region.o" -o "$scratch/open.so" &&
  "$cc" -shared "$scratch/region.o" "$scratch/libgomp-a3.1" "-Wl,-rpath,$scratch" -o "$scratch/wheel.so" &&
  "$cc" $flags -DUSE -Wl,--no-as-needed "$here/linked.c" "$scratch/wheel.so" "$scratch/libgomp-a3.1" \
    "-Wl,-rpath,$scratch" -o "$scratch/through" || exit 1

status=0
cpus=$(taskset -cp $$ | sed 's/.*: //')
cpu=${cpus%%[-,]*}

# check WANTED PROGRAM SETTING...: what is printed, lines of GCC's own apart.
check() {
  wanted=$1 program=$2
  shift 2
  for bind in OMP_PROC_BIND=true "OMP_PLACES={$cpu}" "GOMP_CPU_AFFINITY=$cpu"; do
    # shellcheck disable=SC2086 # words
    said=$(env OMP_NUM_THREADS=x "$bind" "$@" "$scratch/"$program 2>&1 | grep -v -e '^libgomp: ' -e '^$')
    [ "$said" = "$wanted" ] || { echo "$bind $*, $program: '$said' instead of '$wanted'"; status=1; }
  done
}

nothing="$(nproc) $cpus"
check "$nothing" without OMP_DISPLAY_ENV=true "LD_PRELOAD=$preload"
check "$nothing" without OMP_DISPLAY_ENV=true "LD_PRELOAD=$folder/libgomp.so.1"
check "$nothing" without OMP_DISPLAY_ENV=true "LD_PRELOAD=$scratch/renamed.so"
check "$nothing" without OMP_DISPLAY_ENV=true "LD_LIBRARY_PATH=$folder"
check "$nothing" without OMP_DISPLAY_ENV=true "LD_LIBRARY_PATH=$folder" "LD_PRELOAD=$preload libgomp.so.1"
check "$nothing" "without $preload" OMP_DISPLAY_ENV=true
check "$nothing" "without $folder/libgomp.so.1 $preload" OMP_DISPLAY_ENV=true
check "$nothing" "without libgomp.so.1" OMP_DISPLAY_ENV=true "LD_LIBRARY_PATH=$folder"

# Loaded late, it binds as when loaded early, or is silent if it is preloaded and no code has called it.
complaint="libblitz-omp: OMP_NUM_THREADS=x: invalid value; using $(nproc)"
linked="$complaint
1 $cpu"
check "$linked" "without $scratch/plain.so" "LD_LIBRARY_PATH=$folder"
check "$nothing" "without $scratch/open.so" "LD_PRELOAD=$folder/libgomp.so.1"

# One line, and one CPU, also for what it starts.
for program in with silent; do
  check "$linked" $program "LD_LIBRARY_PATH=$folder"
  check "$linked" $program "LD_PRELOAD=$folder/libgomp.so.1"
  check "$linked" $program "LD_PRELOAD=$scratch/renamed.so"
  check "$linked" $program "LD_PRELOAD=$preload"
  check "$linked" $program "LD_LIBRARY_PATH=$folder" "LD_PRELOAD=$preload"
done
check "$linked" through "LD_PRELOAD=$preload"
check "$linked" through "LD_PRELOAD=$folder/libgomp.so.1"
check "$linked" without ALONE= "LD_PRELOAD=$folder/libgomp.so.1 $scratch/plain.so"
check "$linked" without ALONE= "LD_PRELOAD=$preload $scratch/open.so"

# For LLVM's runtime, by each of its names, at the first question; there are libraries that are called nearly so.
late="$complaint
$nothing"
mkdir "$scratch/llvm"
# library NAME TEXT: a library of that name whose source is TEXT, in the place of the one before.
library() { echo "$2" | "$cc" -shared -x c - "-Wl,-soname,$1" -o "$scratch/llvm/$1" || exit 1; }
for name in libomp.so.5 libomp.so libiomp5.so libiomp5-a3.so libomp-a3.so libompitrace.so.40; do
  library $name 'int omp_get_max_threads(void) { return 1; }'
  # shellcheck disable=SC2086 # words
  "$cc" $flags -Wl,--no-as-needed "$here/linked.c" "$scratch/llvm/$name" -o "$scratch/silent_$name" &&
    "$cc" $flags -DASKS "$here/linked.c" "$scratch/llvm/$name" -o "$scratch/for_$name" || exit 1
  library $name 'int nothing;'
  calls=$linked
  [ $name != libompitrace.so.40 ] || calls=$late
  for file in "$preload" "$folder/libgomp.so.1"; do
    check "$nothing" silent_$name "LD_LIBRARY_PATH=$scratch/llvm" "LD_PRELOAD=$file"
    check "$calls" for_$name "LD_LIBRARY_PATH=$scratch/llvm" "LD_PRELOAD=$file"
  done
done
for name in libomp.so.5 libomp.so libiomp5.so; do
  check "$nothing" silent_$name "LD_LIBRARY_PATH=$folder"
  check "$linked" for_$name "LD_LIBRARY_PATH=$folder"
done
# By its calls alone: none of the libraries that it was linked with has these functions.
library other.so 'void __kmpc_flush(void *at) { } int omp_get_max_threads(void) { return 1; }'
# shellcheck disable=SC2086 # words
"$cc" $flags -DCALLS_LLVM -DASKS "$here/linked.c" "$scratch/llvm/other.so" "-Wl,-rpath,$scratch/llvm" -o "$scratch/open" ||
  exit 1
library other.so 'int nothing;'
check "$linked" open "LD_PRELOAD=$folder/libgomp.so.1"

# serves PATTERN SETTING [PROGRAM]: the first line of what OMP_DISPLAY_ENV shows of us.
serves() {
  said=$(env OMP_DISPLAY_ENV=true "$2" "$scratch/${3:-with}" 2>&1 | grep '^libblitz-omp ')
  # shellcheck disable=SC2254 # a pattern
  case $said in
    $1) ;;
    *) echo "$2: '$said' is not '$1'"; status=1 ;;
  esac
}
beside='; what another libgomp shows has no effect'
serves "libblitz-omp [0-9]*.[0-9]*.[0-9]* serves the program, from $folder/libgomp.so.1" "LD_LIBRARY_PATH=$folder"
serves "libblitz-omp [0-9]*.[0-9]*.[0-9]* serves the program, from $folder/libgomp.so.1" "LD_PRELOAD=$folder/libgomp.so.1"
serves "libblitz-omp [0-9]*.[0-9]*.[0-9]* serves the program, from $preload$beside" "LD_PRELOAD=$preload"
for name in libomp.so.5 libomp.so libiomp5.so; do
  serves "libblitz-omp [0-9]*.[0-9]*.[0-9]* serves the program, from $folder/$name" "LD_LIBRARY_PATH=$folder" for_$name
done
exit $status
