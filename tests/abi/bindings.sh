#!/bin/sh
# bindings.sh CC LIBBLITZ_OMP FOLDER: a binary that asks for every symbol of libgomp-12.txt in its version, linked with
# the real libgomp, gets each from us: by LD_PRELOAD of LIBBLITZ_OMP and from libgomp.so.1 in FOLDER.
here=$(cd "$(dirname "$0")" && pwd)
usage='usage: bindings.sh CC LIBBLITZ_OMP FOLDER'
cc=${1:?$usage} preload=${2:?$usage} folder=${3:?$usage}
unset LD_PRELOAD LD_LIBRARY_PATH
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

# A pointer to each function. A version that linkers do not bind to has to be asked for by name.
grep '^[^# ]*@' "$here/libgomp-12.txt" | awk -F@ '
  NF == 3 { name = $1; print "void " name "(void);" }
  NF == 2 {
    name = "old_" $1
    print "void " name "(void);\n__asm__(\".symver " name ", " $1 "@" $2 "\");"
  }
  { list = list name ",\n" }
  END { print "void (*volatile all[])(void) = {\n" list "};\nint main(void) { return !all[0]; }" }' > "$scratch/all.c"
"$cc" -w -fno-builtin -o "$scratch/all" "$scratch/all.c" -l:libgomp.so.1 || exit 1
grep '^[^# ]*@' "$here/libgomp-12.txt" | sed -E "s/^(.*[^@])@@?([^@]*)$/\1 [\2]/" | sort > "$scratch/wanted"

# check WAY LIBRARY VARIABLE: how the loader, told to bind everything, binds the binary.
check() {
  env "$3" LD_TRACE_LOADED_OBJECTS=1 LD_WARN=yes LD_BIND_NOW=1 LD_DEBUG=bindings "$scratch/all" 2>&1 |
    sed -n "s|.*binding file $scratch/all \[0\] to \([^ ]*\) .*symbol .\([^']*\)' \(\[.*\]\).*|\1 \2 \3|p" |
    grep -E ' (G?OMP|omp|GOACC|acc)_' | sort -u > "$scratch/bound"
  awk -v library="$2" '$1 == library { print $2, $3 }' "$scratch/bound" | sort -u > "$scratch/ours"
  comm -13 "$scratch/ours" "$scratch/wanted" > "$scratch/strays"
  [ -s "$scratch/strays" ] || return 0
  while read -r symbol; do
    echo "$1: $symbol is bound to $(grep -F " $symbol" "$scratch/bound" | cut -d ' ' -f 1 | head -n 1)"
  done < "$scratch/strays"
  return 1
}

LC_ALL=C
export LC_ALL
status=0
check preload "$preload" "LD_PRELOAD=$preload" || status=1
check folder "$folder/libgomp.so.1" "LD_LIBRARY_PATH=$folder" || status=1
[ $status = 0 ] && echo "$(wc -l < "$scratch/wanted") symbols, each bound to us both ways"
exit $status
