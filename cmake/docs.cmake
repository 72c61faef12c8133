# The target `docs`, where doxygen is found: pages of the public headers in docs/html of the build folder. Anything that
# doxygen cannot read or that has no comment is an error. The headers keep plain comments; docs.awk makes them doxygen's.
find_program(BLITZ_DOXYGEN doxygen DOC "Makes the pages of the target docs")
if(BLITZ_DOXYGEN)
  set(DOCS_OUTPUT ${PROJECT_BINARY_DIR}/docs)
  file(MAKE_DIRECTORY ${DOCS_OUTPUT})
  configure_file(${CMAKE_CURRENT_LIST_DIR}/Doxyfile.in ${DOCS_OUTPUT}/Doxyfile @ONLY)
  add_custom_target(docs COMMAND ${BLITZ_DOXYGEN} -q ${DOCS_OUTPUT}/Doxyfile VERBATIM)
endif()
