# Sourced by lint.sh. A program that a page shows is a file that the tests compile and run: after a line <!-- FILE --> comes
# that file between fences, to the letter. Each tests/api/readme_* is shown on some page.
files '*.md' | while read -r page; do
  sed -n 's/^<!-- \(tests\/[a-z_/.]*\) -->$/\1/p' "$page" | while read -r source; do
    [ -r "$source" ] || { echo "$page:1: no such file: $source"; continue; }
    awk -v mark="<!-- $source -->" '
      /^```/ { if (inside) exit; inside = found; next }
      inside { print }
      $0 == mark { found = 1 }' "$page" | cmp -s - "$source" || echo "$page:1: does not show $source as it is"
  done
done
files 'readme_*' | grep '^tests/api/' | while read -r source; do
  files '*.md' | xargs grep -qxF -e "<!-- $source -->" || echo "$source:1: is shown on no page"
done
