# Sourced by lint.sh. A file of more than 600 lines is two files; omp-tools.h declares what the specification does.
files '*.c' '*.h' '*.cpp' '*.f90' '*.cmake' '*.sh' '*.py' CMakeLists.txt | while read -r file; do
  lines=$(wc -l < "$file")
  [ "$lines" -le 600 ] || [ "$file" = include/omp-tools.h ] || echo "$file:600: $lines lines"
done
lines=$(wc -l < CMakeLists.txt)
[ "$lines" -lt 150 ] || echo "CMakeLists.txt:150: $lines lines, the root list stays below 150"
