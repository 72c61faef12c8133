#!/bin/sh
# late.sh CC LIBBLITZ_OMP FOLDER: preloaded into a program without OpenMP, LIBBLITZ_OMP says nothing, whatever the
# environment holds, and reads it only when the program has loaded OpenMP and calls it, as libgomp does (late.c). Loaded by
# the program itself, from FOLDER, it binds the program's thread at once, as libgomp does.
here=$(cd "$(dirname "$0")" && pwd)
usage='usage: late.sh CC LIBBLITZ_OMP FOLDER'
cc=${1:?$usage} preload=${2:?$usage} folder=${3:?$usage}
. "$here/../plain_env.sh" # nproc heeds OMP_NUM_THREADS
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
"$cc" -w "$here/late.c" -o "$scratch/late" && "$cc" -w -fopenmp -shared -fPIC -DLIBRARY "$here/late.c" \
  -o "$scratch/library.so" || exit 1

status=0
said=$(LD_PRELOAD=$preload OMP_DISPLAY_ENV=true OMP_NUM_THREADS=x "$scratch/late" 2>&1)
[ "$said" = "usage: late LIBRARY" ] || { echo "without OpenMP: $said"; status=1; }
cpus=$(nproc)
for where in LD_PRELOAD= "LD_PRELOAD=$preload" "LD_LIBRARY_PATH=$folder"; do
  said=$(env "$where" OMP_NUM_THREADS=3 "$scratch/late" "$scratch/library.so" 2>&1)
  case $where in
    LD_LIBRARY_PATH=*) wanted="bind 4, 5 threads, $cpus 1 1 1" ;;
    *) wanted="bind 4, 5 threads, *" ;;
  esac
  # shellcheck disable=SC2254 # a pattern
  case $said in
    $wanted) ;;
    *) echo "$where: $said"; status=1 ;;
  esac
done
exit $status
