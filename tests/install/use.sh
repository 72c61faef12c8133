#!/bin/sh
# use.sh WHAT PREFIX WORK CMAKE CC CXX: builds the examples of this folder with the installation in PREFIX, by WHAT: make,
# meson, fortran, rust, python, subproject or openmp, and sees that Blitz serves them. Exits with 77 where a tool is missing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../plain_env.sh"
what=$1 prefix=$2 work=$3 cmake=$4 cc=$5 cxx=$6
source=$(cd "$here/../.." && pwd)
lib=$(dirname "$(find "$prefix" -name libblitz.so)")
export PKG_CONFIG_PATH="$lib/pkgconfig" CC="$cc" CXX="$cxx" CMAKE_GENERATOR=Ninja
rm -rf "$work"
mkdir -p "$work"
cd "$work"

# needs TOOL...: skips the test unless all are there.
needs() {
  for tool in "$@"; do
    command -v "$tool" > "$work/which" || { echo "skipped: no $tool"; exit 77; }
  done
}

# served_by LIBRARY PROGRAM: PROGRAM runs well, and of all runtimes of OpenMP LIBRARY alone is loaded with it.
served_by() {
  echo "-- $2"
  "$2"
  ldd "$2" | sed -n 's/.*lib\(gomp\|omp\|iomp5\|blitz\|blitz-omp\)\.so[.0-9]* => \([^ ]*\) .*/\2/p' > libraries
  [ "$(readlink -f "$(cat libraries)")" = "$(readlink -f "$1")" ] || { echo "served by: $(cat libraries)"; exit 1; }
}

# examples FOLDER: the three that make and meson build there.
examples() {
  served_by "$lib/libblitz.so" "$1/native"
  served_by "$lib/libblitz.so" "$1/lambdas"
  served_by "$lib/libblitz-omp.so" "$1/openmp"
}

case $what in
  make)
    needs make pkg-config
    mkdir make
    cp "$here"/*.c "$here"/*.cpp .
    cp "$here/make/Makefile" make
    make -C make > log
    examples make
    ;;
  meson)
    needs meson ninja pkg-config
    meson setup build "$here/meson" > log
    ninja -C build >> log
    examples build
    ;;
  fortran)
    needs gfortran
    gfortran -fopenmp "$here/primes.f90" -Wl,-rpath,"$lib/blitz" -o primes
    served_by "$lib/blitz/libgomp.so.1" ./primes
    gfortran -fopenmp "$here/primes.f90" -o plain
    LD_LIBRARY_PATH=$lib/blitz
    export LD_LIBRARY_PATH
    served_by "$lib/blitz/libgomp.so.1" ./plain
    ;;
  rust)
    needs rustc
    rustc "$here/squares.rs" -L "$lib" -l blitz -C link-arg=-Wl,-rpath,"$lib"
    served_by "$lib/libblitz.so" ./squares
    ;;
  python)
    python=/usr/bin/python3 # Debian's, which Debian's packages are for
    openblas=$(ls -d /usr/lib/*/openblas-openmp 2> /dev/null | head -n 1)
    [ -x $python ] && $python -c 'import numpy' && [ -n "$openblas" ] ||
      { echo 'skipped: no python3-numpy, or no libopenblas0-openmp'; exit 77; }
    export LD_LIBRARY_PATH="$openblas" # whichever BLAS is the machine's default
    said=$("$prefix/bin/blitz-run" -n 2 $python "$here/product.py")
    [ "$said" = "2 $lib/blitz/libgomp.so.1" ] || { echo "threads, and who serves them: $said"; exit 1; }
    # Limits do what they do under GCC's, found by the loader or preloaded.
    $python -c 'import threadpoolctl' || { echo 'skipped: no python3-threadpoolctl'; exit 77; }
    libgomp=$("$cc" -print-file-name=libgomp.so.1)
    for threads in 1 5; do
      export OMP_NUM_THREADS=$threads
      $python "$here/limits.py" > own
      LD_PRELOAD=$libgomp $python "$here/limits.py" > own.preloaded
      LD_LIBRARY_PATH=$lib/blitz:$openblas $python "$here/limits.py" | diff own - || exit 1
      LD_PRELOAD=$lib/blitz/libgomp.so.1 $python "$here/limits.py" | diff own.preloaded - || exit 1
      "$prefix/bin/blitz-run" $python "$here/limits.py" | diff own.preloaded - || exit 1
    done
    grep -qx 'openmp 1 openmp 1' own || { echo 'threadpoolctl limits nothing:'; cat own; exit 1; }
    ;;
  subproject)
    # As installed, by the folder: only the messages about it.
    "$cmake" -S "$here/subproject" -B settings -DBY_FOLDER=ON -DBLITZ_SOURCE="$source" \
      -DCMAKE_EXPORT_COMPILE_COMMANDS=ON > log
    grep -q -- '-O2 .*/src/pool/pool\.c' settings/compile_commands.json || { echo 'Blitz is not optimised'; exit 1; }
    ! grep -- '-O2 .*lambdas\.cpp' settings/compile_commands.json || { echo 'neither is asked for elsewhere'; exit 1; }
    ! grep -s add_test settings/blitz/CTestTestfile.cmake || { echo 'Blitz has tests of its own there'; exit 1; }
    # And built: the scheduler alone, in the way that takes least time.
    "$cmake" -S "$here/subproject" -B build -DBLITZ_SOURCE="$source" -DBLITZ_OMP=OFF -DCMAKE_BUILD_TYPE=Debug \
      -DCMAKE_C_FLAGS_DEBUG= -DCMAKE_INSTALL_PREFIX="$work/installed" > log
    ninja -C build >> log
    served_by "$work/build/_deps/blitz-build/lib/libblitz.so" build/lambdas
    build/lambdas_static
    "$cmake" --install build > log
    [ ! -e installed ] || { echo "installed with the project: $(find installed -type f)"; exit 1; }
    ;;
  openmp)
    "$cmake" -S "$here/openmp" -B gcc -DCMAKE_C_COMPILER=gcc -DOpenMP_gomp_LIBRARY="$lib/libblitz-omp.so" \
      -DCMAKE_EXE_LINKER_FLAGS="-Wl,-rpath,$lib/blitz" > log
    "$cmake" --build gcc >> log
    served_by "$lib/libblitz-omp.so" gcc/by_module
    served_by "$lib/blitz/libgomp.so.1" gcc/by_flag
    for clang in clang-19 clang; do
      command -v $clang > which && [ -e /usr/lib/llvm-19/lib/libomp.so ] || continue
      "$cmake" -S "$here/openmp" -B clang -DCMAKE_C_COMPILER=$clang -DOpenMP_omp_LIBRARY="$lib/libblitz-omp.so" \
        -DCMAKE_EXE_LINKER_FLAGS="-Wl,-rpath,$lib/blitz" >> log
      "$cmake" --build clang >> log
      served_by "$lib/libblitz-omp.so" clang/by_module
      served_by "$lib/blitz/libomp.so.5" clang/by_flag
      break
    done
    ;;
esac
