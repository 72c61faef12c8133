#!/bin/sh
# hints.sh CC FC LIBBLITZ_OMP FOLDER: programs that make locks with hints, which libgomp has no functions for, link with
# each of our libraries, and run in each way: as linked, and with LIBBLITZ_OMP before the other one.
here=$(cd "$(dirname "$0")" && pwd)
usage='usage: hints.sh CC FC LIBBLITZ_OMP FOLDER'
cc=${1:?$usage} fc=${2:?$usage} library=${3:?$usage} folder=${4:?$usage}
unset LD_PRELOAD LD_LIBRARY_PATH
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
status=0
for hint in 0 1 2 4 8 10; do
  echo "hint $hint: 1 1" >> "$scratch/c.wanted"
  echo "hint $hint: T T" >> "$scratch/fortran.wanted"
done

# check LANGUAGE HOW COMMAND...: the command prints what it should.
check() {
  language=$1 how=$2
  shift 2
  "$@" > "$scratch/said" 2>&1
  code=$?
  [ $code = 0 ] && cmp -s "$scratch/said" "$scratch/$language.wanted" && return
  echo "$language, $how: status $code, says:"
  cat "$scratch/said"
  status=1
}

"$cc" -w -O1 -fopenmp -c "$here/hints.c" -o "$scratch/c.o" || exit 1
(cd "$scratch" && "$fc" -w -O1 -fopenmp -c "$here/hints.f90" -o "$scratch/fortran.o") || exit 1
for language in c fortran; do
  compiler=$cc
  [ $language = c ] || compiler=$fc
  # Without -fopenmp, which would add the compiler's own runtime.
  "$compiler" "$scratch/$language.o" "$library" -o "$scratch/$language.ours" || exit 1
  "$compiler" "$scratch/$language.o" "$folder/libgomp.so.1" -o "$scratch/$language.gomp" || exit 1
  check $language "linked with ours" env LD_LIBRARY_PATH="$(dirname "$library")" "$scratch/$language.ours"
  check $language "linked with libgomp.so.1" env LD_LIBRARY_PATH="$folder" "$scratch/$language.gomp"
  check $language preloaded env LD_PRELOAD="$library" LD_LIBRARY_PATH="$folder" "$scratch/$language.gomp"
done
exit $status
