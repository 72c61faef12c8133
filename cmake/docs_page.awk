# A page of the tree as doxygen reads it. -v list: the file with the names of all pages, -v root: the tree's folder. A page
# is called by its path; a link to another page or to a public header leads there, a link to anything else becomes its text.

function label(path) {
  gsub(/[^A-Za-z0-9]/, "_", path)
  return "page_" path
}

# The path of LINK as seen from this page, from the root of the tree.
function resolved(link, count, parts, i, path) {
  sub(/#.*/, "", link)
  if (link == "")
    return page
  count = split(folder link, parts, "/")
  depth = 0
  for (i = 1; i <= count; i++)
    if (parts[i] == "..")
      depth--
    else if (parts[i] != "." && parts[i] != "")
      kept[++depth] = parts[i]
  path = ""
  for (i = 1; i <= depth; i++)
    path = path (i > 1 ? "/" : "") kept[i]
  return path
}

# The title of the page at the path.
function title(path, line) {
  getline line < (root "/" path)
  close(root "/" path)
  sub(/^# */, "", line)
  return line
}

# Doxygen shows code in the text of a link as it is typed; a name of a file says nothing on the site.
function linked(text, link, path) {
  if (link ~ /^[a-z]+:/)
    return "[" text "](" link ")"
  path = resolved(link)
  if (path == page)
    return text
  gsub(/`/, "", text)
  if (path == "README.md")
    return "[" (text ~ /\.md$/ ? "the first page" : text) "](@ref index)"
  if (path in is_page)
    return "[" (text ~ /(\.md|\/)$/ ? title(path) : text) "](@ref " label(path) ")"
  if (path ~ /^include\/.*\.hp?p?$/ && path != "include/omp-tools.h") {
    sub(/.*\//, "", path)
    return "[" text "](@ref " path ")"
  }
  return text
}

BEGIN {
  while ((getline name < list) > 0)
    is_page[name] = 1
}

NR == 1 {
  page = substr(FILENAME, length(root) + 2)
  folder = page
  sub(/[^\/]*$/, "", folder)
  if (page != "README.md")
    sub(/^# */, "@page " label(page) " ") # newer doxygens take a README.md without it for a text about its folder
}
/^<!-- .* -->$/ { next }
/^```/ {
  is_code = !is_code
  sub(/dockerfile|sh/, "")
}
is_code || /^    / { print; next }

{
  gsub(/`#/, "`\\#") # else it is a link to doxygen
  while (/^\|/ && match($0, /`[^`]*\\\|[^`]*`/)) { # a bar in code in a table
    code = substr($0, RSTART + 1, RLENGTH - 2)
    gsub(/&/, "\\&amp;", code)
    gsub(/</, "\\&lt;", code)
    gsub(/>/, "\\&gt;", code)
    $0 = substr($0, 1, RSTART - 1) "<code>" code "</code>" substr($0, RSTART + RLENGTH)
  }
  line = $0
  $0 = ""
  while (match(line, /!?\[[^]\[]*\]\([^) ]*\)/)) {
    found = substr(line, RSTART, RLENGTH)
    before = substr(line, 1, RSTART - 1)
    line = substr(line, RSTART + RLENGTH)
    text = found
    sub(/^!?\[/, "", text)
    sub(/\]\(.*/, "", text)
    link = found
    sub(/.*\]\(/, "", link)
    sub(/\)$/, "", link)
    $0 = $0 before (found ~ /^!/ ? "" : linked(text, link))
  }
  print $0 line
}
