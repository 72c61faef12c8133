# Sourced by lint.sh. Plain text: no tabs, no blanks at line ends, no carriage returns, a newline at the end, lines
# of at most 125 characters.
files '*.c' '*.h' '*.cpp' '*.f90' '*.def' '*.cmake' '*.in' '*.map' '*.sh' '*.awk' '*.py' '*.md' '*.json' '*.pml' \
  CMakeLists.txt .clang-format .editorconfig .gitignore LICENSE run | while read -r file; do
  awk -v file="$file" '
    /\t/ { print file ":" FNR ": tab" }
    /\r/ { print file ":" FNR ": carriage return" }
    /[ ]$/ { print file ":" FNR ": blank at the end" }
    length($0) > 125 && !/https?:/ && !(file ~ /\.md$/ && /^\|/) {
      print file ":" FNR ": " length($0) " characters"
    }' "$file"
  [ -z "$(tail -c 1 "$file")" ] || echo "$file: no newline at the end"
done
