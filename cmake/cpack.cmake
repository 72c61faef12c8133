# What `cpack` makes in a build folder: a tarball (-G TGZ) and an RPM (-G RPM), each with a file of its checksum; the target
# package_source makes those of the sources. Debian's packages are made by deb.sh.
set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_NAME blitz)
set(CPACK_PACKAGE_VENDOR "Blitz developers")
set(CPACK_PACKAGE_FILE_NAME blitz-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_CHECKSUM SHA256)

# An RPM has its prefix, and knows the paths below it.
file(WRITE ${PROJECT_BINARY_DIR}/cpack_rpm.cmake
     "if(CPACK_GENERATOR STREQUAL RPM)\n  set(CPACK_SET_DESTDIR ON)\n  set(CPACK_INSTALL_PREFIX /usr)\nendif()\n")
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_BINARY_DIR}/cpack_rpm.cmake)
set(CPACK_RPM_PACKAGE_LICENSE MIT)
set(CPACK_RPM_PACKAGE_ARCHITECTURE ${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_RELEASE 1)
# The names in the folder blitz are for programs that choose Blitz. The system's package of libgomp is neither replaced
# nor needed: the links in ldconfig need only their file.
set(CPACK_RPM_SPEC_MORE_DEFINE "%global __provides_exclude_from /blitz/\n%global __requires_exclude_from /blitz/ldconfig/")

set(CPACK_SOURCE_GENERATOR TGZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME blitz-${PROJECT_VERSION})
set(CPACK_SOURCE_IGNORE_FILES "${PROJECT_SOURCE_DIR}/build/" "/\\\\.git/" "/\\\\.cache/" __pycache__)
include(CPack)
