#!/bin/sh
# mixed.sh CC CLANG PRELOAD FOLDER LIBOMP: a program with a library of GCC's and one of clang's, built by each of the two
# compilers (mixed.c); also where clang's library comes with a renamed copy of its runtime, as a Python wheel has it, and
# where a program of clang's uses a finished library of GCC's, OpenBLAS (left out if it is not there).
here=$(cd "$(dirname "$0")" && pwd)
usage='usage: mixed.sh CC CLANG PRELOAD FOLDER LIBOMP'
cc=${1:?$usage} clang=${2:?$usage} preload=${3:?$usage} folder=${4:?$usage} libomp=${5:?$usage}
. "$here/../plain_env.sh"
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
flags='-w -O1 -fopenmp -fPIC'

# The copy also has its name inside: one of the same length.
LC_ALL=C sed 's/libomp\.so\.5/libomp-7.so/g' "$libomp" > "$scratch/libomp-7.so" || exit 1
# shellcheck disable=SC2086 # words
"$cc" $flags -shared -DPART=gnu "$here/mixed_part.c" -o "$scratch/libgnu.so" &&
  "$clang" $flags -shared -DPART=llvm "$here/mixed_part.c" -o "$scratch/libllvm.so" &&
  "$clang" $flags -c -DPART=llvm "$here/mixed_part.c" -o "$scratch/llvm.o" &&
  mkdir "$scratch/wheel" &&
  "$cc" -shared "$scratch/llvm.o" "$scratch/libomp-7.so" "-Wl,-rpath,$scratch" -o "$scratch/wheel/libllvm.so" &&
  "$cc" $flags "$here/mixed.c" -L"$scratch" -lgnu -lllvm -o "$scratch/by_gcc" &&
  "$clang" $flags "$here/mixed.c" -L"$scratch" -lgnu -lllvm -o "$scratch/by_clang" || exit 1

status=0
# check PROGRAM SETTING...
check() {
  program=$1
  shift
  said=$(timeout -k 5 100 env OMP_CANCELLATION=true "$@" "$scratch/$program" 2>&1)
  [ "$said" = right ] || { echo "$program, $*: $said"; status=1; }
}
for program in by_gcc by_clang; do
  check $program "LD_LIBRARY_PATH=$scratch" "LD_PRELOAD=$preload"
  check $program "LD_LIBRARY_PATH=$folder:$scratch"
  check $program "LD_LIBRARY_PATH=$folder:$scratch" LD_BIND_NOW=1
  check $program "LD_LIBRARY_PATH=$scratch/wheel:$scratch" "LD_PRELOAD=$preload"
  check $program "LD_LIBRARY_PATH=$scratch/wheel:$scratch" "LD_PRELOAD=$folder/libgomp.so.1"
done

blas=$(ldconfig -p | sed -n 's/.*libopenblas\.so\.0 .*=> //p' | head -n 1)
blas=${TEST_OPENBLAS:-${blas:-none}}
for found in "$blas" /usr/lib/*/openblas-openmp/libopenblas.so.0; do
  [ -e "$found" ] && LD_LIBRARY_PATH='' ldd "$found" | grep -q libgomp || continue
  # shellcheck disable=SC2086 # words
  "$clang" $flags "$here/mixed_blas.c" "$found" "-Wl,-rpath,$(dirname "$found")" -o "$scratch/blas" || exit 1
  for way in "LD_PRELOAD=$preload" "LD_LIBRARY_PATH=$folder"; do
    check blas OMP_NUM_THREADS=4 "$way"
  done
  exit $status
done
echo 'no OpenBLAS that GCC built for OpenMP'
exit $status
