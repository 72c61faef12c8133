# Common settings of all library targets.

# Code that ends up in a shared library: nothing is visible unless marked BLITZ_API, calls inside the
# library are direct, and thread-local words are reached without a call.
function(blitz_library_code target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
  target_compile_options(${target} PRIVATE -fno-semantic-interposition -ftls-model=initial-exec)
endfunction()

# A shared library is complete in itself and stays mapped while its threads may run. Its segments begin where the 64 KiB
# begin that the kernel maps at once: what runs at the start then needs as few of these as it can.
function(blitz_shared_library target)
  target_link_options(${target} PRIVATE -Wl,-z,nodelete -Wl,-z,now -Wl,-z,max-page-size=65536)
  if(NOT BLITZ_SANITIZE)
    target_link_options(${target} PRIVATE -Wl,-z,defs)
  endif()
  target_link_libraries(${target} PRIVATE Threads::Threads)
  blitz_old_libc(${target})
endfunction()

# The headers as a user of TARGET sees them, in the build tree and installed.
function(blitz_public_headers target)
  target_include_directories(
    ${target} INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endfunction()
