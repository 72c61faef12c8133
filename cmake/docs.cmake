# The target `docs`: a site of the public headers, the pages for users and the list of served functions, in docs/html of the
# build folder. Doxygen is searched for when the target is built, so that it may be installed at any time. Anything that
# doxygen cannot read or that has no comment, and any dead link, is an error. The headers keep plain comments and the pages
# GitHub's form: docs.awk and docs_page.awk convert them to doxygen's.
#
# Run as a script (cmake -DVERSION=... -DOUTPUT=... -P docs.cmake) it makes them.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  if(PROJECT_IS_TOP_LEVEL)
    add_custom_target(docs COMMAND ${CMAKE_COMMAND} -DVERSION=${PROJECT_VERSION} -DOUTPUT=${PROJECT_BINARY_DIR}/docs
                                   -P ${CMAKE_CURRENT_LIST_FILE} VERBATIM)
  endif()
  return()
endif()

find_program(doxygen doxygen NO_CACHE)
if(NOT doxygen)
  message(FATAL_ERROR "docs: doxygen is not installed; on Debian and Ubuntu:\n  apt-get install doxygen")
endif()

cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH source)
set(pages
    README.md
    compat/README.md
    compat/machine.md
    compat/tools/README.md
    compat/ompt/README.md
    cmake/README.md
    include/README.md
    include/fork_join.md
    include/migrate.md)
execute_process(COMMAND ${CMAKE_COMMAND} -D OUTPUT=${OUTPUT}/served.md -P ${CMAKE_CURRENT_LIST_DIR}/coverage.cmake
                RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "docs: no list of served functions, see above")
endif()
set(inputs " \"${OUTPUT}/served.md\"")
foreach(page IN LISTS pages)
  string(APPEND inputs " \"${source}/${page}\"")
endforeach()
file(REMOVE_RECURSE ${OUTPUT}/html)
list(JOIN pages "\n" lines)
file(WRITE ${OUTPUT}/pages.txt "${lines}\n")
configure_file(${CMAKE_CURRENT_LIST_DIR}/Doxyfile.in ${OUTPUT}/Doxyfile @ONLY)
execute_process(COMMAND ${doxygen} -q ${OUTPUT}/Doxyfile RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "docs: doxygen found something wrong, see above")
endif()
file(GLOB made ${OUTPUT}/html/*.html)
execute_process(COMMAND awk -f ${CMAKE_CURRENT_LIST_DIR}/docs_links.awk ${made} RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "docs: links that lead nowhere, see above")
endif()
message("docs: ${OUTPUT}/html/index.html")
