#!/bin/sh
# build.sh: the package blitz-omp, into PREFIX.
set -eu
# shellcheck disable=SC2086 # words
cmake -S . -B build/conda -G Ninja ${CMAKE_ARGS:-} -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_INSTALL_LIBDIR=lib \
  -DBLITZ_TESTS=OFF -DBLITZ_STATIC=OFF
cmake --build build/conda
cmake --install build/conda --strip --prefix "$PREFIX"
