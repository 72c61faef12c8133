# Plain comments of the public headers as doxygen's. What begins a line belongs to what follows, what stands after code to
# that; headlines of parts and the head of the file stay apart. Functions and macros that follow one another without a blank
# line share the comment before the first of them. Reducers that a macro defines are written out.

# What a line declares that may share a comment, or "".
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

/^\/\* ---- .* ---- *\*\/$/ {
  sub(/^\/\* ---- /, "/** @name ")
  sub(/ ---- *\*\/$/, " */")
  print
  first = ""
  next
}

{ sub(/^\/\* ----.*$/, "/*") }
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
