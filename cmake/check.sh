#!/bin/sh
# check.sh [JOB...]: builds the project and runs its tests. Installs what is missing. Made for Debian 12; Debian 13 and
# Ubuntu 24.04 also have the packages. Needs root or sudo; some twenty minutes on two cores for all jobs, and only what
# changed is built again. Jobs:
#   ci       gcc, optimised, warnings as errors: every test
#   quick    the same build: only unit, api and install tests
#   clang    clang: unit, api, abi and tools tests
#   asan     AddressSanitizer and UndefinedBehaviorSanitizer: unit, stress, api, omp and fuzz tests
#   tsan     ThreadSanitizer: the same, without fuzz
#   aarch64  cross-compiled, under qemu: unit tests; on Debian for x86-64
#   packages Debian packages for amd64 and arm64, installed and removed in a bare Debian; only when named
#   lint     layers, labels, links, formatting
# Without arguments: all of these but quick, packages and lint.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/cmake/packages.sh"
cd "$root" || exit 2
mkdir -p build
rm -f build/check.failures

passed=0
failed=0
broken=
start=$(date +%s)
[ "$(uname -m)" = x86_64 ] && grep -qx ID=debian /etc/os-release && cross=aarch64 || cross=
jobs=${*:-ci clang asan tsan $cross}

# build DIR CMAKE-ARGUMENTS...: configures and builds $targets, or all.
build() {
  dir=$1
  shift
  # shellcheck disable=SC2086
  cmake "$@" && cmake --build "$dir" ${targets:+--target $targets}
}

# Keeps, for the end, what the failed tests of the job that just ran have printed: a log is often seen by its end only.
remember_failures() {
  {
    say "Failed in job $name"
    # A failed test's output follows its result line and ends at the next line of ctest's own.
    awk '/^ *[0-9]+\/[0-9]+ Test +#|^ +Start +[0-9]+: |% tests passed,/ { show = 0 }
         /^ *[0-9]+\/[0-9]+ Test +#/ && !/   Passed / && !/\(Disabled\)|\*\*\*Skipped/ { show = 1; lines = 0 }
         show && ++lines <= 60' build/check.log
  } >> build/check.failures
}

