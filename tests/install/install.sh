#!/bin/sh
# install.sh BUILD WORK CMAKE CC CXX: installs BUILD below WORK, moves the installation, and uses it as strangers do.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1 work=$2 cmake=$3 cc=$4 cxx=$5
prefix=$work/moved

check() {
  echo "-- $*"
  "$@"
}

rm -rf "$work"
mkdir -p "$work"
"$cmake" --install "$build" --prefix "$work/installed" > "$work/install.log"
mv "$work/installed" "$prefix" # nothing in it may depend on where it was put first
lib=$(dirname "$(find "$prefix" -name libblitz.so)")

echo '== what is installed'
for file in "$prefix/include/blitz.h" "$prefix/include/blitz.hpp" "$prefix/include/omp-tools.h" \
  "$prefix/include/blitz/cilk.h" "$prefix/include/blitz/reducer.h" "$prefix/include/blitz/algo.h" \
  "$lib/libblitz.so" "$lib/libblitz.a" \
  "$lib/libblitz-omp.so" "$lib/blitz/libgomp.so.1" "$lib/blitz/libomp.so.5" "$lib/blitz/libomp.so" \
  "$lib/blitz/libiomp5.so" "$lib/blitz/libblitz-tools.so" "$lib/cmake/blitz/blitz-config.cmake" \
  "$lib/pkgconfig/blitz.pc" "$lib/pkgconfig/blitz-omp.pc" "$prefix/share/man/man7/blitz.7" \
  "$prefix/share/man/man7/blitz-omp.7" "$prefix/share/man/man1/blitz-run.1" "$prefix/share/blitz/valgrind.supp" \
  "$prefix/bin/blitz-run" "$prefix/share/bash-completion/completions/blitz-run" \
  "$prefix/share/blitz/blitz-gdb.py"; do
  check test -e "$file"
done
for name in libomp.so.5 libomp.so libiomp5.so; do
  check test "$(readlink "$lib/blitz/$name")" = libgomp.so.1
done
for name in libomp.so.5 libomp.so libiomp5.so; do
  check sh -c "readelf -d '$lib/blitz/ldconfig/$name' | grep -q 'soname: \\[$name\\]'"
done
check test "$(readlink -f "$lib/blitz/ldconfig/libgomp.so.1")" = "$(readlink -f "$lib/blitz/libgomp.so.1")"
extra=$(cd "$prefix/include" && find . -type f ! -name blitz.h ! -name blitz.hpp ! -name omp-tools.h ! -path './blitz/*')
check test -z "$extra"
! grep -rl "$work" "$prefix/lib"*/pkgconfig "$lib/cmake" || { echo 'a package file holds a fixed path'; exit 1; }

# The file that a gdb of the same prefix loads when it sees the library: below share/gdb/auto-load, under the library's
# whole path.
for file in "$(readlink -f "$lib/libblitz-omp.so")" "$lib/blitz/libgomp.so.1"; do
  check cmp "$prefix/share/gdb/auto-load$work/installed${file#"$prefix"}-gdb.py" "$prefix/share/blitz/blitz-gdb.py"
done

exec sh "$here/strangers.sh" "$prefix" "$work/used" "$cmake" "$cc" "$cxx"
