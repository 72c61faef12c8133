# Sourced by lint.sh. Comments and pages read once: a folder has at most 15 turns of phrase in 10,000 words that need a
# second reading (prose.awk). prose.txt lists the folders with more, and their limits, which only fall:
# PROSE_LOWER=1 in the environment lowers them to what is there now.
limits=tests/lint/prose.txt
[ -r $limits ] || limits=/dev/null
files '*.c' '*.h' '*.hpp' '*.md' | grep -E '^(src|compat|include|tests|bench)/|\.md$' | grep -vx CHANGELOG.md |
  xargs awk -f "$here/prose.awk" | awk -v limits=$limits -v lower="${PROSE_LOWER:-0}" '
    BEGIN {
      while ((getline row < limits) > 0) {
        split(row, of, " ")
        limit[of[1]] = of[2]
      }
      close(limits)
    }
    /^[^:]* [0-9]+ [0-9]+$/ { # a folder, its words, its hits
      few = int($2 * 15 / 10000)
      most = limit[$1] > few ? limit[$1] : few
      if ($3 > most) {
        print $1 ":1: " $3 " turns of phrase that need a second reading, at most " most
        over[$1] = 1
      }
      if ($3 > few)
        rows = rows $1 " " ($3 < most ? $3 : most) "\n"
      next
    }
    {
      folder = $0
      sub(/:.*/, "", folder)
      if (!sub(/\/[^\/]*$/, "", folder))
        folder = "."
      if (over[folder])
        print
    }
    END {
      if (lower)
        printf "%s", rows | ("sort > " limits)
    }'
