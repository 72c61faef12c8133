#!/bin/sh
# chroot.sh DEBS NEXT CACHE: the packages of DEBS in a bare Debian of the system's own release, then those of NEXT over them,
# then neither. The Debian is made once, in CACHE, and each run works on a copy.
set -eu
debs=$1 next=$2 cache=$3
. "$(dirname "$0")/rig.sh"
need_debs "$own"
need_debs "$other"
[ "$(id -u)" = 0 ] || skip 'only root may make a chroot'
command -v debootstrap > /dev/null || skip 'no debootstrap'
release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
[ -n "$release" ] || skip 'a system without a code name'
# What is mounted goes with the namespace.
[ "${BLITZ_OWN_MOUNTS:-}" = 1 ] || {
  BLITZ_OWN_MOUNTS=1 unshare --mount true 2> /dev/null || skip 'no namespace of mounts here'
  BLITZ_OWN_MOUNTS=1 exec unshare --mount sh "$0" "$debs" "$next" "$cache"
}

if [ ! -e "$cache/$release/made" ]; then
  rm -rf "$cache"
  mkdir -p "$cache/$release"
  echo "-- debootstrap $release"
  debootstrap --variant=minbase "$release" "$cache/$release/root" > "$cache/$release/log" 2>&1 || {
    tail -n 5 "$cache/$release/log"
    skip 'debootstrap cannot make a Debian here: no network, or no right to; its last lines are above'
  }
  touch "$cache/$release/made"
fi
new=$cache/$release/copy
rm -rf "$new"
cp -a --reflink=auto "$cache/$release/root" "$new"
mount -t proc proc "$new/proc"

in_chroot() {
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C DEBIAN_FRONTEND=noninteractive chroot "$new" "$@"
}
# All files, but for what dpkg and ldconfig write down.
files() {
  (cd "$new" && find . -xdev \( -path ./proc -o -path ./var/lib/dpkg -o -path ./var/log -o -path ./var/cache/ldconfig \
    -o -path ./debs \) -prune -o -print | sort)
}
# as_before WHEN: the files are those that were there first, and dpkg knows nothing of ours.
as_before() {
  files > "$new/debs/files"
  diff "$new/debs/before" "$new/debs/files" || fail "$1: files that came (>) or went (<)"
  left=$(in_chroot dpkg-query -W -f '${Package} ${Status}\n' '*blitz*' 2> /dev/null || true)
  left=$left$(find "$new/var/lib/dpkg" "$new/var/cache" -name '*blitz*')$(in_chroot ldconfig -p | grep blitz || true)
  [ -z "$left" ] || fail "$1: left: $left"
}
# says WANTED COMMAND...: COMMAND in the chroot succeeds and prints that.
says() {
  wanted=$1
  shift
  echo "-- $*"
  answer=$(in_chroot "$@" 2>&1) || fail "failed: $answer"
  [ "$answer" = "$wanted" ] || fail "   says '$answer', should be '$wanted'"
}

mkdir -p "$new/debs/now" "$new/debs/next" "$new/debs/other"
files > "$new/debs/before"
for name in "$libblitz" libblitz-dev blitz-omp blitz-doc; do
  cp "$(deb "$debs/$own" $name)" "$new/debs/now"
  cp "$(deb "$next" $name)" "$new/debs/next"
done
for name in "$libblitz" libblitz-dev blitz-omp; do
  cp "$(deb "$debs/$other" $name)" "$new/debs/other"
done
upstream() {
  dpkg-deb -f "$1/$libblitz"_*.deb Version | sed 's/-[^-]*$//'
}
now_version=$(upstream "$new/debs/now")
next_version=$(upstream "$new/debs/next")
[ "$now_version" != "$next_version" ] || fail "both are $now_version"

echo "== for another machine, $other"
for file in "$new"/debs/other/*.deb; do
  ! answer=$(in_chroot dpkg -i "/debs/other/$(basename "$file")" 2>&1) || fail "$file was installed"
  echo "$answer" | grep -F "package architecture ($other) does not match system ($own)" || fail "$file: $answer"
done
as_before 'after packages for another machine'

echo "== $now_version"
in_chroot sh -c 'dpkg -i /debs/now/*.deb' > "$new/debs/log" 2>&1 || { cat "$new/debs/log"; fail 'not installed'; }
says '' dpkg --verify "$libblitz" libblitz-dev blitz-omp blitz-doc
lib=$(in_chroot sh -c 'ls -d /usr/lib/*/blitz')
in_chroot ldconfig -p | grep "=> .*$(dirname "$lib" | sed 's|^/usr||')/libblitz.so.${libblitz#libblitz}$" ||
  fail "the loader does not know $libblitz"
! in_chroot ldconfig -p | grep '=> .*/blitz/' || fail 'the loader takes the folder for one of its own'
in_chroot test ! -e "$(dirname "$lib")/libgomp.so.1" || fail 'this Debian has libgomp, and cannot show that none is needed'

# Programs: built here with what the packages put there.
export PKG_CONFIG_LIBDIR="$new$(dirname "$lib")/pkgconfig"
# shellcheck disable=SC2046
{
  gcc "$here/../install/native.c" $(pkg-config --cflags --libs blitz) -o "$new/debs/native"
  gcc "$here/../install/version.c" $(pkg-config --cflags --libs blitz) -o "$new/debs/version"
  gcc "$here/../install/openmp.c" $(pkg-config --cflags --libs blitz-omp) -o "$new/debs/linked"
}
gcc -O2 -fopenmp "$here/../install/openmp.c" -o "$new/debs/finished"
programs() {
  says '' /debs/native
  says "$now_version $1" /debs/version
  says '3 500500' /debs/linked
  says '3 500500' blitz-run /debs/finished
  says '3 500500' env LD_LIBRARY_PATH="$lib" /debs/finished
  says "blitz-run $1, library $lib/libgomp.so.1" blitz-run --version
}
programs "$now_version"

echo "== $next_version over it"
in_chroot sh -c 'dpkg -i /debs/next/*.deb' > "$new/debs/log" 2>&1 || { cat "$new/debs/log"; fail 'not installed'; }
says '' dpkg --verify "$libblitz" libblitz-dev blitz-omp blitz-doc
old=$(files | grep -F "$now_version" | grep -vxF -f "$new/debs/before" || true)
[ -z "$old" ] || fail "left of $now_version: $old"
programs "$next_version"

echo '== without the library'
in_chroot mv "$lib" "$lib.away"
! answer=$(in_chroot blitz-run /debs/finished 2>&1) || fail 'blitz-run runs without a library'
echo "$answer" | grep "no libgomp.so.1 of Blitz in .*$(basename "$(dirname "$lib")")/blitz.*set its place" || fail "$answer"
in_chroot mv "$lib.away" "$lib"

echo '== removed'
in_chroot dpkg --purge libblitz-dev "$libblitz" blitz-omp blitz-doc > "$new/debs/log" 2>&1 ||
  { cat "$new/debs/log"; fail 'not removed'; }
as_before 'after purging'
umount "$new/proc"
rm -rf "$new"
echo 'nothing is left'
