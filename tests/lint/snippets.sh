# Sourced by lint.sh. A program that a page shows is a file that the tests compile and run: after a line <!-- FILE --> comes
# that file between fences, to the letter. Each tests/api/readme_* and guide_* is shown on some page. A page for users has no
# other program: what is between fences for a language has such a line before it.
files '*.md' | while read -r page; do
  sed -n 's/^<!-- \(tests\/[A-Za-z0-9_/.-]*\) -->$/\1/p' "$page" | while read -r source; do
    [ -r "$source" ] || { echo "$page:1: no such file: $source"; continue; }
    awk -v mark="<!-- $source -->" '
      /^```/ { if (inside) exit; inside = found; next }
      inside { print }
      $0 == mark { found = 1 }' "$page" | cmp -s - "$source" || echo "$page:1: does not show $source as it is"
  done
done
files 'readme_*' 'guide_*' | grep '^tests/api/' | while read -r source; do
  files '*.md' | xargs grep -qxF -e "<!-- $source -->" || echo "$source:1: is shown on no page"
done
files '*.md' | grep -E '^(README|include/|compat/)' | xargs -r awk '
  FNR == 1 { language = previous = "" }
  /^```[a-z]/ && language == "" && previous !~ /^<!-- tests\// {
    print FILENAME ":" FNR ": a program that no test compiles; see tests/lint/snippets.sh"
  }
  /^```/ { language = language == "" ? $0 : "" }
  { previous = $0 }'
