#!/bin/sh
# same.sh DEBS WORK: the packages, made again and in another folder, have the same bytes.
set -eu
debs=$1 work=$2
. "$(dirname "$0")/rig.sh"
need_debs "$own"
rm -rf "$work"
copy_tree "$work/another/tree"
unset SOURCE_DATE_EPOCH
(umask 077 && TZ=Asia/Tokyo LC_ALL=C.UTF-8 sh "$work/another/tree/cmake/deb.sh")
for file in "$debs/$own"/*.deb; do
  cmp "$file" "$work/another/tree/build/deb/$own/$(basename "$file")"
done
rm -rf "$work"
echo 'the same bytes'
