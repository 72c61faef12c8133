#!/bin/sh
# install.sh BUILD WORK CMAKE CC CXX: installs BUILD below WORK, moves the installation, and uses it as strangers do:
# by find_package, by pkg-config, by LD_PRELOAD and by the lib/blitz folder.
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

# needed PROGRAM LIBRARY: PROGRAM needs LIBRARY, and no other OpenMP runtime.
needed() {
  names=$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
  printf '%s\n' "$names" | grep -q "^$2" || { echo "$1 does not need $2"; return 1; }
  ! printf '%s\n' "$names" | grep -E '^lib(gomp|omp|iomp5)\.so' || { echo "$1 needs that, too"; return 1; }
}

echo '== find_package'
"$cmake" -S "$here/consumer" -B "$work/consumer" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" \
  -DCMAKE_CXX_COMPILER="$cxx" > "$work/consumer.log"
"$cmake" --build "$work/consumer" >> "$work/consumer.log"
for program in native_c native_static native_cxx openmp; do
  check "$work/consumer/$program"
done
check needed "$work/consumer/openmp" libblitz-omp.so

echo '== pkg-config'
PKG_CONFIG_PATH=$lib/pkgconfig
LD_LIBRARY_PATH=$lib
export PKG_CONFIG_PATH LD_LIBRARY_PATH
# The flags are words of their own.
# shellcheck disable=SC2046
{
  "$cc" "$here/native.c" $(pkg-config --cflags --libs blitz) -o "$work/native_c"
  "$cxx" -std=c++17 "$here/native.cpp" $(pkg-config --cflags --libs blitz) -o "$work/native_cxx"
  "$cc" "$here/native.c" $(pkg-config --cflags blitz) "$lib/libblitz.a" -pthread -o "$work/native_static"
  gcc "$here/openmp.c" $(pkg-config --cflags --libs blitz-omp) -o "$work/openmp"
}
for program in native_c native_cxx native_static openmp; do
  check "$work/$program"
done
check needed "$work/openmp" libblitz-omp.so
unset LD_LIBRARY_PATH

# The lines of README.md as they are typed there, PREFIX but for its value; then with the flags before the source, for a
# linker that drops what nothing has asked for yet.
echo '== as README.md has it'
mkdir "$work/typed"
cp "$here/openmp.c" "$work/typed/program.c"
# typed LIBRARY: the two lines for that library.
typed() {
  sed -n "s/^    \(export PKG_CONFIG_PATH=.*\)/\1/p; s/^    \(gcc -O2 program\.c .*--libs $1).*\)/\1/p" \
    "$here/../../README.md" | sed "s|[$]PREFIX/lib|$lib|g"
}
typed blitz-omp > "$work/typed.sh"
test "$(wc -l < "$work/typed.sh")" = 2
for order in after before; do
  if [ $order = before ]; then
    sed 's/ program\.c\( .*\)/ -Wl,--as-needed\1 program.c/' "$work/typed.sh" > "$work/typed_before.sh"
    ! cmp -s "$work/typed.sh" "$work/typed_before.sh" && mv "$work/typed_before.sh" "$work/typed.sh"
  fi
  cat "$work/typed.sh"
  (unset PKG_CONFIG_PATH && cd "$work/typed" && sh -eu "$work/typed.sh" && check ./a.out)
  check needed "$work/typed/a.out" libblitz-omp.so
done
cp "$here/native.c" "$work/typed/program.c"
typed blitz > "$work/typed.sh"
(unset PKG_CONFIG_PATH && cd "$work/typed" && sh -eu "$work/typed.sh" && check ./a.out)
{
  printf 'cmake_minimum_required(VERSION 3.16)\nproject(program C)\nadd_executable(program program.c)\n'
  sed -n '/^    find_package(blitz/,/^$/s/^    //p' "$here/../../README.md"
} > "$work/typed/CMakeLists.txt"
grep -q -- '-DCMAKE_PREFIX_PATH=.PREFIX' "$here/../../README.md"
"$cmake" -S "$work/typed" -B "$work/typed/build" -DCMAKE_PREFIX_PATH="$prefix"
"$cmake" --build "$work/typed/build"
check "$work/typed/build/program"

echo '== a finished binary'
gcc -O2 -fopenmp "$here/openmp.c" -o "$work/finished"
# served_by LIBRARY COMMAND...: the linker binds the program's OpenMP calls to LIBRARY and to nothing else.
served_by() {
  library=$1
  shift
  rm -f "$work"/bindings*
  env LD_BIND_NOW=1 LD_DEBUG=bindings LD_DEBUG_OUTPUT="$work/bindings" "$@"
  cat "$work"/bindings.* | grep -F "binding file $work/finished " | grep -E 'symbol .(GOMP_|omp_)' > "$work/calls"
  test -s "$work/calls" && ! grep -vF " to $library" "$work/calls"
}
check served_by "$lib/blitz/libgomp.so.1" env LD_PRELOAD="$lib/blitz/libgomp.so.1" "$work/finished"
check served_by "$lib/blitz/libgomp.so.1" env LD_LIBRARY_PATH="$lib/blitz" "$work/finished"
check served_by "$lib/blitz/libgomp.so.1" "$prefix/bin/blitz-run" "$work/finished"
for command in "$prefix/bin/blitz-run --stats" "env BLITZ_STATS=1 LD_PRELOAD=$(readlink -f "$lib/libblitz-omp.so")"; do
  $command "$work/finished" 2> "$work/stats"
  check grep -q '^blitz-omp: statistics of finished' "$work/stats"
done

# The file that a gdb of the same prefix loads when it sees the library: below share/gdb/auto-load, under the library's
# whole path.
for file in "$(readlink -f "$lib/libblitz-omp.so")" "$lib/blitz/libgomp.so.1"; do
  check cmp "$prefix/share/gdb/auto-load$work/installed${file#"$prefix"}-gdb.py" "$prefix/share/blitz/blitz-gdb.py"
done

# Clang's driver would link libomp: the options go to its compiler only.
for clang in clang-19 clang; do
  command -v $clang > "$work/which" || continue
  echo "== $clang"
  LD_LIBRARY_PATH=$lib
  export LD_LIBRARY_PATH
  $clang -O2 -Xclang -fopenmp "$here/openmp.c" -L"$lib" -lblitz-omp -o "$work/openmp_clang"
  check "$work/openmp_clang"
  check needed "$work/openmp_clang" libblitz-omp.so
  "$cmake" -S "$here/consumer" -B "$work/consumer_$clang" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER=$clang \
    -DCMAKE_CXX_COMPILER="$cxx" > "$work/consumer_$clang.log"
  "$cmake" --build "$work/consumer_$clang" --target openmp >> "$work/consumer_$clang.log"
  check "$work/consumer_$clang/openmp"
  check needed "$work/consumer_$clang/openmp" libblitz-omp.so
  break
done
echo 'all consumers work'
