#!/bin/sh
# deb.sh [ARCHITECTURE]...: Debian packages of this tree, in build/deb/ARCHITECTURE: for this machine, or for amd64 and arm64
# as asked; what is not this machine's is cross-compiled, without the package blitz-doc, which is for all. Installs what is
# missing. Needs Debian 12 and root or sudo for that. The packages are described in debian/.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/cmake/packages.sh"
command -v dpkg > /dev/null || die 'makes packages on Debian only; elsewhere: cpack -G RPM, or -G TGZ, in a build folder'
own=$(dpkg --print-architecture)
[ $# -gt 0 ] || set -- "$own"
for arch in "$@"; do
  case $arch in
    amd64 | arm64) ;;
    *) die "there are packages for amd64 and arm64, not for '$arch'" ;;
  esac
done

# compiler ARCHITECTURE: the packages of the cross compiler for it.
compiler() {
  case $1 in
    "$own") echo gcc libc6-dev doxygen ;;
    amd64) echo gcc-x86-64-linux-gnu libc6-dev-amd64-cross ;;
    arm64) echo gcc-aarch64-linux-gnu libc6-dev-arm64-cross ;;
  esac
}

# try_out FOLDER: runs a program of gcc's under the packages there, unpacked and not installed.
try_out() {
  say 'Trying them out'
  unpacked=$1/unpacked
  dpkg-deb -x "$1"/blitz-omp_*.deb "$unpacked"
  gcc -O2 -fopenmp "$root/tests/install/openmp.c" -o "$unpacked/program"
  "$unpacked/usr/bin/blitz-run" -n 3 "$unpacked/program" > "$unpacked/answer" &&
    "$unpacked/usr/bin/blitz-run" --check "$unpacked/program" > "$unpacked/served" &&
    [ "$(cat "$unpacked/answer")" = '3 500500' ] || die "a program does not run under them, in $unpacked"
  tail -n 1 "$unpacked/served"
  rm -rf "$unpacked"
  echo 'A program of gcc runs under them as it should. To install and to use them:'
  echo "  apt-get install $1/blitz-omp_*.deb"
  echo '  blitz-run your-program'
}

for arch in "$@"; do
  # shellcheck disable=SC2046
  need_packages dpkg-dev debhelper cmake ninja-build systemtap-sdt-dev $(compiler "$arch")
  into=$root/build/deb/$arch
  rm -rf "$into"
  mkdir -p "$into/blitz" # a copy: the tree stays as it is
  (cd "$root" && tar -c --exclude=./build --exclude=./.git --exclude=./.cache --exclude=__pycache__ .) |
    tar -x -C "$into/blitz"
  kind=-b
  [ "$arch" = "$own" ] || kind=-B
  say "Packages for $arch"
  # Its build tools are there, but not always under the names that it searches.
  (cd "$into/blitz" && dpkg-buildpackage $kind -a "$arch" --no-check-builddeps --no-sign) > "$into/build.log" 2>&1 || {
    tail -n 30 "$into/build.log" >&2
    die "no packages for $arch (full log: $into/build.log)"
  }
  rm -rf "$into/blitz"
  ls "$into"/*.deb
  [ "$arch" != "$own" ] || try_out "$into"
done
