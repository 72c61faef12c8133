# Sourced by lint.sh. Atomic accesses and their partners.
#
# A label is capital letters and a number. The comment at an access defines it, "D2: ... pairs with D5", and the
# partner's comment names it back, "D5: ... pairs with D2". Checked, over src/ and compat/:
#   - a label that is named has a comment that defines it, and that comment names the first one back;
#   - a label that is defined names a partner;
#   - every access that is not relaxed has a label, on its line or in the comment or statement just above it.
# The files that make the accesses, atomic.h and fence.[ch], are left out.
files '*.c' '*.h' | grep -E '^(src|compat)/' | grep -vE '^src/(base/atomic|wait/fence)\.[ch]$' | while read -r file; do
  awk -v file="$file" -f "$here/labels_collect.awk" "$file"
done | awk '
  $1 == "bare" { sub(/^bare /, ""); print; next }
  $1 == "def" { if (!($2 in place)) place[$2] = $3 }
  $1 == "pair" { pair[$2, $3] = $4; partners[$2]++ }
  END {
    for (label in place)
      if (!partners[label]) print place[label] ": " label " names no partner (pairs with ...)"
    for (key in pair) {
      split(key, side, SUBSEP)
      if (!(side[2] in place)) print pair[key] ": " side[1] " pairs with " side[2] ", which is defined nowhere"
      else if (!((side[2], side[1]) in pair))
        print pair[key] ": " side[1] " pairs with " side[2] ", which does not name it back at " place[side[2]]
    }
  }' | sort
