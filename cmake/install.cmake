# The files of an installation: libraries, headers, the CMake package, the pkg-config files. And their removal.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/blitz)

install(FILES include/blitz.h include/blitz.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES include/blitz/algo.h include/blitz/cilk.h include/blitz/sort.h include/blitz/reducer.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/blitz)
install(FILES cmake/man/blitz.7 DESTINATION ${CMAKE_INSTALL_MANDIR}/man7)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(BLITZ_OMP)
  install(FILES include/omp-tools.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(FILES cmake/man/blitz-omp.7 DESTINATION ${CMAKE_INSTALL_MANDIR}/man7)
  install(TARGETS blitz_run DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES cmake/man/blitz-run.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES compat/run/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
          RENAME blitz-run)
  # For gdb by hand, and where a gdb whose data is below the same prefix looks when it sees the library. A tarball has no
  # prefix yet.
  install(FILES ${PROJECT_BINARY_DIR}/share/blitz/blitz-gdb.py DESTINATION ${CMAKE_INSTALL_DATADIR}/blitz)
  set(run_names libblitz-omp.so.${PROJECT_VERSION} blitz/libgomp.so.1)
  install(CODE "foreach(name ${run_names})
    if(CMAKE_INSTALL_PREFIX MATCHES /_CPack_Packages/)
      break()
    endif()
    cmake_path(GET name FILENAME file)
    cmake_path(GET name PARENT_PATH folder)
    set(auto_load \${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/gdb/auto-load)
    file(INSTALL ${PROJECT_BINARY_DIR}/share/blitz/blitz-gdb.py RENAME \${file}-gdb.py
      DESTINATION \${auto_load}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/\${folder})
  endforeach()")
endif()

install(FILES cmake/valgrind.supp DESTINATION ${CMAKE_INSTALL_DATADIR}/blitz)

set(exported)
foreach(target blitz_shared blitz_static blitz_omp)
  if(TARGET ${target})
    list(APPEND exported ${target})
  endif()
endforeach()
install(TARGETS ${exported} EXPORT blitz-targets)
if(TARGET blitz_tools)
  install(TARGETS blitz_tools LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/blitz)
endif()
if(TARGET blitz_gomp)
  install(TARGETS blitz_gomp LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/blitz)
  list(TRANSFORM BLITZ_LLVM_NAMES PREPEND ${PROJECT_BINARY_DIR}/lib/blitz/ OUTPUT_VARIABLE links)
  install(FILES ${links} DESTINATION ${CMAKE_INSTALL_LIBDIR}/blitz) # as the links that they are
  if(NOT BLITZ_SANITIZE)
    list(TRANSFORM BLITZ_LLVM_NAMES PREPEND blitz_named_ OUTPUT_VARIABLE named)
    install(TARGETS ${named} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/blitz/ldconfig)
    install(FILES ${PROJECT_BINARY_DIR}/lib/blitz/ldconfig/libgomp.so.1
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/blitz/ldconfig)
  endif()
endif()

install(EXPORT blitz-targets NAMESPACE blitz:: DESTINATION ${package_dir})
configure_package_config_file(cmake/blitz-config.cmake.in ${PROJECT_BINARY_DIR}/blitz-config.cmake
                              INSTALL_DESTINATION ${package_dir})
# The number that may change the ABI of libblitz: the second one while the first is 0, then the first.
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(series SameMinorVersion)
else()
  set(series SameMajorVersion)
endif()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/blitz-config-version.cmake COMPATIBILITY ${series})
install(FILES ${PROJECT_BINARY_DIR}/blitz-config.cmake ${PROJECT_BINARY_DIR}/blitz-config-version.cmake
        DESTINATION ${package_dir})

# The .pc files find their prefix from where they stand, so a moved installation keeps working.
function(install_pkgconfig name)
  file(RELATIVE_PATH up /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
  string(REGEX REPLACE "/$" "" up "${up}")
  set(PC_PREFIX "\${pcfiledir}/${up}")
  configure_file(cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
install_pkgconfig(blitz)
if(BLITZ_OMP)
  install_pkgconfig(blitz-omp)
endif()

if(PROJECT_IS_TOP_LEVEL)
  add_custom_target(
    uninstall
    COMMAND ${CMAKE_COMMAND} -D MANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt -P
            ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake
    VERBATIM)
endif()