# run_tests CTEST-ARGUMENTS...: runs them and adds up what CTest says.
run_tests() {
  { ctest -j "$(cpus)" --output-on-failure --no-tests=error "$@" && echo ok > build/check.status; } 2>&1 |
    tee build/check.log
  # "98% tests passed, 1 tests failed out of 50"
  counts=$(sed -n 's/^[0-9]*% tests passed, \([0-9]*\) tests failed out of \([0-9]*\).*/\1 \2/p' build/check.log)
  bad=${counts% *} all=${counts#* }
  failed=$((failed + ${bad:-0}))
  passed=$((passed + ${all:-0} - ${bad:-0}))
  [ "${bad:-0}" = 0 ] || remember_failures
  [ -e build/check.status ]
}

# The part of Debian's arm64 cmocka that the tests need, unpacked below build/; the system is left as it is.
fetch_arm64_cmocka() {
  arm=$root/build/arm64
  [ -e "$arm/root/usr/include/cmocka.h" ] && return
  rm -rf "$arm"
  mkdir -p "$arm/lists/partial" "$arm/archives/partial" "$arm/root"
  (
    cd "$arm" || exit
    say 'Fetching cmocka for arm64'
    set -- -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o Dir::State::lists="$arm/lists" \
      -o Dir::Cache::archives="$arm/archives" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= \
      -o Dir::State::status=/dev/null -o APT::Sandbox::User= -qq
    apt-get "$@" update && apt-get "$@" download libcmocka0 libcmocka-dev || exit
    for deb in ./*.deb; do
      dpkg-deb -x "$deb" root || exit
    done
    rm -rf lists
  )
}

# GCC's own test programs, for tests/conformance; it goes without them.
want_gcc_source() {
  (need_packages gcc-12-source) || say 'No package gcc-12-source: the tests named conformance are skipped'
}

# Open MPI and MPICH, for tests/mpi; it goes without them.
want_mpi() {
  (need_packages openmpi-bin libopenmpi-dev mpich libmpich-dev) || say 'No MPI: the tests named mpi are left out'
}

# For one of the examples of tests/install; it goes without.
want_meson() {
  (need_packages meson) || say 'No meson: the test install.meson is skipped'
}

# The newest clang that Debian has, for programs of LLVM's compilers, and what it links code for devices with; it goes
# without.
want_clang() {
  (need_packages clang-19 clang-tools-19 libclang-rt-19-dev libomp-19-dev) ||
    say 'No clang-19: the tests of its programs are left out'
}

# The packages that the tests need, and the sanitizers' runtime for the system's own clang, whose package only
# recommends it.
need_test_packages() {
  need_packages $base $extra "$@"
  need_packages "$(dpkg-query -W -f '${Depends}' clang | sed 's/^clang-\([0-9]*\).*/libclang-rt-\1-dev/')"
}

job() {
  targets=
  case $1 in
    ci | quick | asan | tsan)
      preset=$1
      [ $preset = quick ] && preset=ci
      need_test_packages
      want_clang
      [ "$1" != ci ] || { want_gcc_source; want_mpi; want_meson; }
      build build/$preset --preset $preset || return
      case $1 in
        ci) run_tests --preset ci -LE '^(lint|model_long|packages)$' ;;
        quick) run_tests --preset ci -L '^(unit|api|install)$' ;;
        *) run_tests --preset $1 ;;
      esac
      ;;
    clang)
      need_packages $base clang
      targets="$libraries blitz_run blitz_tests_unit blitz_tests_stress blitz_tests_api
        tests/abi/all tests/tools/all"
      build build/clang -S . -B build/clang -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ \
        -DBLITZ_WERROR=ON || return
      run_tests --test-dir build/clang -L '^(unit|api|abi|tools)$'
      ;;
    aarch64)
      need_packages $base gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
      fetch_arm64_cmocka || return
      build build/aarch64 -S . -B build/aarch64 -G Ninja --toolchain cmake/aarch64.cmake \
        --no-warn-unused-cli -DBLITZ_WERROR=ON \
        -DCMOCKA_INCLUDE_DIR="$root/build/arm64/root/usr/include" \
        -DCMOCKA_LIBRARY="$root/build/arm64/root/usr/lib/aarch64-linux-gnu/libcmocka.so" || return
      run_tests --test-dir build/aarch64 -L '^unit$'
      ;;
    packages)
      need_packages $base $extra lintian debootstrap qemu-user rpm python3-venv python3-yaml
      sh cmake/deb.sh amd64 arm64 && cmake --preset ci || return
      run_tests --preset ci -L '^packages$'
      ;;
    lint)
      need_test_packages clang-format groff-base doxygen
      build build/ci --preset ci || return
      run_tests --preset ci -L '^lint$'
      ;;
    *)
      die "no job '$1'; see the head of $0"
      ;;
  esac
}

# Root alone may read it.
bits=$(cat /proc/sys/vm/mmap_rnd_bits 2> /dev/null || echo 0)
[ "$bits" -le 28 ] || say "vm.mmap_rnd_bits is $bits: programs of sanitizers may not start; sysctl vm.mmap_rnd_bits=28"

libraries='blitz_shared blitz_static blitz_omp blitz_gomp blitz_tools'
base='gcc g++ libc6-dev cmake ninja-build pkg-config libcmocka-dev'
extra='gfortran libbenchmark-dev spin kalign libomp5-19 python3 valgrind clang
  python3-numpy python3-threadpoolctl libopenblas0-openmp gdb abigail-tools'
for name in $jobs; do
  say "Job $name"
  rm -f build/check.status
  job "$name" || broken="$broken $name"
done

[ ! -s build/check.failures ] || cat build/check.failures
minutes=$((($(date +%s) - start + 59) / 60))
echo
echo "$passed passed, $failed failed in $minutes min (jobs: $jobs)"
if [ -n "$broken" ]; then
  echo "NOT in order:$broken. The reason is printed above, at 'Job'."
  exit 1
fi
echo 'Everything works.'
