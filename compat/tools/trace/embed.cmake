# cmake -DFOLDER=report -DTO=page.c -P embed.cmake: the page of the report as a C file. report.html has "@STYLE@", "@SCRIPT@"
# and "@DATA@" where the style sheet, the scripts and the program's data go.
set(scripts data.js rows.js paint.js table.js view.js main.js)
file(READ ${FOLDER}/report.html page)
file(READ ${FOLDER}/report.css style)
set(script "")
foreach(name IN LISTS scripts)
  file(READ ${FOLDER}/${name} text)
  string(APPEND script "${text}")
endforeach()

# put(NAME): where the page has @NAME@ goes what the variable has. string(REPLACE) would take semicolons for its own.
function(put name text)
  string(FIND "${page}" "@${name}@" at)
  string(LENGTH "@${name}@" length)
  math(EXPR behind "${at} + ${length}")
  string(SUBSTRING "${page}" 0 ${at} before)
  string(SUBSTRING "${page}" ${behind} -1 after)
  set(page "${before}${text}${after}" PARENT_SCOPE)
endfunction()
put(STYLE "${style}")
put(SCRIPT "${script}")

string(FIND "${page}" "@DATA@" at)
math(EXPR behind "${at} + 6")
string(SUBSTRING "${page}" 0 ${at} head)
string(SUBSTRING "${page}" ${behind} -1 tail)

# bytes(OUT TEXT): as the elements of an array.
function(bytes out text)
  file(WRITE ${TO}.part "${text}")
  file(READ ${TO}.part hex HEX)
  file(REMOVE ${TO}.part)
  string(REGEX REPLACE "(................................................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
  set(${out} "${hex}" PARENT_SCOPE)
endfunction()
bytes(head_bytes "${head}")
bytes(tail_bytes "${tail}")
file(WRITE ${TO}.new
     "/* Made from report/ by embed.cmake. */\n#include \"tools/trace/page.h\"\n\n"
     "static const unsigned char head[] = {\n${head_bytes}\n};\n"
     "static const unsigned char tail[] = {\n${tail_bytes}\n};\n"
     "const struct bomp_trace_page bomp_trace_page = {head, tail, sizeof head, sizeof tail};\n")
file(RENAME ${TO}.new ${TO})
