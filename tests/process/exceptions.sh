#!/bin/sh
# exceptions.sh CC CXX PRELOAD FOLDER: a program without the C++ runtime, which its plugin loads. Its tasks keep the
# exceptions that they handle while they are suspended. The search for that runtime takes no lock that is held while
# plugins are constructed.
here=$(cd "$(dirname "$0")" && pwd)
usage='usage: exceptions.sh CC CXX PRELOAD FOLDER'
cc=${1:?$usage} cxx=${2:?$usage} preload=${3:?$usage} folder=${4:?$usage}
. "$here/../plain_env.sh"
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
"$cc" -w -O1 "$here/exceptions_host.c" -o "$scratch/host" &&
  "$cxx" -w -O1 -fopenmp -fPIC -shared "$here/exceptions_plugin.cpp" -o "$scratch/exceptions.so" &&
  "$cc" -w -O1 -fopenmp -fPIC -shared "$here/loading_plugin.c" -o "$scratch/loading.so" || exit 1
status=0

# check PLUGIN EXPECTED
check() {
  for way in "LD_PRELOAD=$preload" "LD_LIBRARY_PATH=$folder"; do
    said=$(timeout -k 5 100 env "$way" "$scratch/host" "$scratch/$1.so" 2>&1)
    [ "$said" = "$2" ] || { echo "$way, $1: $said"; status=1; }
  done
}
check exceptions '0 wrong'
check loading '2 members'
exit $status
