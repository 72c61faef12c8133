# Sourced by lint.sh. C and C++ are laid out as .clang-format says. Debian 12's clang-format 14 decides.
tool=clang-format
command -v clang-format-14 > /dev/null && tool=clang-format-14
command -v $tool > /dev/null || echo "clang-format not found: install clang-format"
files '*.c' '*.h' '*.cpp' '*.hpp' | while read -r file; do
  $tool --style=file "$file" | cmp -s - "$file" || echo "$file:1: not formatted; run $tool -i $file"
done
