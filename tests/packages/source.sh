#!/bin/sh
# source.sh WORK: the tarball of the sources has all files of the last commit and no others, fits its checksum, and has the
# same bytes when another user makes it in another folder and time zone.
set -eu
work=$1
. "$(dirname "$0")/rig.sh"
git -C "$root" rev-parse HEAD > /dev/null 2>&1 || skip 'not a clone of git'
rm -rf "$work"
mkdir -p "$work"
tarball=$(sh "$root/cmake/source.sh" "$work/made")
name=$(basename "$tarball" .tar.gz)
(cd "$work/made" && sha256sum -c "$name.tar.gz.sha256")
tar -tzf "$tarball" | sed -n "s|^$name/\(.*[^/]\)$|\1|p" | sort > "$work/held"
git -C "$root" ls-tree -r --name-only HEAD | sort | diff - "$work/held" || fail 'files only committed (<), or only held (>)'
git clone --quiet "$root" "$work/another/clone"
touch "$work/another/clone/untracked.c"
(umask 077 && cd "$work/another/clone" && TZ=Asia/Tokyo sh cmake/source.sh)
cmp "$tarball" "$work/another/clone/build/$name.tar.gz"
echo 'the same bytes'
