# prose.awk: turns of phrase that need a second reading, in comments of C files and in pages. Prints "FOLDER WORDS HITS" for
# each folder, then each hit as "FILE:LINE: the words".
#
# Write instead: the thread or function that acts (whoever, nobody, what); polls, checks, scans (looks); notifies, reports
# (tells, is said); fails, without success (in vain); must, may (shall, is to); next to, competing, co-located (beside);
# also, in front (a trailing too).
BEGIN {
  s = "[ \n]+"
  hit = "(whoever|whom|(of|in|to|by|from|at|on)" s "which|somebody|nobody|someone|everybody|anybody|no" s "one" \
    "|shall|(is|are)" s "to" s "[ac-z]|told|tells?" s "of|(is|are|be)" s "said|unsaid|in" s "vain" \
    "|(looks?|looked|looking)" s "(at|for|whether|again|once|up" s "to)" \
    "|(a|the|one|each|first|last|next|two|many)" s "looks?" \
    "|the" s "way" s "of|goes" s "the" s "(same" s ")?way|as" s "(ever|far" s "as|the" s "next)|the" s "like" \
    "|there" s "(is|are|was|were)" s "(none|nothing)|(has|have|is)" s "none|beside)"
  # A statement that begins with its object: judge() marks where that begins.
  hit = "[^a-z]" hit "[^a-z]|, (too|also)[.;,:)]|\001" s "[^?.;:]*[.;:]"
}

FNR == 1 && NR > 1 { judge() }
FNR == 1 { file = FILENAME; page = file ~ /\.md$/; text = ""; inside = 0 }
page { code = $0 ~ /^```/ ? !inside : inside; text = text (inside || code || /^    / ? "" : $0) "\n"; inside = code }
!page { text = text comment($0) "\n" }
END { judge(); for (f in words) print f, words[f], hits[f] + 0; for (i = 0; i < n; i++) print found[i] }

# The text of the line's comments; `inside`: the line begins in one.
function comment(line, out, at) {
  out = ""
  for (;;) {
    if (inside) {
      sub(/^ *\*+ /, " ", line)
      at = index(line, "*/")
      out = out " " (at ? substr(line, 1, at - 1) : line)
      if (!at)
        return out
      line = substr(line, at + 2)
      inside = 0
    }
    if (match(line, /\/\*|(^|[^:])\/\//) == 0)
      return out
    at = RSTART + RLENGTH
    if (substr(line, at - 1, 1) == "/")
      return out " " substr(line, at)
    line = substr(line, at)
    inside = 1
  }
}

function judge(folder, rest, line, copy) {
  folder = file
  sub(/\/?[^\/]*$/, "", folder)
  if (folder == "")
    folder = "."
  copy = text
  words[folder] += gsub(/[A-Za-z][A-Za-z'-]*/, "", copy)
  rest = " " text
  gsub(/`[^`\n]*`/, " ` ", rest) # names
  gsub(/(What|Who) (is|are|does|do|if|should|can|happens) /, " ", rest)
  gsub(/[.;:!?][ \n]+(What|Who|Whoever|Whose) /, "&\001 ", rest)
  rest = tolower(rest)
  line = 1
  while (match(rest, hit)) {
    hits[folder]++
    copy = substr(rest, 1, RSTART)
    line += gsub(/\n/, "", copy)
    copy = substr(rest, RSTART, RLENGTH)
    gsub(/[ \n]+/, " ", copy)
    sub(/\001/, "What", copy)
    found[n++] = file ":" line ":" copy
    copy = substr(rest, RSTART + 1, RLENGTH - 2)
    line += gsub(/\n/, "", copy)
    rest = substr(rest, RSTART + RLENGTH - 1)
  }
}
