# Clang for programs that run on us as finished ones do: what it needs of libomp is Debian's, and stays outside.
#   BLITZ_STOCK_CLANG, _CLANGXX   a recent clang
#   BLITZ_OLD_CLANG, _OLD_CLANGXX the oldest whose programs we serve; may be missing
#   BLITZ_LIBOMP                  the library that such programs ask for
#   BLITZ_CLANG_FLAGS             how it finds omp.h and that library
# BLITZ_LLVM chooses the recent one. BLITZ_STOCK_CLANG is false where one of these is missing, but for the old one.
set(BLITZ_LLVM 19 CACHE STRING "Version of the clang and libomp that make programs for the tests")
find_program(BLITZ_STOCK_CLANG NAMES clang-${BLITZ_LLVM})
find_program(BLITZ_STOCK_CLANGXX NAMES clang++-${BLITZ_LLVM})
find_program(BLITZ_OLD_CLANG NAMES clang-14)
find_program(BLITZ_OLD_CLANGXX NAMES clang++-14)
find_library(BLITZ_LIBOMP NAMES libomp.so.5 PATHS /usr/lib/llvm-${BLITZ_LLVM}/lib)
find_file(BLITZ_LLVM_OMP_H omp.h PATHS /usr/lib/llvm-${BLITZ_LLVM}/lib/clang/${BLITZ_LLVM}/include NO_DEFAULT_PATH)
mark_as_advanced(BLITZ_STOCK_CLANG BLITZ_STOCK_CLANGXX BLITZ_OLD_CLANG BLITZ_OLD_CLANGXX BLITZ_LIBOMP
                 BLITZ_LLVM_OMP_H)
if(NOT BLITZ_STOCK_CLANG OR NOT BLITZ_STOCK_CLANGXX OR NOT BLITZ_LIBOMP OR NOT BLITZ_LLVM_OMP_H)
  message(STATUS "no clang-${BLITZ_LLVM} with libomp-${BLITZ_LLVM}-dev: programs built by clang are left out")
  set(BLITZ_STOCK_CLANG FALSE)
  return()
endif()

# The old clang cannot read the other headers of the folder that has omp.h. The library's folder has all of its names.
file(COPY ${BLITZ_LLVM_OMP_H} DESTINATION ${PROJECT_BINARY_DIR}/llvm)
file(REAL_PATH ${BLITZ_LIBOMP} libomp)
cmake_path(GET libomp PARENT_PATH libomp)
set(BLITZ_CLANG_FLAGS -fopenmp -fopenmp-version=51 -isystem ${PROJECT_BINARY_DIR}/llvm -L${libomp})
