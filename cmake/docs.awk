# Plain comments of the public headers as doxygen's. A comment that begins a line belongs to the code after it, a
# comment after code to that; headlines of parts and the head of the file stay separate. Functions and macros in
# sequence without a blank line share the comment before the first of them. Reducers that a macro defines are written
# out. Lines indented by three in the head of a file are a table of verbs: one name or several, two blanks or more, and
# their description, which may go on below.

# The name that a line declares and that may share a comment, or "".
function declared(line) {
  if (line ~ /^# *define /)
    sub(/^# *define +/, "", line)
  else if (line ~ /^(BLITZ_API|static inline|static const) .*[(=;]/) {
    sub(/ *[(=;].*/, "", line)
    sub(/.*[ *]/, "", line)
  } else
    return ""
  return match(line, /^[A-Za-z_0-9]+/) ? substr(line, 1, RLENGTH) : ""
}

# The text as HTML.
function escaped(text) {
  gsub(/&/, "\\&amp;", text)
  gsub(/</, "\\&lt;", text)
  gsub(/>/, "\\&gt;", text)
  return text
}

# The row of the table of verbs that was read.
function end_row(verbs, what, at) {
  if (row == "")
    return
  at = match(row, /  +/)
  verbs = at ? substr(row, 1, at - 1) : row
  what = at ? substr(row, at + RLENGTH) : ""
  printf " * <tr><td>%s</td><td>%s</td></tr>\n", escaped(verbs), escaped(what)
  row = ""
}

function end_table() {
  end_row()
  if (in_table)
    print " * </table>\n *"
  in_table = 0
}

NR == 1 { in_head = /^\/\*/ }
in_head && (/^ \*   [^ -]/ || (in_table && /^ \*       /)) {
  if (/^ \*   [^ ]/)
    end_row()
  if (!in_table)
    print " *\n * <table class=\"verbs\">"
  in_table = 1
  sub(/^ \* +/, "")
  row = row == "" ? $0 : row (row ~ /  / ? " " : "  ") $0
  next
}
in_head && in_table { end_table() }
in_head && /\*\/$/ { in_head = 0 }

/^\/\* ---- .* ---- *\*\/$/ {
  sub(/^\/\* ---- /, "/** @name ")
  sub(/ ---- *\*\/$/, " */")
  print
  first = ""
  next
}

{ sub(/^\/\* ----.*$/, "/*") }
/^ +friend void / { sub(/friend void [a-z]+/, "void friend_") } # doxygen lists friends whose place it does not make
NR == 1 { sub(/^\/\*$/, "/** @file") }
/^ *\/\* / { sub(/\/\* /, "/** ") }
match($0, /[;,{] +\/\* /) { $0 = substr($0, 1, RSTART) " /**< " substr($0, RSTART + RLENGTH) }
/^ *void \*opaque\[/ { $0 = $0 " /**< Not for direct use. */" }
/^BLITZ_DEFINE_REDUCER_\(/ {
  sub(/^BLITZ_DEFINE_REDUCER_\(/, "static const blitz_reducer_op blitz_")
  sub(/,.*/, "_op;")
}

# A comment that says what a macro defines further below.
/^\/\*\* [A-Z_]+\(.*\) defines/ {
  name = $2
  sub(/\(.*/, "", name)
  print "/** @def " name
  sub(/^\/\*\* /, " * ")
}

/^ *\/\*\* / { is_documented = 1; first = "" }
/^$/ { is_documented = 0; first = "" }
{
  name = declared($0)
  if (name != "" && first != "")
    print "/** @copydoc " first " */"
  else if (name != "" && is_documented)
    first = name
  print
}
