#!/bin/sh
# stats.sh KIND CC FOLDER: what BLITZ_STATS says of stats_program.c, built by CC, which is a "gcc" or a "clang", with the
# library in FOLDER.
here=$(cd "$(dirname "$0")" && pwd)
usage='usage: stats.sh KIND CC FOLDER'
kind=${1:?$usage} cc=${2:?$usage} folder=${3:?$usage}
. "$here/../plain_env.sh"
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
# Calls stay as they are written: a construct at the end of a function would have the address of the caller.
"$cc" -g -O1 -fno-optimize-sibling-calls -fopenmp "$here/stats_program.c" -o "$scratch/stats_program" || exit 1
LD_LIBRARY_PATH=$folder python3 "$here/stats.py" "$scratch/stats_program" "$here/stats_program.c" "$kind"
