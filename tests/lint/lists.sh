# Sourced by lint.sh. Every source file is named in the CMakeLists.txt of its folder, and only once. Each says at its top
# what it is, or its header does. Each constant that bench/decisions.md names exists.

# listed FILE PATTERN LIST: complains unless exactly one line of LIST matches the extended regex PATTERN.
listed() {
  count=$(grep -v '^[[:space:]]*#' "$3" 2>/dev/null | grep -cE "$2")
  [ "$count" = 1 ] || echo "$1:1: named $count times in $3, should be once"
}

for folder in src compat; do
  for file in $(files '*.c' | grep "^$folder/"); do
    listed "$file" "(^|[[:space:](])$(echo "${file#"$folder"/}" | sed 's/\./\\./g')([[:space:])]|\$)" \
      "$folder/CMakeLists.txt"
  done
done
for file in $(files 'test_*.c' | grep '^tests/unit/'); do
  name=${file#tests/unit/test_}
  listed "$file" "blitz_unit_test\(${name%.c}[ )]" tests/unit/CMakeLists.txt
done
for file in $(files 'stress_*.c' | grep '^tests/stress/'); do
  name=${file#tests/stress/stress_}
  listed "$file" "blitz_stress_test\(${name%.c}[ )]" tests/stress/CMakeLists.txt
done
for file in $(files '*.c' '*.cpp' | grep '^tests/api/'); do
  name=${file#tests/api/}
  listed "$file" "blitz_api_test\(${name%.c*}[ )]" tests/api/CMakeLists.txt
done
for file in $(files '*.[ch]' | grep -E '^(src|compat)/'); do
  [ "$(head -c 2 "$file")" = '/*' ] || { [ "${file%.c}" != "$file" ] && [ -e "${file%.c}.h" ]; } ||
    echo "$file:1: no comment at the top says what it is"
done
decisions=bench/decisions.md
[ ! -e $decisions ] || grep -noE '`B(Z|OMP|LITZ)_[A-Z0-9_]+`' $decisions | tr -d '`' | while IFS=: read -r line name; do
  grep -rqwF "$name" src compat || echo "$decisions:$line: nothing defines $name"
done
