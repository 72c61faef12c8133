#!/bin/sh
# newer.sh CC FC LIBBLITZ_OMP FOLDER: programs that call what gcc 13 to 17 call, linked with a stand-in for the newest
# libgomp, so that they ask the loader for its versions (libgomp-17.txt): they run on LIBBLITZ_OMP preloaded and on
# libgomp.so.1 in FOLDER, preloaded and found, and all of those symbols come from there. FC may be empty.
here=$(cd "$(dirname "$0")" && pwd)
usage='usage: newer.sh CC FC LIBBLITZ_OMP FOLDER'
cc=${1:?$usage} fc=$2 preload=${3:?$usage} folder=${4:?$usage}
. "$here/../plain_env.sh"
LC_ALL=C
export LC_ALL
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
. "$here/stand_in.sh"
stand_in "$cc" "$scratch/stand_in" || exit 1
stub=$scratch/stand_in/libgomp.so.1
status=0

# build SOURCE COMPILER: a program of a source here, by a compiler of today.
build() {
  program=$scratch/${1%.*}
  (cd "$scratch" && "$2" -w -O1 -fopenmp -c "$here/$1" -o "$program.o" && "$2" "$program.o" -o "$program" "$stub") ||
    { echo "$1: not built"; exit 1; }
}
build newer.c "$cc"
build newer_loops.c "$cc"
build newer_acc.c "$cc"
programs="newer newer_loops newer_acc"
if [ -n "$fc" ]; then
  build newer_fortran.f90 "$fc"
  programs="$programs newer_fortran"
fi

# They ask for all newer nodes that have functions.
for node in $(sed -n 's/^[^# ]*@@//p' "$here/libgomp-17.txt" | sort -u); do
  readelf -VW "$scratch/newer" "$scratch/newer_loops" "$scratch/newer_acc" | grep -q "Name: $node " ||
    { echo "no program asks for $node"; status=1; }
done

# Pointers to everything newer.
sed -n 's/^\([^# ]*\)@@.*/\1/p' "$here/libgomp-17.txt" | awk '
  { print "void " $1 "(void);"; list = list $1 ",\n" }
  END { print "void (*volatile all[])(void) = {\n" list "};\nint main(void) { return !all[0]; }" }' > "$scratch/all.c"
"$cc" -w -o "$scratch/all" "$scratch/all.c" "$stub" || exit 1
sed -n 's/^\([^# ]*\)@@\(.*\)/\1 [\2]/p' "$here/libgomp-17.txt" | sort > "$scratch/wanted"

# way LIBRARY SETTING...: all this with a setting of the environment.
way() {
  library=$1
  shift
  env "$@" LD_TRACE_LOADED_OBJECTS=1 LD_WARN=yes LD_BIND_NOW=1 LD_DEBUG=bindings "$scratch/all" 2>&1 |
    sed -n "s|.*binding file $scratch/all \[0\] to $library .*symbol .\([^']*\)' \(\[.*\]\).*|\1 \2|p" |
    sort -u | comm -13 - "$scratch/wanted" > "$scratch/strays"
  if [ -s "$scratch/strays" ]; then
    sed "s|^|$*: not bound to $library: |" "$scratch/strays"
    status=1
  fi
  for program in $programs; do
    for threads in 1 2 8; do
      env "$@" OMP_NUM_THREADS=$threads timeout 120 "$scratch/$program" > "$scratch/said" 2>&1 && continue
      echo "$*: $program, $threads threads:"
      cat "$scratch/said"
      status=1
    done
  done
}
way "$folder/libgomp.so.1" "LD_LIBRARY_PATH=$folder"
way "$folder/libgomp.so.1" "LD_LIBRARY_PATH=$folder" BLITZ_DETERMINISTIC=1
way "$folder/libgomp.so.1" "LD_PRELOAD=$folder/libgomp.so.1"
way "$preload" "LD_LIBRARY_PATH=$scratch/stand_in" "LD_PRELOAD=$preload"

[ $status = 0 ] && echo "$(wc -l < "$scratch/wanted") symbols and the programs $programs, four ways"
exit $status
