# What is linked here runs with C libraries that are older than the one that it is built with: glibc 2.17 and later.
option(BLITZ_OLD_LIBC "Make libraries that run with every glibc from 2.17 on" ON)
set(BLITZ_LIBC_LINKS)
if(BLITZ_OLD_LIBC AND NOT BLITZ_SANITIZE)
  set(folder ${PROJECT_BINARY_DIR}/old_libc)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env "CC=${CMAKE_C_COMPILER}" "OBJDUMP=${CMAKE_OBJDUMP}" sh
            ${CMAKE_CURRENT_LIST_DIR}/old_libc.sh ${folder}
    RESULT_VARIABLE failed
    OUTPUT_VARIABLE rest
    ERROR_VARIABLE why)
  if(failed)
    message(STATUS "No glibc whose old versions can be linked: the libraries need one as new as this system's. ${why}")
  else()
    set(files --no-as-needed ${folder}/libc.so.6 ${folder}/libpthread.so.0 ${folder}/libdl.so.2 --as-needed ${rest})
    list(JOIN files "," files)
    # As flags: the build gives no run path for these.
    set(BLITZ_LIBC_LINKS "-Wl,--push-state,${files},--pop-state" -lgcc)
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
