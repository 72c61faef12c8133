# The OpenMP programs built by clang for LLVM's runtime: bench_WORKLOAD_omp_clang, of the same source as
# bench_WORKLOAD_omp. Any clang will do; its header of that runtime comes with the runtime's own package and is taken by
# -idirafter, with nothing else from that folder.
#   BLITZ_BENCH_CLANG_FOUND   whether all is there that they need
#   blitz_bench_clang(WORKLOAD COMPILER...)   adds the program; without COMPILER that clang compiles and links it
find_program(BLITZ_BENCH_CLANG NAMES clang-19 clang-18 clang-17 clang-16 clang clang-14
             DOC "Compiler of the benchmarks for LLVM's OpenMP runtime")
file(GLOB folders /usr/lib/llvm-*/lib)
list(SORT folders COMPARE NATURAL ORDER DESCENDING)
find_file(BLITZ_BENCH_LIBOMP libomp.so.5 PATHS ${folders} NO_DEFAULT_PATH
          DOC "LLVM's OpenMP runtime, for the benchmarks that clang builds")
file(GLOB folders /usr/lib/llvm-*/lib/clang/*/include)
list(SORT folders COMPARE NATURAL ORDER DESCENDING)
find_path(BLITZ_BENCH_LIBOMP_INCLUDE omp.h PATHS ${folders} NO_DEFAULT_PATH DOC "The folder of that runtime's omp.h")
set(BLITZ_BENCH_CLANG_FOUND OFF)
if(BLITZ_BENCH_CLANG AND BLITZ_BENCH_LIBOMP AND EXISTS "${BLITZ_BENCH_LIBOMP_INCLUDE}/omp.h")
  set(BLITZ_BENCH_CLANG_FOUND ON)
else()
  message(STATUS "No clang-built benchmarks: they need clang and libomp-19-dev")
endif()

function(blitz_bench_clang workload)
  if(NOT BLITZ_BENCH_CLANG_FOUND)
    return()
  endif()
  set(name bench_${workload}_omp_clang)
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/${workload}/omp.c)
  set(compiler ${ARGN})
  if(NOT compiler)
    set(compiler ${BLITZ_BENCH_CLANG})
  endif()
  set(flags -std=gnu11)
  set(libraries -lm -latomic)
  if(NOT EXISTS ${source})
    string(APPEND source pp)
    set(flags -std=c++17)
    list(APPEND libraries -lstdc++)
  endif()
  cmake_path(GET BLITZ_BENCH_LIBOMP PARENT_PATH folder)
  file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*/*.h ${CMAKE_CURRENT_SOURCE_DIR}/*/*.hpp)
  add_custom_command(
    OUTPUT ${name}
    COMMAND ${compiler} -O2 ${flags} -fopenmp -Wno-pass-failed -Wno-deprecated-declarations
            -I${CMAKE_CURRENT_SOURCE_DIR} -idirafter ${BLITZ_BENCH_LIBOMP_INCLUDE} -c ${source} -o ${name}.o
    COMMAND ${compiler} ${name}.o -o ${name} ${BLITZ_BENCH_LIBOMP} -Wl,-rpath,${folder} ${libraries}
    DEPENDS ${source} ${CMAKE_CURRENT_SOURCE_DIR}/harness.h ${headers}
    VERBATIM)
  add_custom_target(${name}_program ALL DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/${name})
endfunction()
