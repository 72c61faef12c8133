#!/bin/sh
# exceptions.sh CC CXX PRELOAD FOLDER: a program without the C++ runtime whose plugin brings it along. What its tasks handle
# when they are suspended is theirs.
here=$(cd "$(dirname "$0")" && pwd)
usage='usage: exceptions.sh CC CXX PRELOAD FOLDER'
cc=${1:?$usage} cxx=${2:?$usage} preload=${3:?$usage} folder=${4:?$usage}
. "$here/../plain_env.sh"
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
"$cc" -w -O1 "$here/exceptions_host.c" -o "$scratch/host" &&
  "$cxx" -w -O1 -fopenmp -fPIC -shared "$here/exceptions_plugin.cpp" -o "$scratch/plugin.so" || exit 1
status=0
for way in "LD_PRELOAD=$preload" "LD_LIBRARY_PATH=$folder"; do
  said=$(timeout -k 5 100 env "$way" "$scratch/host" "$scratch/plugin.so" 2>&1)
  [ "$said" = '0 wrong' ] || { echo "$way: $said"; status=1; }
done
exit $status
