# What is linked here runs with C libraries that are older than the one that it is built with: glibc 2.17 and later.
set(BLITZ_LIBC_LINKS)
if(BLITZ_OLD_LIBC AND NOT BLITZ_SANITIZE)
  set(folder ${PROJECT_BINARY_DIR}/old_libc)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env "CC=${CMAKE_C_COMPILER}" "OBJDUMP=${CMAKE_OBJDUMP}" sh
            ${CMAKE_CURRENT_LIST_DIR}/old_libc.sh ${folder}
    RESULT_VARIABLE failed
    OUTPUT_VARIABLE rest
    ERROR_VARIABLE why)
  set(files --no-as-needed ${folder}/libc.so.6 ${folder}/libpthread.so.0 ${folder}/libdl.so.2 --as-needed ${rest})
  list(JOIN files "," files)
  set(links "-Wl,--push-state,${files},--pop-state" -lgcc) # as flags, so that CMake adds no run path
  unset(BLITZ_OLD_LIBC_LINKS CACHE)
  if(NOT failed)
    # Newer headers and the user's flags give some functions other names, or need more.
    try_compile(
      BLITZ_OLD_LIBC_LINKS ${folder}/try
      SOURCES ${CMAKE_CURRENT_LIST_DIR}/old_libc.c ${PROJECT_SOURCE_DIR}/src/os/newer_libc.c
      LINK_OPTIONS -nodefaultlibs
      LINK_LIBRARIES ${links}
      OUTPUT_VARIABLE why)
  endif()
  if(BLITZ_OLD_LIBC_LINKS)
    set(BLITZ_LIBC_LINKS ${links})
  else()
    message(WARNING "Cannot link against versions of glibc 2.17; the libraries need this system's glibc or later")
    message(VERBOSE "${why}")
  endif()
endif()

# Links TARGET, a shared library or a program, with these, and with what came later.
function(blitz_old_libc target)
  if(BLITZ_LIBC_LINKS)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:blitz_newer_libc>)
    target_link_options(${target} PRIVATE -nodefaultlibs)
    target_link_libraries(${target} PRIVATE ${BLITZ_LIBC_LINKS})
  endif()
endfunction()
