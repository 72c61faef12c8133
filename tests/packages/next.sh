#!/bin/sh
# next.sh DEBS WORK: the packages of this tree as if it were the version after it, in WORK.
set -eu
debs=$1 work=$2
. "$(dirname "$0")/rig.sh"
need_debs "$own"
rm -rf "$work"
copy_tree "$work/tree"
patch=$(sed -n 's/^#define BLITZ_VERSION_PATCH \([0-9]*\)$/\1/p' "$root/include/blitz.h")
sed -i "s/^#define BLITZ_VERSION_PATCH .*/#define BLITZ_VERSION_PATCH $((patch + 1))/" "$work/tree/include/blitz.h"
version=$(sed -n '1s/^blitz (\(.*\)\.[0-9]*-1) .*/\1/p' "$root/debian/changelog").$((patch + 1))
{
  printf 'blitz (%s-1) unstable; urgency=medium\n\n  * Made up.\n\n' "$version"
  grep -m 1 '^ -- ' "$root/debian/changelog"
  echo
  cat "$root/debian/changelog"
} > "$work/tree/debian/changelog"
sh "$work/tree/cmake/deb.sh"
mv "$work/tree/build/deb/$own"/*.deb "$work"
rm -rf "$work/tree"
deb "$work" "$libblitz" | grep -F "_$version-1_"
