#!/bin/sh
# source.sh [FOLDER]: the sources as a tarball, blitz-VERSION.tar.gz, and its SHA-256 sum beside it, in FOLDER or else in
# build/. They are those of the last commit, and the same commit gives the same bytes everywhere. Needs git, in a clone.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
out=${1:-$root/build}
# number PART: that part of the version.
number() {
  sed -n "s/^#define BLITZ_VERSION_$1 //p" "$root/include/blitz.h"
}
name=blitz-$(number MAJOR).$(number MINOR).$(number PATCH)
mkdir -p "$out"
cd "$out"
git -C "$root" -c tar.umask=0022 archive --prefix="$name/" HEAD > "$name.tar"
gzip -nf9 "$name.tar"
sha256sum "$name.tar.gz" > "$name.tar.gz.sha256"
echo "$PWD/$name.tar.gz"
