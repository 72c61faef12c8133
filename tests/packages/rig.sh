# Sourced by the tests of this folder, with `debs` set: the folder with a folder of packages for each architecture.
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

skip() {
  echo "skipped: $*"
  exit 77
}

fail() {
  echo "$*" >&2
  exit 1
}

command -v dpkg-deb > /dev/null || skip 'no dpkg-deb'
own=$(dpkg --print-architecture)
other=arm64
[ "$own" = amd64 ] || other=amd64

# The package of libblitz.so.N, libblitzN.
libblitz=libblitz$(sed -n 's/^#define BLITZ_VERSION_MAJOR //p' "$root/include/blitz.h")

# need_debs ARCHITECTURE: the packages are there.
need_debs() {
  set -- "$debs/$1/$libblitz"_*_"$1".deb
  [ -e "$1" ] || skip "no packages in $debs: sh cmake/deb.sh amd64 arm64"
}

# copy_tree FOLDER: the sources, in FOLDER.
copy_tree() {
  mkdir -p "$1"
  (cd "$root" && tar -c --exclude=./build --exclude=./.git --exclude=./.cache .) | tar -x -C "$1"
}

# deb FOLDER NAME: the package NAME in FOLDER.
deb() {
  set -- "$1/$2"_*.deb
  [ $# = 1 ] && [ -e "$1" ] || fail "not exactly one package: $*"
  echo "$1"
}
