#!/bin/sh
# release.sh LIBRARY [REFERENCE]: what libblitz.so offers to programs, as libabigail sees it: its functions, and the types of
# the public headers. Without REFERENCE writes it to libblitz.abi beside this script, as is done once for each release. With
# it, fails if LIBRARY has not all of REFERENCE as it was; new functions are no fault. Needs the library's debugging
# information; exits with 77 where libabigail is missing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
library=$1 reference=${2:-}
export LC_ALL=C
command -v abidiff > /dev/null || { echo 'skipped: no abidiff (abigail-tools)'; exit 77; }
readelf -S "$library" | grep -q '\.debug_info' || { echo "$library has no debugging information"; exit 1; }

# What is not declared in the public headers is left out, and so is each place in the sources.
dump() {
  abidw --exported-interfaces-only --headers-dir "$here/../../include" --drop-private-types --type-id-style hash \
    --no-write-default-sizes --no-corpus-path --no-comp-dir-path --no-show-locs "$library"
}

if [ -z "$reference" ]; then
  dump > "$here/libblitz.abi"
  exit
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
dump > "$scratch/now.abi"
# kept REFERENCE: says what went or changed; false, if anything did.
kept() {
  abidiff --no-added-syms "$1" "$scratch/now.abi"
}
kept "$reference" || {
  echo "not what $reference says. Right only before a release, or with a new second number of the version; then anew:"
  echo "  sh $0 $library"
  exit 1
}

# The same with references that this library cannot meet: a function that is gone, a type of another size, a parameter of
# another type.
sed "s/'blitz_version'/'blitz_gone'/" "$reference" > "$scratch/function.abi"
sed "/class-decl name='blitz_config'/s/size-in-bits='[0-9]*'/size-in-bits='64'/" "$reference" > "$scratch/type.abi"
awk '
  NR == FNR { if (/<type-decl name=.int. /) { sub(/.* id=/, ""); sub(/\/>/, ""); number = $0 } next }
  /<function-decl name=.blitz_call. / { inside = 1 }
  inside && /<parameter/ { sub(/type-id=.[0-9a-f]*./, "type-id=" number); inside = 0 }
  { print }' "$reference" "$reference" > "$scratch/parameter.abi"
for change in function type parameter; do
  ! cmp -s "$reference" "$scratch/$change.abi" || { echo "$reference: found no $change to change"; exit 1; }
  ! kept "$scratch/$change.abi" > "$scratch/answer" || { echo "does not see that a $change is another one"; exit 1; }
done
