#!/bin/sh
# strangers.sh PREFIX WORK CMAKE CC CXX: uses the installation in PREFIX as strangers do: by find_package, by pkg-config, by
# the lines of README.md, by LD_PRELOAD and by the lib/blitz folder.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
prefix=$1 work=$2 cmake=$3 cc=$4 cxx=$5
lib=$(dirname "$(find "$prefix" -name libblitz.so)")

check() {
  echo "-- $*"
  "$@"
}

rm -rf "$work"
mkdir -p "$work"

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
  cat "$work"/bindings.* | grep -F "binding file $work/finished " | grep -E 'symbol .(GOMP_|__kmpc_|omp_)' > "$work/calls"
  test -s "$work/calls" && ! grep -vF " to $library" "$work/calls"
}
check served_by "$lib/blitz/libgomp.so.1" env LD_PRELOAD="$lib/blitz/libgomp.so.1" "$work/finished"
check served_by "$lib/blitz/libgomp.so.1" env LD_LIBRARY_PATH="$lib/blitz" "$work/finished"
check served_by "$lib/blitz/libgomp.so.1" "$prefix/bin/blitz-run" "$work/finished"
for command in "$prefix/bin/blitz-run --stats" "env BLITZ_STATS=1 LD_PRELOAD=$(readlink -f "$lib/libblitz-omp.so")"; do
  $command "$work/finished" 2> "$work/stats"
  check grep -q '^blitz-omp: statistics of finished' "$work/stats"
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
  unset LD_LIBRARY_PATH
  $clang -O2 -fopenmp "$here/openmp.c" -L"$lib/blitz" -o "$work/finished"
  check served_by "$lib/blitz/libgomp.so.1" "$prefix/bin/blitz-run" "$work/finished"
  break
done
echo 'all consumers work'
