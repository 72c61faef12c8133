#!/bin/sh
# exit_plugins.sh CC PRELOAD FOLDER: plugins that use OpenMP in their constructors and destructors, unloaded by the program
# and at its exit (exit_plugins.c).
here=$(cd "$(dirname "$0")" && pwd)
usage='usage: exit_plugins.sh CC PRELOAD FOLDER'
cc=${1:?$usage} preload=${2:?$usage} folder=${3:?$usage}
. "$here/../plain_env.sh"
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
"$cc" -w -O1 "$here/exit_plugins.c" -o "$scratch/program" &&
  "$cc" -w -O1 -D_GNU_SOURCE -DAT_EXIT -fopenmp -fPIC -shared "$here/plugin.c" -o "$scratch/first.so" &&
  cp "$scratch/first.so" "$scratch/second.so" || exit 1
cat > "$scratch/wanted" <<'.'
loaded: 3007
unloaded: 3007
loaded: 3007
used: 4015
unloaded: 3007
.
status=0
for served in "LD_PRELOAD=$preload" "LD_LIBRARY_PATH=$folder" "LD_PRELOAD=$folder/libgomp.so.1"; do
  for now in LD_BIND_NOW= LD_BIND_NOW=1; do
    timeout -k 5 60 env "$served" $now "$scratch/program" "$scratch/first.so" "$scratch/second.so" \
      > "$scratch/said" 2>&1
    code=$?
    if [ $code -ne 3 ] || ! cmp -s "$scratch/said" "$scratch/wanted"; then
      echo "$served $now: status $code"
      cat "$scratch/said"
      status=1
    fi
  done
done
exit $status
