#!/bin/sh
# copies_plugins.sh CC PRELOAD FOLDER: several threads load and unload plugins while regions run (copies_plugins.c),
# with all kinds of symbol lookup; and one plugin is loaded when only as little static thread-local memory is left as
# libgomp needs (copies_static_tls.c).
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
  "$cc" -w -O1 -DFILLER=128 -fPIC -shared "$here/copies_static_tls.c" -o "$scratch/filler.128" &&
  "$cc" -w -O1 -DFILLER=8 -fPIC -shared "$here/copies_static_tls.c" -o "$scratch/filler.8" || exit 1
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

# As many copies of filler.$1 as $2 says.
fillers() {
  i=0
  while [ $i -lt "$2" ]; do
    i=$((i + 1))
    [ -e "$scratch/filler.$1.$i" ] || cp "$scratch/filler.$1" "$scratch/filler.$1.$i"
    echo "$scratch/filler.$1.$i"
  done
}

# Room for 136 bytes is left, which libgomp needs: what has room for more of them gives it up in steps of 8.
large=$("$scratch/late" $(fillers 128 40)) # shellcheck disable=SC2046 # words, as below
small=$("$scratch/late" $(fillers 128 "$large") $(fillers 8 16))
steps=$(((2 * 128 + 8 * (small - large) - 136) / 8))
said=$(LD_LIBRARY_PATH=$folder "$scratch/late" -p "$scratch/plugin.so" $(fillers 128 $((large - 2))) \
  $(fillers 8 $steps) 2>&1)
case $said in
  "served by $folder/libgomp.so.1: right" | "served by $folder/libomp.so.5: right") ;;
  *) echo "without static memory: $said"; status=1 ;;
esac
exit $status
