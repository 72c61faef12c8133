#!/bin/sh
# symbols.sh LIBRARY TABLES LIBGOMP: the names and version nodes of a built library, as nm and readelf see them.
#   1. Exactly what the tables of compat/ say (TABLES, made by cmake/symbols.cmake), and blitz_* in BLITZ_N.
#   2. Nothing of libgomp 12 to 17 (libgomp-12.txt, libgomp-17.txt) is missing or in another node.
#   3. Nothing of LIBGOMP, the system's own libgomp.so.1, is, unless its path is empty: offload plugins
#      aside, and, where LIBGOMP is newer, what it has in nodes that libgomp 17 has not.
#   4. Nothing of libomp 22 (libomp-22.txt) is, but for what TABLES says that we lack. The default versions are GCC's.
# NM and READELF name the tools when the library is of another machine; those of GNU binutils, here and there.
here=$(cd "$(dirname "$0")" && pwd)
library=${1:?usage: symbols.sh LIBRARY TABLES LIBGOMP} tables=${2:?usage: symbols.sh LIBRARY TABLES LIBGOMP} libgomp=$3
LC_ALL=C
export LC_ALL
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

# The defined symbols of a library as name@@node or name@node, without the nodes' own.
symbols() {
  "${NM:-nm}" -D --defined-only --with-symbol-versions "$1" | awk '$2 != "A" { print $3 }' | sort
}

# The nodes of a library as "node name parent".
nodes() {
  "${READELF:-readelf}" -VW "$1" | awk '
    /^Version needs/ { exit }
    /Flags: BASE/ { next }
    /Flags: (none|WEAK).*Name:/ { if (line) print line; line = "node " $NF }
    /Parent [0-9]+:/ { line = line " " $NF }
    END { if (line) print line }' | sort
}

# complain WHAT: one line for each line of the input, and remember that there was one.
complain() {
  sed "s|^|$1: |" >> "$scratch/found"
}

: > "$scratch/found"
symbols "$library" > "$scratch/symbols"
nodes "$library" > "$scratch/nodes"
[ -s "$scratch/symbols" ] && [ -s "$scratch/nodes" ] || { echo "$library: nm or readelf see nothing"; exit 1; }

grep -vE '^(node|lacks) ' "$tables" | sort > "$scratch/expected"
grep -v '^blitz_[^@]*@@BLITZ_[0-9]*$' "$scratch/symbols" > "$scratch/ours"
comm -13 "$scratch/ours" "$scratch/expected" | complain "in the tables, not in the library"
comm -23 "$scratch/ours" "$scratch/expected" | complain "in the library, not in the tables"
grep -q '^blitz_' "$scratch/symbols" || echo "$library" | complain "no symbol of the native API in"
grep '^node ' "$tables" | sort > "$scratch/expected"
comm -3 "$scratch/nodes" "$scratch/expected" | tr -d '\t' | complain "in only one of library and tables"

cat "$here/libgomp-12.txt" "$here/libgomp-17.txt" > "$scratch/libgomp"
grep '^[^# ]*@' "$scratch/libgomp" | sort > "$scratch/expected"
comm -13 "$scratch/symbols" "$scratch/expected" | complain "of libgomp, not in the library"
grep '^node ' "$scratch/libgomp" | sort > "$scratch/expected"
comm -13 "$scratch/nodes" "$scratch/expected" | complain "of libgomp, not in the library"

sed -n 's/^lacks //p' "$tables" | sort > "$scratch/lacks"
grep '^[^# ]*@' "$here/libomp-22.txt" | sed 's/@@/@/' | sort > "$scratch/libomp"
awk -F@ 'NR == FNR { lacks[$0]; next } !($1 in lacks)' "$scratch/lacks" "$scratch/libomp" > "$scratch/expected"
sed 's/@@/@/' "$scratch/symbols" | sort > "$scratch/versions"
comm -13 "$scratch/versions" "$scratch/expected" | complain "of libomp, not in the library"
cut -d @ -f 1 "$scratch/libomp" | sort -u | comm -13 - "$scratch/lacks" | complain "lacks what libomp lacks, too"
cut -d @ -f 1 "$scratch/symbols" | sort -u | comm -12 - "$scratch/lacks" | complain "in the library, though it lacks that"
sed -n 's/^data //p' "$here/libomp-22.txt" | sort | comm -23 - "$scratch/lacks" > "$scratch/expected"
"${NM:-nm}" -D --defined-only "$library" | awk '$2 ~ /[BDR]/ { sub(/@.*/, "", $3); print $3 }' | sort > "$scratch/variables"
cut -d @ -f 1 "$scratch/libomp" | sort -u | comm -12 - "$scratch/variables" > "$scratch/data"
comm -3 "$scratch/data" "$scratch/expected" | tr -d '\t' | complain "a variable here or in libomp alone"
grep '^node ' "$here/libomp-22.txt" | sort > "$scratch/expected"
cut -d ' ' -f 1,2 "$scratch/nodes" | sort | comm -13 - "$scratch/expected" | complain "of libomp, not in the library"

if [ -n "$libgomp" ]; then
  sed -n 's/^node \([^ ]*\).*/\1/p' "$scratch/libgomp" > "$scratch/known"
  symbols "$libgomp" | grep -v '^GOMP_PLUGIN_' |
    awk -F@ 'NR == FNR { known[$0]; next } $NF in known' "$scratch/known" - > "$scratch/expected"
  [ -s "$scratch/expected" ] || echo "$libgomp" | complain "nm sees nothing of"
  comm -13 "$scratch/symbols" "$scratch/expected" | complain "of $libgomp, not in the library"
fi

[ ! -s "$scratch/found" ] && exit 0
cat "$scratch/found"
exit 1
