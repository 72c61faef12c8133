#!/bin/sh
# headers.sh INCLUDE: every public header compiles alone, without a warning, as C11 and as C++17, with each compiler that
# there is.
set -eu
include=$1
warnings='-Wall -Wextra -Wpedantic -Wconversion -Werror'
nulls=-Wzero-as-null-pointer-constant
found=0
compile() {
  compiler=$1 language=$2 header=$3
  command -v "$compiler" > /dev/null || return 0
  found=1
  case $language in c++:*) casts="-Wcast-qual -Wold-style-cast $nulls" ;; *) casts=-Wcast-qual ;; esac
  echo "#include <$header>" |
    "$compiler" -x "${language%%:*}" "-std=${language#*:}" $warnings $casts "-I$include" -fsyntax-only - ||
    { echo "$header: not clean for $compiler as ${language#*:}"; exit 1; }
}
for path in "$include"/*.h "$include"/blitz/*.h; do
  for language in c:c11 c++:c++17; do
    for compiler in gcc clang clang-14; do
      compile "$compiler" "$language" "${path#"$include"/}"
    done
  done
done
for path in "$include"/*.hpp; do
  for compiler in g++ clang++ clang++-14; do
    compile "$compiler" c++:c++17 "${path#"$include"/}"
  done
done

# Wrong uses do not compile: elements that are more than their bytes.
for compiler in g++ clang++ clang++-14; do
  command -v "$compiler" > /dev/null || continue
  for type in int 'const void *' std::string; do
    printf '#include <blitz/sort.h>\n#include <string>\n#define LESS(a, b) (*(a) < *(b))\n%s\n' \
      "BLITZ_DEFINE_SORT(sort, $type, LESS);" |
      "$compiler" -x c++ -std=c++17 $warnings $nulls "-I$include" -fsyntax-only - > /dev/null 2>&1 && result=0 || result=1
    [ $result = "$([ "$type" = std::string ] && echo 1 || echo 0)" ] ||
      { echo "BLITZ_DEFINE_SORT of $type: $compiler says $result"; exit 1; }
  done
done
[ "$found" = 1 ] || { echo 'no compiler found'; exit 1; }
echo 'all headers are clean'
