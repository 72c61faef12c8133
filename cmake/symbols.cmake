# The names that libblitz-omp exports and their version nodes, read from the tables compat/nodes.def,
# compat/gomp/gomp.def and compat/omp/api.def; those without a node from compat/omp/exec.def. Makes the version
# script of the libraries, the list that tests/abi compares them with, and the rows of the coverage table
# (cmake/coverage.cmake).
set(BLITZ_SYMBOL_TABLES
    ${CMAKE_CURRENT_LIST_DIR}/../compat/nodes.def ${CMAKE_CURRENT_LIST_DIR}/../compat/gomp/gomp.def
    ${CMAKE_CURRENT_LIST_DIR}/../compat/omp/api.def ${CMAKE_CURRENT_LIST_DIR}/../compat/omp/exec.def)

# Reads the tables. Sets in the caller:
#   BLITZ_NODES    name|parent            in the order of the table; parent may be empty
#   BLITZ_SYMBOLS  group|status|name|node|hidden    hidden is 1 for a version that only old binaries ask for
#   BLITZ_BARE     name                             without a node
#   BLITZ_MASKS    name                             of these, those that set the CPUs of a thread
function(blitz_read_symbols)
  list(GET BLITZ_SYMBOL_TABLES 0 nodes_def)
  list(GET BLITZ_SYMBOL_TABLES 1 gomp_def)
  list(GET BLITZ_SYMBOL_TABLES 2 api_def)
  list(GET BLITZ_SYMBOL_TABLES 3 exec_def)
  set(word "[ ]*([A-Za-z0-9_.]*)[ ]*")
  set(nodes)
  set(symbols)

  file(STRINGS ${nodes_def} rows REGEX "^NODE")
  foreach(row IN LISTS rows)
    if(NOT row MATCHES "^NODE\\(${word},${word}\\)$")
      message(FATAL_ERROR "${nodes_def}: not a row: ${row}")
    endif()
    list(APPEND nodes "${CMAKE_MATCH_1}|${CMAKE_MATCH_2}")
  endforeach()

  file(STRINGS ${gomp_def} rows REGEX "^GOMP")
  foreach(row IN LISTS rows)
    if(NOT row MATCHES "^GOMP\\(${word},${word},${word},${word}\\)$")
      message(FATAL_ERROR "${gomp_def}: not a row: ${row}")
    endif()
    list(APPEND symbols "${CMAKE_MATCH_1}|${CMAKE_MATCH_4}|${CMAKE_MATCH_2}|${CMAKE_MATCH_3}|0")
  endforeach()

  file(STRINGS ${api_def} rows REGEX "^OMP")
  foreach(row IN LISTS rows)
    if(row MATCHES "^OMP\\(${word},${word},${word},${word},${word},${word}\\)$")
      set(what "${CMAKE_MATCH_1}|${CMAKE_MATCH_4}")
      set(name ${CMAKE_MATCH_2})
      set(node ${CMAKE_MATCH_3})
      set(languages ${CMAKE_MATCH_6})
      list(APPEND symbols "${what}|${name}|${node}|0")
      if(NOT languages STREQUAL C)
        list(APPEND symbols "${what}|${name}_|${node}|0")
      endif()
      if(languages STREQUAL C_F_F8)
        list(APPEND symbols "${what}|${name}_8_|${node}|0")
      endif()
    elseif(row MATCHES "^OMP_OLD\\(${word},${word}\\)$")
      list(APPEND symbols "lock|full|${CMAKE_MATCH_1}|${CMAKE_MATCH_2}|1"
           "lock|full|${CMAKE_MATCH_1}_|${CMAKE_MATCH_2}|1")
    else()
      message(FATAL_ERROR "${api_def}: not a row: ${row}")
    endif()
  endforeach()

  set(bare)
  set(masks)
  file(STRINGS ${exec_def} rows REGEX "^EXEC")
  foreach(row IN LISTS rows)
    if(NOT row MATCHES "^EXEC(_LIST|_MASK)?\\(${word}\\)$")
      message(FATAL_ERROR "${exec_def}: not a row: ${row}")
    endif()
    list(APPEND bare ${CMAKE_MATCH_2})
    if(CMAKE_MATCH_1 STREQUAL _MASK)
      list(APPEND masks ${CMAKE_MATCH_2})
    endif()
  endforeach()

  set(BLITZ_NODES ${nodes} PARENT_SCOPE)
  set(BLITZ_SYMBOLS ${symbols} PARENT_SCOPE)
  set(BLITZ_BARE ${bare} PARENT_SCOPE)
  set(BLITZ_MASKS ${masks} PARENT_SCOPE)
