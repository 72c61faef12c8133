# Sourced by lint.sh. Every source file is named in the CMakeLists.txt of its folder, and only once. And each of a room of
# src/ is named on the room's page.

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
for file in $(files '*.[ch]' '*.def' | grep -E '^src/[^/]*/'); do
  room=$(dirname "$file")
  name=$(basename "$file")
  if [ ! -e "$room/README.md" ]; then
    echo "$file:1: $room has no README.md"
  elif ! grep -qE "\`${name%.*}\.(${name##*.}\`|\{)" "$room/README.md"; then
    echo "$file:1: $room/README.md does not name it"
  fi
done
