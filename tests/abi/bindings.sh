#!/bin/sh
# bindings.sh CC LIBBLITZ_OMP FOLDER TABLES: a binary that asks for every symbol of libgomp-12.txt in its version, linked
# with the real libgomp, gets each from us: by LD_PRELOAD of LIBBLITZ_OMP and from libgomp.so.1 in FOLDER. So does one that
# asks for those of libomp-22.txt in the versions that linkers bind to, but for what we lack (TABLES, see symbols.sh).
here=$(cd "$(dirname "$0")" && pwd)
usage='usage: bindings.sh CC LIBBLITZ_OMP FOLDER TABLES'
cc=${1:?$usage} preload=${2:?$usage} folder=${3:?$usage} tables=${4:?$usage}
unset LD_PRELOAD LD_LIBRARY_PATH
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
. "$here/stand_in.sh"
LC_ALL=C
export LC_ALL
status=0

# binary NAME LIBRARY: asks LIBRARY for what is in $scratch/symbols: a pointer to each. A version that linkers do not bind
# to has to be asked for by name.
binary() {
  program=$scratch/$1
  awk -F@ '
    BEGIN { main = "int main(void) { return !all[0]; }" }
    NF == 3 { name = $1; print "void " name "(void);" }
    NF == 2 {
      name = "old_" $1
      print "void " name "(void);\n__asm__(\".symver " name ", " $1 "@" $2 "\");"
    }
    { list = list name ",\n" }
    END { print "void (*volatile all[])(void) = {\n" list "};\n" main }' "$scratch/symbols" > "$program.c"
  "$cc" -w -fno-builtin -o "$program" "$program.c" "$2" || exit 1
  sed -E "s/^(.*[^@])@@?([^@]*)$/\1 [\2]/" "$scratch/symbols" | sort > "$scratch/wanted"
}

# check WAY LIBRARY VARIABLE: how the loader binds the binary when it binds everything at start.
check() {
  env LD_LIBRARY_PATH="$scratch/stub" "$3" LD_TRACE_LOADED_OBJECTS=1 LD_WARN=yes LD_BIND_NOW=1 LD_DEBUG=bindings \
    "$program" 2>&1 |
    sed -n "s|.*binding file $program \[0\] to \([^ ]*\) .*symbol .\([^']*\)' \(\[.*\]\).*|\1 \2 \3|p" |
    sort -u > "$scratch/bound"
  awk -v library="$2" '$1 == library { print $2, $3 }' "$scratch/bound" | sort -u > "$scratch/ours"
  comm -13 "$scratch/ours" "$scratch/wanted" > "$scratch/strays"
  [ -s "$scratch/strays" ] || return 0
  while read -r symbol; do
    echo "$1: $symbol is bound to $(grep -F " $symbol" "$scratch/bound" | cut -d ' ' -f 1 | head -n 1)"
  done < "$scratch/strays"
  status=1
}

grep '^[^# ]*@' "$here/libgomp-12.txt" > "$scratch/symbols"
binary gcc -l:libgomp.so.1
check preload "$preload" "LD_PRELOAD=$preload"
check folder "$folder/libgomp.so.1" "LD_LIBRARY_PATH=$folder"
count=$(wc -l < "$scratch/wanted")

sed -n 's/^lacks //p' "$tables" > "$scratch/lacks"
stand_in_llvm "$cc" "$scratch/stub" libomp.so.5 || exit 1
grep '^[^# ]*@@' "$here/libomp-22.txt" |
  awk -F@ 'NR == FNR { lacks[$0]; next } !($1 in lacks)' "$scratch/lacks" - > "$scratch/symbols"
binary llvm "$scratch/stub/libomp.so.5"
check 'llvm, preload' "$preload" "LD_PRELOAD=$preload"
check 'llvm, folder' "$folder/libomp.so.5" "LD_LIBRARY_PATH=$folder"
count=$((count + $(wc -l < "$scratch/wanted")))

[ $status = 0 ] && echo "$count symbols, each bound to us both ways"
exit $status
