#!/bin/sh
# release.sh [--check] LIBRARY...: the interface of libblitz.so and libblitz-omp.so. Without --check writes it to the
# reference files in this script's folder, once for each release. With it, fails if a LIBRARY lacks or changes a part of
# its reference; additions are no fault. Exits with 77 where libabigail is missing or writes another format.
#   libblitz.abi      the functions of libblitz.so and the types of the public headers, as libabigail sees them; needs the
#                     library's debugging information
#   libblitz-omp.txt  the names of libblitz-omp.so that are GCC's and LLVM's, a line for each version node. Their types are
#                     those of the compilers' omp.h, which each build compares
set -eu
here=$(cd "$(dirname "$0")" && pwd)
export LC_ALL=C
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
check=
[ "$1" != --check ] || { check=yes; shift; }

# types: what is not declared in the public headers is left out, and so is each place in the sources.
types() {
  command -v abidw > /dev/null || { echo 'skipped: no abidw (abigail-tools)'; exit 77; }
  readelf -S "$library" | grep -q '\.debug_info' || { echo "$library has no debugging information"; exit 1; }
  abidw --exported-interfaces-only --headers-dir "$here/../../include" --drop-private-types --type-id-style hash \
    --no-write-default-sizes --no-corpus-path --no-comp-dir-path --no-show-locs "$library"
}

format() {
  sed -n "1s/.*version='\([0-9]*\)\..*/\1/p" "$1"
}

names() {
  "${NM:-nm}" -D --defined-only --with-symbol-versions "$library" |
    awk '$2 != "A" && $3 !~ /^blitz_/ { sub(/@+/, " ", $3); print $3 }' | sort -k 2,2V -k 1,1 |
    awk '$2 != node { printf "%s%s", node ? "\n" : "", $2; node = $2 } { printf " %s", $1 } END { print "" }'
}

# kept REFERENCE: says what went or changed since; false, if anything did.
kept() {
  case $1 in
    *.abi) abidiff --no-added-syms "$1" "$scratch/now" ;;
    *)
      for list in "$1" "$scratch/now"; do
        awk '{ for (i = 2; i <= NF; i++) print $i "@" $1 }' "$list" | sort > "$scratch/$(basename "$list").lines"
      done
      comm -23 "$scratch/$(basename "$1").lines" "$scratch/now.lines" > "$scratch/gone"
      cat "$scratch/gone"
      [ ! -s "$scratch/gone" ]
      ;;
  esac
}

# sees CHANGE FILE: the check finds the reference FILE, which this library cannot meet.
sees() {
  ! cmp -s "$reference" "$2" || { echo "$reference: found no $1 to change"; exit 1; }
  ! kept "$2" > "$scratch/answer" || { echo "does not see that a $1 is another one"; exit 1; }
}

for library in "$@"; do
  case $(basename "$library") in
    libblitz-omp.so*) what=names reference=$here/libblitz-omp.txt ;;
    *) what=types reference=$here/libblitz.abi ;;
  esac
  $what > "$scratch/now"
  [ -n "$check" ] || { cp "$scratch/now" "$reference"; continue; }
  [ $what = names ] || [ "$(format "$scratch/now")" = "$(format "$reference")" ] ||
    { echo 'skipped: this libabigail writes another format'; exit 77; }
  kept "$reference" || {
    echo "not what $reference says."
    if [ $what = names ]; then
      echo 'Finished programs ask for these names: they stay forever.'
    else
      echo "Right only before a release, or with a new second number of the version; then anew: sh $0 $library"
    fi
    exit 1
  }
  if [ $what = names ]; then
    sed 's/ GOMP_parallel / GOMP_gone /' "$reference" > "$scratch/name.txt"
    sed 's/^GOMP_4\.0 /GOMP_4.0.9 /' "$reference" > "$scratch/node.txt"
    sees name "$scratch/name.txt"
    sees node "$scratch/node.txt"
    continue
  fi
  # A function that is gone, a type of another size, a parameter of another type.
  sed "s/'blitz_version'/'blitz_gone'/" "$reference" > "$scratch/function.abi"
  sed "/class-decl name='blitz_config'/s/size-in-bits='[0-9]*'/size-in-bits='64'/" "$reference" > "$scratch/type.abi"
  awk '
    NR == FNR { if (/<type-decl name=.int. /) { sub(/.* id=/, ""); sub(/\/>/, ""); number = $0 } next }
    /<function-decl name=.blitz_call. / { inside = 1 }
    inside && /<parameter/ { sub(/type-id=.[0-9a-f]*./, "type-id=" number); inside = 0 }
    { print }' "$reference" "$reference" > "$scratch/parameter.abi"
  for change in function type parameter; do
    sees "$change" "$scratch/$change.abi"
  done
done
