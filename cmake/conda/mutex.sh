#!/bin/sh
# mutex.sh: the package _openmp_mutex, into PREFIX: the name that programs ask for. LLVM's names stay llvm-openmp's.
set -eu
mkdir -p "$PREFIX/lib"
ln -sf blitz/libgomp.so.1 "$PREFIX/lib/libgomp.so.1"
