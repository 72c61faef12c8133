#!/bin/sh
# lintian.sh DEBS: Debian's check of packages finds no error and no warning in ours.
set -eu
debs=$1
. "$(dirname "$0")/rig.sh"
need_debs "$own"
command -v lintian > /dev/null || skip 'no lintian'
found=0
for arch in amd64 arm64; do
  for package in "$debs/$arch"/*.deb; do
    [ ! -e "$package" ] || set -- "$@" "$package"
  done
done
shift
lintian --allow-root --tag-display-limit 0 --fail-on error,warning --display-level '>=warning' "$@" || found=$?
[ $found = 0 ] || fail "lintian ended with $found"