endfunction()

# Writes the version script to FILE. Hidden versions get their node from .symver (compat/omp/lock_api.c), not
# from here. Everything named blitz_* goes to our own node. What else is visible, but for bomp_*, keeps its name
# without a node.
function(blitz_write_version_script file)
  blitz_read_symbols()
  set(script "/* Made by cmake/symbols.cmake. */\n")
  foreach(entry IN LISTS BLITZ_NODES)
    string(REGEX MATCH "^([^|]*)\\|(.*)$" _ "${entry}")
    set(node ${CMAKE_MATCH_1})
    set(parent ${CMAKE_MATCH_2})
    set(names)
    foreach(symbol IN LISTS BLITZ_SYMBOLS)
      if(symbol MATCHES "\\|([^|]*)\\|([^|]*)\\|0$" AND CMAKE_MATCH_2 STREQUAL node)
        string(APPEND names "    ${CMAKE_MATCH_1};\n")
      endif()
    endforeach()
    if(node MATCHES "^BLITZ_")
      string(APPEND names "    blitz_*;\n  local: bomp_*;\n")
    endif()
    if(names)
      set(names "  global:\n${names}")
    endif()
    if(parent)
      string(PREPEND parent " ")
    endif()
    string(APPEND script "${node} {\n${names}}${parent};\n")
  endforeach()
  file(CONFIGURE OUTPUT ${file} CONTENT "${script}" @ONLY)
endfunction()

# Writes the expected output of tests/abi/symbols.sh to FILE: "name@@node", "name@node" for hidden versions, "name"
# without a node and "node parent" for each node, one a line.
function(blitz_write_symbol_list file)
  blitz_read_symbols()
  set(lines)
  foreach(symbol IN LISTS BLITZ_SYMBOLS)
    string(REGEX MATCH "\\|([^|]*)\\|([^|]*)\\|([01])$" _ "${symbol}")
    if(CMAKE_MATCH_3)
      string(APPEND lines "${CMAKE_MATCH_1}@${CMAKE_MATCH_2}\n")
    else()
      string(APPEND lines "${CMAKE_MATCH_1}@@${CMAKE_MATCH_2}\n")
    endif()
  endforeach()
  foreach(name IN LISTS BLITZ_BARE)
    string(APPEND lines "${name}\n")
  endforeach()
  foreach(entry IN LISTS BLITZ_NODES)
    string(REPLACE "|" " " entry "${entry}")
    string(STRIP "${entry}" entry)
    string(APPEND lines "node ${entry}\n")
  endforeach()
  file(CONFIGURE OUTPUT ${file} CONTENT "${lines}" @ONLY)
endfunction()

# TARGET, a shared library with the entry points of compat/, exports what the tables say. Calls from inside the
# library reach its own functions even where another OpenMP runtime comes first in the process, but for those that
# set the CPUs of a thread: there whoever comes first is meant.
function(blitz_export_symbols target)
  blitz_read_symbols()
  set(map ${PROJECT_BINARY_DIR}/compat/symbols.map)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${BLITZ_SYMBOL_TABLES})
  set(masks ${PROJECT_BINARY_DIR}/compat/masks.list)
  blitz_write_version_script(${map})
  list(JOIN BLITZ_MASKS "; " names)
  file(CONFIGURE OUTPUT ${masks} CONTENT "{ ${names}; };\n" @ONLY)
  target_link_options(${target} PRIVATE -Wl,--version-script=${map} -Wl,-Bsymbolic-functions -Wl,--dynamic-list=${masks})
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${map} ${masks})
endfunction()
