#!/bin/sh
# offload.sh CC CLANG PRELOAD FOLDER: in a program of clang's with code for devices, its offload library answers what the
# program asks about them, whichever way ours is loaded; also where a program loads such code later (offload.c). The devices
# are those of the library's plugin of the host.
# 77: there is no such library, or no such plugin.
here=$(cd "$(dirname "$0")" && pwd)
usage='usage: offload.sh CC CLANG PRELOAD FOLDER'
cc=${1:?$usage} clang=${2:?$usage} preload=${3:?$usage} folder=${4:?$usage}
. "$here/../plain_env.sh"
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
libraries=$(dirname "$("$clang" -print-file-name=libomptarget.so)")
flags="-w -g -O1 -fPIC -fopenmp-targets=$(uname -m)-pc-linux-gnu -Wl,-rpath,$libraries"

# shellcheck disable=SC2086 # words
"$clang" -fopenmp $flags "$here/offload.c" -o "$scratch/devices" 2> "$scratch/said" &&
  said=$(timeout 60 "$scratch/devices" 2>&1) && [ "$said" = right ] ||
  { echo "no devices under libomp: $(head -n 3 "$scratch/said")$said"; exit 77; }
# shellcheck disable=SC2086
"$clang" -fopenmp $flags -shared "$here/offload.c" -o "$scratch/devices.so" &&
  "$clang" -fopenmp $flags -L"$folder" "$here/offload.c" -o "$scratch/linked" &&
  "$clang" -w -fopenmp -DLATE "$here/offload.c" -L"$libraries" -o "$scratch/late_llvm" &&
  "$cc" -w -fopenmp -DLATE "$here/offload.c" -o "$scratch/late_gnu" || exit 1

status=0
# check PROGRAM SETTING...
check() {
  program=$1
  shift
  # shellcheck disable=SC2086
  said=$(timeout -k 5 100 env "$@" "$scratch/"$program 2>&1)
  [ "$said" = right ] || { echo "$program, $*: $said" | head -n 20; status=1; }
}
for way in "LD_LIBRARY_PATH=$folder" "LD_PRELOAD=$folder/libgomp.so.1" "LD_PRELOAD=$preload"; do
  for offload in default disabled mandatory; do
    check devices "$way" OMP_TARGET_OFFLOAD=$offload
  done
  check "late_llvm $scratch/devices.so" "$way"
  check "late_gnu $scratch/devices.so" "$way"
done
check linked "LD_LIBRARY_PATH=$folder"
exit $status
