#!/bin/sh
# late.sh CC LIBBLITZ_OMP: preloaded into a program without OpenMP, LIBBLITZ_OMP says nothing, whatever the environment
# holds, and reads the environment only when the program has loaded OpenMP and calls it, as libgomp does (late.c).
here=$(cd "$(dirname "$0")" && pwd)
usage='usage: late.sh CC LIBBLITZ_OMP'
cc=${1:?$usage} preload=${2:?$usage}
unset LD_PRELOAD LD_LIBRARY_PATH
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
"$cc" -w "$here/late.c" -o "$scratch/late" && "$cc" -w -fopenmp -shared -fPIC -DLIBRARY "$here/late.c" \
  -o "$scratch/library.so" || exit 1

status=0
said=$(LD_PRELOAD=$preload OMP_DISPLAY_ENV=true OMP_NUM_THREADS=x "$scratch/late" 2>&1)
[ "$said" = "usage: late LIBRARY" ] || { echo "without OpenMP: $said"; status=1; }
for preloaded in "" "$preload"; do
  said=$(LD_PRELOAD=$preloaded OMP_NUM_THREADS=3 "$scratch/late" "$scratch/library.so" 2>&1)
  [ "$said" = 5 ] || { echo "LD_PRELOAD=$preloaded: $said"; status=1; }
done
exit $status
