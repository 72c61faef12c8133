#!/bin/sh
# seam.sh OBJECTS OMP: the object files of an ABI below the folder OBJECTS refer to what they define themselves, to what
# bomp.h in the folder OMP declares or includes, and to the C library. So none calls an omp_* function or one of another ABI.
objects=${1:?usage: seam.sh OBJECTS OMP} omp=${2:?usage: seam.sh OBJECTS OMP}
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
LC_ALL=C
export LC_ALL

find "$objects" -name '*.o' > "$scratch/files"
[ -s "$scratch/files" ] || { echo "no object files in $objects"; exit 1; }
xargs nm -g < "$scratch/files" | awk 'NF == 3 { print $3 }' | sort -u > "$scratch/defined"
grep -ohE '\bbomp_[a-z0-9_]+' "$omp/bomp.h" "$omp/bomp_api.h" "$omp/bomp_tool.h" \
  "$omp/base/report.h" "$omp/base/offload.h" | sort -u > "$scratch/declared"
sort -u "$scratch/defined" "$scratch/declared" > "$scratch/allowed"
xargs nm -A -u < "$scratch/files" | awk '{ print $NF, $1 }' | grep -E '^(bz|bacc|bomp|omp|acc|kmp|GOMP|GOACC|__kmp)' |
  sort > "$scratch/used"
join -v 1 "$scratch/used" "$scratch/allowed" |
  sed "s|\(.*\) .*/\([^/]*\)\.o:*\$|\2: must not refer to \1|" > "$scratch/found"
[ ! -s "$scratch/found" ] && exit 0
cat "$scratch/found"
exit 1
