# stand_in.sh: sourced by scripts that need a libgomp of a newer gcc than there is, or a libomp. The result has all
# symbols and nodes of the lists here, and those of a file in addition. Each of its functions only prints its name and
# ends the process.

# stand_in CC FOLDER [FILE]: FOLDER/libgomp.so.1
stand_in() {
  stand_in_of "$1" "$2" libgomp.so.1 "$here/libgomp-12.txt" "$here/libgomp-17.txt" ${3:+"$3"}
}

# stand_in_llvm CC FOLDER NAME [FILE]: FOLDER/NAME, a libomp of that name.
stand_in_llvm() {
  stand_in_of "$1" "$2" "$3" "$here/libomp-22.txt" ${4:+"$4"}
}

# stand_in_of CC FOLDER NAME LIST...
stand_in_of() {
  stand_in_cc=$1 stand_in_folder=$2 stand_in_name=$3
  mkdir -p "$2"
  shift 3
  cat "$@" > "$stand_in_folder/symbols"
  set -- "$stand_in_cc" "$stand_in_folder" "$stand_in_name"
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
  "$1" -w -fno-builtin -shared -fPIC -Wl,-soname,"$3" -Wl,--version-script="$2/stand_in.map" \
    "$2/stand_in.c" -o "$2/$3"
}
