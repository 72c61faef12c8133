# Sourced by lint.sh. Links in the *.md files that point into the tree lead somewhere: the file exists, and so does
# the heading after a '#'.

# GitHub's anchors of the headings of FILE.
anchors() {
  awk '/^```/ { code = !code } !code && /^#+ / { sub(/^#+ +/, ""); print tolower($0) }' "$1" |
    sed -e 's/`//g' -e 's/[^a-z0-9 _-]//g' -e 's/ /-/g'
}

files '*.md' | while read -r file; do
  awk -v OFS=' ' '
    /^```/ { code = !code }
    !code {
      line = $0
      while (match(line, /\]\([^) ]+\)/)) {
        print FNR, substr(line, RSTART + 2, RLENGTH - 3)
        line = substr(line, RSTART + RLENGTH)
      }
    }' "$file" | while read -r line link; do
    case $link in *://* | mailto:*) continue ;; esac
    path=${link%%#*} anchor=
    case $link in *'#'*) anchor=${link#*#} ;; esac
    target=$(dirname "$file")/$path
    [ -n "$path" ] || target=$file
    if [ ! -e "$target" ]; then
      echo "$file:$line: no such file: $link"
    elif [ -n "$anchor" ] && ! anchors "$target" | grep -qxF -e "$anchor"; then
      echo "$file:$line: no such heading: $link"
    fi
  done
done
