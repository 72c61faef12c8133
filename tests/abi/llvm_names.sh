#!/bin/sh
# llvm_names.sh CLANG PRELOAD FOLDER: programs and plugins that clang built for libomp.so.5, libomp.so and libiomp5.so run
# with what is in FOLDER, and with PRELOAD or a file of FOLDER preloaded; all in a process are served by one file, also with
# RTLD_DEEPBIND, whatever the names. A namespace of its own (dlmopen) has a copy of its own. No libomp is needed: what the
# programs are linked with has its names alone.
here=$(cd "$(dirname "$0")" && pwd)
usage='usage: llvm_names.sh CLANG PRELOAD FOLDER'
clang=${1:?$usage} preload=${2:?$usage} folder=${3:?$usage}
. "$here/../plain_env.sh"
. "$here/stand_in.sh"
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
status=0

"$clang" -O1 -fopenmp -c "$here/llvm_names.c" -o "$scratch/program.o" &&
  "$clang" -O1 -fopenmp -fPIC -DPLUGIN -c "$here/llvm_names.c" -o "$scratch/plugin.o" || exit 1
for name in libomp.so.5 libomp.so libiomp5.so; do
  # With the node of Debian's and Intel's file, and with none: upstream's may be built so.
  stand_in_llvm "$clang" "$scratch/versions" $name || exit 1
  "$clang" -w -fno-builtin -shared -fPIC "$scratch/versions/stand_in.c" -Wl,-soname,$name \
    -o "$scratch/$name.bare" || exit 1
  "$clang" "$scratch/program.o" "$scratch/versions/$name" -o "$scratch/$name.program" &&
    "$clang" "$scratch/program.o" "$scratch/$name.bare" -o "$scratch/$name.bare_program" &&
    "$clang" -shared "$scratch/plugin.o" "$scratch/versions/$name" -o "$scratch/$name.plugin" || exit 1
  [ "$folder/$name" -ef "$folder/libgomp.so.1" ] || { echo "$folder/$name is another file"; status=1; }
done

# check SETTINGS PROGRAM ARGUMENTS: says what is on standard input.
check() {
  cat > "$scratch/wanted"
  # shellcheck disable=SC2086 # words
  timeout 60 env $1 "$scratch/$2" $3 > "$scratch/said" 2>&1
  code=$?
  [ $code = 0 ] && cmp -s "$scratch/wanted" "$scratch/said" && return
  echo "$1 $2 $3: status $code"
  diff "$scratch/wanted" "$scratch/said"
  status=1
}

found=LD_LIBRARY_PATH=$folder
beside=LD_LIBRARY_PATH=$scratch/versions
omp=$(basename "$(readlink -f "$preload")")
for name in libomp.so.5 libomp.so libiomp5.so; do
  for program in $name.program $name.bare_program; do
    for settings in "$found" "$beside LD_PRELOAD=$folder/libgomp.so.1" "$found LD_PRELOAD=$folder/$name"; do
      check "$settings" $program '' << .
program: right, served by libgomp.so.1, asks libgomp.so.1
.
    done
    check "$beside LD_PRELOAD=$preload" $program '' << .
program: right, served by $omp, asks $omp
.
  done
  for how in - +; do
    check "$found" libomp.so.5.program "$how$scratch/$name.plugin" << .
program: right, served by libgomp.so.1, asks libgomp.so.1
$name.plugin: right, served by libgomp.so.1, asks libgomp.so.1
.
  done
done
check "$beside LD_PRELOAD=$preload" libomp.so.5.program "-$scratch/libiomp5.so.plugin" << .
program: right, served by $omp, asks $omp
libiomp5.so.plugin: right, served by $omp, asks $omp
.
check "$found" libomp.so.5.program "=$scratch/libiomp5.so.plugin -$scratch/libomp.so.plugin" << .
program: right, served by libgomp.so.1, asks libgomp.so.1
libiomp5.so.plugin: right, served by libgomp.so.1, asks libgomp.so.1
libomp.so.plugin: right, served by libgomp.so.1, asks libgomp.so.1
.
exit $status
