#!/bin/sh
# matrix.sh [SUITE[/PART]]...: compiles the programs of tests/abi, omp, acc and install with the compilers of other suites
# of Debian, and runs them there on libraries built here and on the compilers' own runtimes. Where the suite's tools are new
# enough, also builds Blitz there by each compiler and tests it, and makes the packages and installs them. A table at the end
# counts the programs:
#   passed   alike on Blitz and on their own runtime
#   failed   not alike
#   differ   alike but for what they print
#   own      their own runtime fails or hangs: nothing to compare with
#   unbuilt  the compiler does not take them
# What failed or differs is listed, and fails the command. What differs with bullseye's libgomp does not: it is older than
# those that Blitz answers like. Suites: bullseye, trixie, sid; without arguments all of them. A part is a compiler, such
# as sid/gcc-16, or sid/build or sid/packages. Each suite has a chroot in MATRIX_CHROOTS, or else in the user's cache, which
# debootstrap makes once. Logs are in build/matrix/SUITE. Needs Debian and root; two hours for all on two cores.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
self=$root/cmake/matrix.sh
work=$root/build/matrix
lib=$work/prefix/lib
. "$root/cmake/packages.sh"

# The compilers of a suite, a line for each: name, C, C++ and Fortran compiler, more flags. Its packages follow a +.
compilers() {
  case $1 in
    bullseye) echo 'gcc-10 gcc-10 g++-10 gfortran-10 -foffload=disable -ldl
      + gcc-10 g++-10 gfortran-10' ;;
    trixie) echo 'gcc-14 gcc-14 g++-14 gfortran-14
      clang-19 clang-19 clang++-19 flang-new-19
      + gcc-14 g++-14 gfortran-14 clang-19 flang-19 libomp-19-dev' ;;
    # Debian's compilers give the linker --as-needed; the snapshot does not, and makes code for devices.
    sid)
      new=/usr/lib/gcc-snapshot
      link=-Wl,--as-needed,--enable-new-dtags,-rpath,$new/lib
      echo "gcc-16 gcc-16 g++-16 gfortran-16
      gcc-snapshot $new/bin/gcc $new/bin/g++ $new/bin/gfortran -foffload=disable $link
      clang-23 clang-23 clang++-23 flang-23
      + gcc-16 g++-16 gfortran-16 gcc-snapshot clang-23 flang-23 libomp-23-dev"
      ;;
    *) die "no suite '$1'; see the head of $0" ;;
  esac
}

# ---- In the chroot, with `runtime` (libgomp or libomp) and `out`, the compiler's folder, in the environment. It has the
# compilers in $out/bin, under the names gcc, g++ and gfortran, or clang, clang++ and flang.

# note WORD TEST: one more test of that end.
note() {
  echo "$1 $2" >> "$out/results"
}

directive() { # WORD: what a line of the source says, '// WORD: ...' or '! WORD: ...'
  sed -n "s,^\(//\|!\) $1: *,,p" "$source"
}

