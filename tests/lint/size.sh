# Sourced by lint.sh. A file of more than 600 lines is two files.
files '*.c' '*.h' '*.cpp' '*.f90' '*.cmake' '*.sh' '*.py' CMakeLists.txt | while read -r file; do
  lines=$(wc -l < "$file")
  [ "$lines" -le 600 ] || echo "$file:600: $lines lines"
done
lines=$(wc -l < CMakeLists.txt)
[ "$lines" -lt 150 ] || echo "CMakeLists.txt:150: $lines lines, the root list stays below 150"
