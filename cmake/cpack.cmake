# What `cpack` makes in a build folder: a tarball (-G TGZ), an RPM (-G RPM) and a package for dpkg (-G DEB), each with a file
# of its checksum. Packages as Debian has them are made by deb.sh, and the tarball of the sources by source.sh.
set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_NAME blitz)
set(CPACK_PACKAGE_VENDOR "Blitz developers")
set(CPACK_PACKAGE_FILE_NAME blitz-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_CHECKSUM SHA256)

# A package that is installed has its prefix, and knows the paths below it.
file(WRITE ${PROJECT_BINARY_DIR}/cpack_prefix.cmake
     "if(NOT CPACK_GENERATOR STREQUAL TGZ)\n  set(CPACK_SET_DESTDIR ON)\n  set(CPACK_INSTALL_PREFIX /usr)\nendif()\n")
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_BINARY_DIR}/cpack_prefix.cmake)
set(CPACK_RPM_PACKAGE_LICENSE MIT)
set(CPACK_RPM_PACKAGE_ARCHITECTURE ${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_RELEASE 1)
# The names in the folder blitz are for programs that choose Blitz. The system's package of libgomp is neither replaced
# nor needed: the links in ldconfig need only their file.
set(CPACK_RPM_SPEC_MORE_DEFINE "%global __provides_exclude_from /blitz/\n%global __requires_exclude_from /blitz/ldconfig/")

# One package in the place of those of deb.sh.
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "Blitz developers <maintainers@blitz.example>")
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.17)")
set(CPACK_DEBIAN_PACKAGE_CONFLICTS "libblitz${PROJECT_VERSION_MAJOR}, libblitz-dev, blitz-omp")
file(WRITE ${PROJECT_BINARY_DIR}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/triggers)

# No target package_source: its tarball would have what else lies here, and the modes and times of this folder.
set(CPACK_SOURCE_OUTPUT_CONFIG_FILE ${PROJECT_BINARY_DIR}/cpack_no_sources.cmake)
include(CPack)
