# Sourced by lint.sh. C and C++ are laid out as .clang-format says. Debian 12's clang-format 14 decides.
tool=clang-format
command -v clang-format-14 > /dev/null && tool=clang-format-14
command -v $tool > /dev/null || echo "clang-format not found: install clang-format"
# One line for each place that it would change: the file's first one.
files '*.c' '*.h' '*.cpp' '*.hpp' | xargs -r -n 40 -P "$(nproc)" $tool --style=file --dry-run 2>&1 |
  awk -F: -v tool=$tool '/\[-Wclang-format-violations\]$/ && !seen[$1]++ {
    print $1 ":" $2 ": not formatted; run " tool " -i " $1 }'
# What clang-format does not decide: a pointer is tested by itself, unless a number is made of the answer; and a comment
# opens on its first line.
files '*.c' '*.h' | grep -E '^(src|compat)/' | xargs grep -nE '[^)] [!=]= NULL|^ */\*$' /dev/null |
  grep -vE '^[^:]*:[0-9]*:( \*|.*[-+|&]= )' | sed 's|$|   (pointers and comments: see tests/lint/format.sh)|'
