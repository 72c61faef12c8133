# Writes the list of served functions, a page in Markdown, from the tables of symbols:
#
#   cmake -D OUTPUT=FILE -P cmake/coverage.cmake
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/symbols.cmake)
set(title_full "served")
set(title_host "right without devices")
set(title_accepted "accepted, no effect")

blitz_read_symbols()

# Names by part and status, in the order of the tables. A C name stands for its Fortran forms as well.
set(parts)
foreach(symbol IN LISTS BLITZ_SYMBOLS)
  string(REGEX MATCH "^([^|]*)\\|([^|]*)\\|([^|]*)\\|[^|]*\\|([01])$" _ "${symbol}")
  set(part ${CMAKE_MATCH_1})
  set(status ${CMAKE_MATCH_2})
  set(name ${CMAKE_MATCH_3})
  set(hidden ${CMAKE_MATCH_4})
  if(NOT title_${status})
    message(FATAL_ERROR "${name} has the status '${status}'")
  endif()
  math(EXPR count_${status} "0${count_${status}} + 1")
  if(hidden OR name MATCHES "_$")
    continue()
  endif()
  if(part STREQUAL kmpc_atomic)
    set(name "__kmpc_atomic_*") # of atomic.def, some hundreds
  endif()
  list(APPEND parts ${part})
  list(APPEND names_${part}_${status} "`${name}`")
endforeach()
list(REMOVE_DUPLICATES parts)

string(CONCAT table "# Served functions\n\n"
       "Of libgomp, libomp and OpenACC. A name stands for all its versions and Fortran forms.\n"
       "\"Right without devices\" means the answer that OpenMP prescribes for a process without devices.\n\n")
string(APPEND table "| Part | How | Functions |\n|---|---|---|\n")
foreach(part IN LISTS parts)
  foreach(status full host accepted)
    if(names_${part}_${status})
      list(REMOVE_DUPLICATES names_${part}_${status})
      list(JOIN names_${part}_${status} ", " names)
      string(APPEND table "| ${part} | ${title_${status}} | ${names} |\n")
    endif()
  endforeach()
endforeach()
foreach(status full host accepted)
  math(EXPR count_${status} "0${count_${status}}")
endforeach()
string(APPEND table "\nSymbols, each version and Fortran form counted: ${count_full} served, "
       "${count_host} right without devices, ${count_accepted} accepted.\n")

# Missing functions of libomp, by reason.
set(reasons)
foreach(entry IN LISTS BLITZ_LACKS)
  string(REGEX MATCH "^(.*)\\|(.*)$" _ "${entry}")
  string(MAKE_C_IDENTIFIER "${CMAKE_MATCH_2}" key)
  list(APPEND reasons ${key})
  list(APPEND names_${key} "`${CMAKE_MATCH_1}`")
  set(reason_${key} "${CMAKE_MATCH_2}")
endforeach()
list(REMOVE_DUPLICATES reasons)
string(APPEND table "\n| Missing functions of libomp, because | Names |\n|---|---|\n")
foreach(key IN LISTS reasons)
  list(JOIN names_${key} ", " names)
  string(APPEND table "| ${reason_${key}} | ${names} |\n")
endforeach()

file(WRITE ${OUTPUT} "${table}")