# program SOURCE: compiles a program of tests/omp, acc or abi, and compares its runs.
program() {
  source=$root/tests/$1
  kind=${1%%/*}
  name=$kind.$(basename "${1%.*}")
  binary=$out/$name
  flags="-O2 -w $(directive flags)"
  case $kind in
    acc) flags="$flags -fopenacc" ;;
    *) flags="$flags -fopenmp" ;;
  esac
  case $source in
    *.c) compiler=gcc flags="-std=gnu11 $flags" ;;
    *.cpp) compiler=g++ flags="-std=c++17 $flags" ;;
    *) mkdir -p "$binary.modules" && compiler=gfortran flags="$flags -J $binary.modules" ;;
  esac
  if [ "$runtime" = libomp ]; then
    [ -z "$(directive 'gcc only')" ] || return 0
    case $compiler in
      gcc) compiler=clang ;;
      g++) compiler=clang++ ;;
      gfortran) compiler=flang ;;
    esac
    flags="$flags $(directive 'clang flags')"
    libraries='-Wl,--as-needed -latomic -lm'
  fi
  # shellcheck disable=SC2086
  if ! "$compiler" $flags "$source" ${libraries:-} -o "$binary" > "$binary.log" 2>&1; then
    note unbuilt "$name"
  elif TEST_FEW=1 TEST_TIMEOUT=120 TEST_REFERENCE=$runtime TEST_PRELOAD=$lib/libblitz-omp.so \
    TEST_FOLDER=$lib/blitz TEST_TOOL=$out/tool.so sh "$root/tests/omp/run.sh" "$source" "$binary" >> "$binary.log" 2>&1; then
    note passed "$name"
  elif grep -q 'no OpenMP symbol is bound at all$' "$binary.log"; then
    note unbuilt "$name" # without what it is about
  elif grep -q 'nothing to compare with$' "$binary.log"; then
    note own "$name"
  elif ! grep '^FAIL ' "$binary.log" | grep -qv 'stdout differs'; then
    note differ "$name"
  else
    note failed "$name"
  fi
  rm -rf "$binary" "$binary.modules"
}

# check TEST COMMAND...: a script of tests/.
check() {
  name=$1
  shift
  status=0
  "$@" > "$out/$name.log" 2>&1 || status=$?
  case $status in
    0) note passed "$name" ;;
    77) note unbuilt "$name" ;;
    *) note failed "$name" ;;
  esac
}

# compiler NAME C C++ FORTRAN FLAGS...: all tests with one compiler.
compiler() {
  out=$work/$suite/$1 cc=$2 cxx=$3 fc=$4
  shift 4
  export out runtime=libgomp
  rm -rf "$out"
  mkdir -p "$out/bin"
  names='gcc g++ gfortran'
  case $cc in
    clang*) runtime=libomp names='clang clang++ flang' ;;
  esac
  for path in "$cc" "$cxx" "$fc"; do
    name=${names%% *} names=${names#* }
    printf '#!/bin/sh\nexec %s "$@" %s\n' "$path" "$*" > "$out/bin/$name"
  done
  chmod +x "$out"/bin/*
  export PATH="$out/bin:$PATH"
  say "$suite: $("$cc" --version | head -n 1)"

  abi=$root/tests/abi
  {
    # Those that the lists of cmake name.
    sed -n 's/^    \([a-z]*\/[a-z_0-9]*\.[a-z0-9]*\))*$/omp\/\1/p' "$root/tests/omp/CMakeLists.txt"
    if [ $runtime = libgomp ]; then
      sed -n 's/^ *\(foreach(source\)* *\([a-z_0-9]*\.\(c\|cpp\|f\|f90\)\))*$/acc\/\2/p' "$root/tests/acc/CMakeLists.txt"
      gcc -O2 -w -fopenacc -fPIC -shared "$root/tests/acc/tool.c" -o "$out/tool.so"
      printf 'abi/%s\n' api.c icvs.c api_fortran.f90
    fi
  } > "$out/programs"
  xargs -P "$(nproc)" -n 1 sh "$self" program < "$out/programs"
  if [ $runtime = libomp ]; then
    check abi.llvm_names sh "$abi/llvm_names.sh" clang "$lib/libblitz-omp.so" "$lib/blitz"
    return
  fi
  tables=$work/tables.txt
  if [ "$suite" != bullseye ]; then # libgomp 12's
    check abi.sizes gcc -fopenmp -fsyntax-only "$abi/sizes.c"
    check abi.bindings sh "$abi/bindings.sh" gcc "$lib/libblitz-omp.so" "$lib/blitz" "$tables"
  fi
  check abi.symbols sh "$abi/symbols.sh" "$lib/libblitz-omp.so" "$tables" "$(gcc -print-file-name=libgomp.so.1)"
  check abi.newer sh "$abi/newer.sh" gcc gfortran "$lib/libblitz-omp.so" "$lib/blitz"
  check abi.missing sh "$abi/missing.sh" gcc "$lib/libblitz-omp.so" "$lib/blitz"
  for what in make fortran; do
    check install.$what sh "$root/tests/install/use.sh" $what "$work/prefix" "$out/$what" cmake gcc g++
  done
}

# blitz NAME C C++ FORTRAN FLAGS...: Blitz itself, by one compiler: built without a warning, and its tests of these
# folders.
blitz() {
  build=$out/$1 cc=$2 cxx=$3
  shift 4
  folders='unit stress api abi omp kmpc ompt acc tools run'
  llvm=$(compilers "$suite" | sed -n 's/^ *clang-\([0-9]*\) .*/\1/p')
  # shellcheck disable=SC2046,SC2086 # words
  cmake -S "$root" -B "$build" -G Ninja -DBLITZ_WERROR=ON -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" \
    -DCMAKE_EXE_LINKER_FLAGS="$*" -DBLITZ_LLVM="$llvm" &&
    cmake --build "$build" --target src/all compat/all $(printf 'tests/%s/all ' $folders) &&
    ctest --test-dir "$build" --output-on-failure -L "^($(echo "$folders" | tr ' ' '|'))\$" || return
  rm -rf "$build"
}

# packages: makes them there from a copy of the tree, and runs their own tests, of which the last removes them.
packages() {
  sh "$out/tree/cmake/deb.sh" || return
  need_packages lintian autopkgtest
  lintian --allow-root --tag-display-limit 0 --fail-on error,warning "$out"/tree/build/deb/*/*.deb || return
  autopkgtest --no-built-binaries --ignore-restrictions=breaks-testbed "$out"/tree/build/deb/*/*.deb "$out/tree/" -- null
}

# inside SUITE [PART]: all compilers of a suite, and its packages, or that part.
inside() {
  suite=$1
  # shellcheck disable=SC2046
  need_packages binutils libc6-dev make pkg-config $(compilers "$suite" | sed -n 's/^ *+//p')
  mkdir -p "$work/$suite"
  compilers "$suite" | grep -v '^ *+' > "$work/$suite/compilers"
  while read -r words <&3; do
    # shellcheck disable=SC2086
    case ${words%% *} in
      ${2:-*}) (compiler $words) ;;
    esac
  done 3< "$work/$suite/compilers"
  [ "$suite" != bullseye ] || return 0 # its CMake and debhelper are too old
  if [ "${2:-build}" = build ]; then
    need_packages cmake ninja-build libcmocka-dev spin g++ gfortran python3
    out=$work/$suite/build
    rm -rf "$out"
    mkdir -p "$out"
    while read -r words <&3; do
      say "$suite: build by ${words%% *}"
      # shellcheck disable=SC2086
      check "${words%% *}" blitz $words
    done 3< "$work/$suite/compilers"
  fi
  [ "${2:-packages}" = packages ] || return 0
  export out=$work/$suite/packages
  rm -rf "$out"
  mkdir -p "$out/tree"
  (cd "$root" && tar -c --exclude=./build --exclude=./.git --exclude=./.cache .) | tar -x -C "$out/tree"
  say "$suite: packages"
  check packages packages
  rm -rf "$out/tree"
}

