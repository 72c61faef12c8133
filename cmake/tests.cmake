# How the folders of tests/ declare their tests. A test's CTest label is its folder's name.
find_path(CMOCKA_INCLUDE_DIR cmocka.h)
find_library(CMOCKA_LIBRARY cmocka)
if(NOT CMOCKA_INCLUDE_DIR OR NOT CMOCKA_LIBRARY)
  message(FATAL_ERROR "cmocka not found: install libcmocka-dev, or configure with -DBLITZ_TESTS=OFF")
endif()
add_library(blitz_cmocka INTERFACE)
target_include_directories(blitz_cmocka SYSTEM INTERFACE ${CMOCKA_INCLUDE_DIR})
target_link_libraries(blitz_cmocka INTERFACE ${CMOCKA_LIBRARY})
target_compile_options(blitz_cmocka INTERFACE -Wno-deprecated-declarations) # cmocka 2 has other names for some assertions

# How hard the stress tests work. SCALE is a percentage of the size that a test calls normal.
set(BLITZ_STRESS_THREADS 8 CACHE STRING "Threads in each stress test")
if(BLITZ_SANITIZE MATCHES thread OR CMAKE_CROSSCOMPILING)
  set(scale 10)
else()
  set(scale 100)
endif()
set(BLITZ_STRESS_SCALE ${scale} CACHE STRING "Size of each stress test, per cent")
set(BLITZ_STRESS_ITER 1 CACHE STRING "Rounds of each stress test")
set(BLITZ_STRESS_SEED 1 CACHE STRING "Seed of the first round")

# A stuck test is a failed test; the limits are far above what the slowest preset needs.
set(unit_timeout 300)
set(stress_timeout 600)

# Registers the executable TARGET as a test of this folder. Further arguments are the program's.
function(blitz_add_test target timeout)
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME label)
  add_test(NAME ${label}.${target} COMMAND ${target} ${ARGN})
  set_tests_properties(${label}.${target} PROPERTIES LABELS ${label} TIMEOUT ${timeout})
  # All of a folder's: blitz_tests_unit and so on.
  if(NOT TARGET blitz_tests_${label})
    add_custom_target(blitz_tests_${label})
  endif()
  add_dependencies(blitz_tests_${label} ${target})
endfunction()

# tests/unit/test_NAME.c: white box. Links the scheduler as an archive and may include what src/ has; with a second
# argument blitz_omp_archive, the same for compat/omp.
function(blitz_unit_test name)
  add_executable(test_${name} test_${name}.c)
  target_link_libraries(test_${name} PRIVATE ${ARGN} blitz_core_archive blitz_cmocka)
  blitz_add_test(test_${name} ${unit_timeout})
endfunction()

# tests/stress/stress_NAME.c: white box, run with the arguments THREADS SCALE ITER SEED. A second argument as above.
function(blitz_stress_test name)
  add_executable(stress_${name} stress_${name}.c)
  target_link_libraries(stress_${name} PRIVATE ${ARGN} blitz_core_archive)
  blitz_add_test(stress_${name} ${stress_timeout} ${BLITZ_STRESS_THREADS} ${BLITZ_STRESS_SCALE}
                 ${BLITZ_STRESS_ITER} ${BLITZ_STRESS_SEED})
  set_tests_properties(stress.stress_${name} PROPERTIES PROCESSORS 2)
endfunction()

# tests/api/NAME.c or NAME.cpp: sees the public headers alone and links libblitz as a user does.
function(blitz_api_test name)
  set(source ${name}.c)
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${name}.cpp)
    set(source ${name}.cpp)
  endif()
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE blitz::blitz blitz_warnings blitz_cmocka Threads::Threads)
  blitz_add_test(${name} ${unit_timeout})
endfunction()
