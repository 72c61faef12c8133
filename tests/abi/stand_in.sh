# stand_in.sh: sourced by scripts that need a libgomp of a newer gcc than there is. What it makes has all the symbols and
# nodes of libgomp-12.txt and libgomp-17.txt, and those of a file in addition. None of its functions does anything: it says
# its name and ends the process.

# stand_in CC FOLDER [FILE]: FOLDER/libgomp.so.1
stand_in() {
  mkdir -p "$2"
  cat "$here/libgomp-12.txt" "$here/libgomp-17.txt" ${3:+"$3"} > "$2/symbols"
  awk -F '[ @]+' -v code="$2/stand_in.c" -v map="$2/stand_in.map" '
    BEGIN { print "int printf(const char *, ...); void _exit(int);" > code }
    /^node / { parent[$2] = $3; order[++count] = $2 }
    /^[^# ]+@@/ {
      print "void " $1 "(void) { printf(\"" $1 " of the stand-in\\n\"); _exit(3); }" > code
      names[$2] = names[$2] "    " $1 ";\n"
    }
    END {
      for (i = 1; i <= count; i++) {
        node = order[i]
        print node " {" > map
        if (names[node]) print "  global:\n" names[node] > map
        print "} " parent[node] ";" > map
      }
    }' "$2/symbols"
  "$1" -w -fno-builtin -shared -fPIC -Wl,-soname,libgomp.so.1 -Wl,--version-script="$2/stand_in.map" \
    "$2/stand_in.c" -o "$2/libgomp.so.1"
}