# ---- Outside.

# make_chroot SUITE: in $chroots/SUITE, unless it is there.
make_chroot() {
  new=$chroots/$1
  [ ! -e "$new/etc/debian_version" ] || return 0
  say "Making $new"
  rm -rf "$new.new"
  mkdir -p "$new.new"
  # The keys of a suite may be younger than this system, and its list of packages older than it says that it is good for.
  debootstrap --variant=minbase --no-check-gpg "$1" "$new.new" > "$new.log" 2>&1 || die "no chroot (log: $new.log)"
  printf 'Acquire::Check-Valid-Until "false";\nAPT::Install-Recommends "false";\n' > "$new.new/etc/apt/apt.conf.d/99matrix"
  mv "$new.new" "$new"
}

# enter SUITE [PART]: the tests in its chroot. What is mounted goes with the namespace of this process.
enter() {
  new=$chroots/$1
  cp /etc/resolv.conf "$new/etc/resolv.conf"
  mkdir -p "$new$root"
  for folder in /proc /sys /dev "$root"; do
    mount --rbind "$folder" "$new$folder" || exit
  done
  exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C HOME=/root ${http_proxy:+"http_proxy=$http_proxy"} \
    chroot "$new" sh "$self" inside "$@"
}

case ${1:-} in
  program | inside | enter)
    chroots=${MATRIX_CHROOTS:-}
    "$@"
    exit
    ;;
esac

[ "$(id -u)" = 0 ] || die 'only root may make a chroot'
mkdir -p "$work"
parts=${*:-bullseye trixie sid}
for part in $parts; do
  compilers "${part%%/*}" > "$work/compilers"
done
export MATRIX_CHROOTS="${MATRIX_CHROOTS:-${XDG_CACHE_HOME:-$HOME/.cache}/blitz/chroots}"
chroots=$MATRIX_CHROOTS
need_packages gcc libc6-dev cmake ninja-build debootstrap
say 'Building'
printf 'include(%s/cmake/symbols.cmake)\nblitz_write_symbol_list(%s)\n' "$root" "$work/tables.txt" > "$work/tables.cmake"
{
  cmake -S "$root" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_INSTALL_LIBDIR=lib \
    -DBLITZ_TESTS=OFF && cmake --build "$work/build" && cmake --install "$work/build" --prefix "$work/prefix" &&
    cmake -P "$work/tables.cmake"
} > "$work/build.log" 2>&1 || die "not built (log: $work/build.log)"

for part in $parts; do
  make_chroot "${part%%/*}"
  # shellcheck disable=SC2046
  unshare --mount sh "$self" enter $(echo "$part" | tr / ' ') || die "$part came to no end"
done

echo
printf '%-9s %-13s %7s %7s %7s %7s %7s\n' suite compiler passed failed differ own unbuilt
cd "$work" || exit
for part in $parts; do
  case $part in
    */*) ls "$part/results" ;;
    *) ls "$part"/*/results ;;
  esac
done > all
while IFS=/ read -r suite compiler _; do
  awk -v suite="$suite" -v compiler="$compiler" '
    { count[$1]++ }
    END { printf "%-9s %-13s %7d %7d %7d %7d %7d\n", suite, compiler, count["passed"], count["failed"], count["differ"],
            count["own"], count["unbuilt"] }' "$suite/$compiler/results"
done < all
status=0
while IFS=/ read -r suite compiler _; do
  sed -n "s|^failed \(.*\)|failed: $work/$suite/$compiler/\1.log|p
    s|^differ \(.*\)|differs: $work/$suite/$compiler/\1.log|p" "$suite/$compiler/results" | sort
  ! grep -q "^failed$([ "$suite" = bullseye ] || echo '\|^differ')" "$suite/$compiler/results" || status=1
done < all
exit $status
