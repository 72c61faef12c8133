#!/bin/sh
# copies_plugins.sh CC PRELOAD FOLDER: plugins that come and go on several threads beside regions (copies_plugins.c), looked
# up in all ways, and one that comes when nearly all static thread-local memory is used up (copies_static_tls.c).
here=$(cd "$(dirname "$0")" && pwd)
usage='usage: copies_plugins.sh CC PRELOAD FOLDER'
cc=${1:?$usage} preload=${2:?$usage} folder=${3:?$usage}
. "$here/../plain_env.sh"
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
# Bound to itself: clang's reductions have a lock that all global plugins would share, and so hold each other.
"$cc" -w -O1 -pthread "$here/copies_plugins.c" -o "$scratch/program" &&
  "$cc" -w -O1 "$here/copies_static_tls.c" -o "$scratch/late" &&
  "$cc" -w -O1 -D_GNU_SOURCE -fopenmp -fPIC -shared -Wl,-Bsymbolic "$here/plugin.c" -o "$scratch/plugin.so" &&
  "$cc" -w -O1 -DFILLER -fPIC -shared "$here/copies_static_tls.c" -o "$scratch/filler" || exit 1
status=0
for i in 1 2 3; do
  cp "$scratch/plugin.so" "$scratch/plugin.so.$i"
done

# check FLAG VARIABLES
check() {
  # shellcheck disable=SC2086 # words
  said=$(timeout -k 5 100 env OMP_NUM_THREADS=4 $2 "$scratch/program" $1 "$scratch/plugin.so" "$scratch/plugin.so" 2>&1)
  [ "$said" = '45 plugins' ] || { echo "$2, $1: $said"; status=1; }
}
check local "LD_PRELOAD=$preload"
check global "LD_BIND_NOW=1 LD_PRELOAD=$preload"
check local "LD_LIBRARY_PATH=$folder"
check global "LD_LIBRARY_PATH=$folder"
check deep "LD_BIND_NOW=1 LD_LIBRARY_PATH=$folder"

fillers=
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
  cp "$scratch/filler" "$scratch/filler.$i"
  fillers="$fillers $scratch/filler.$i"
done
# shellcheck disable=SC2086 # words
said=$(LD_LIBRARY_PATH=$folder "$scratch/late" "$scratch/plugin.so" $fillers 2>&1)
case $said in
  "served by $folder/libgomp.so.1: right" | "served by $folder/libomp.so.5: right") ;;
  *) echo "without static memory: $said"; status=1 ;;
esac
exit $status
