# The MPIs of this machine. Debian's can be installed side by side: each has a compiler and a launcher of its own name.
#   BLITZ_MPIS       openmpi, mpich: those whose two programs are there
#   blitz_mpi_program(MPI OUTPUT SOURCE FLAGS...)   adds the command that builds a program with stock gcc
set(BLITZ_MPIS)
foreach(mpi openmpi mpich)
  find_program(BLITZ_MPICC_${mpi} mpicc.${mpi})
  find_program(BLITZ_MPIRUN_${mpi} mpirun.${mpi})
  mark_as_advanced(BLITZ_MPICC_${mpi} BLITZ_MPIRUN_${mpi})
  if(BLITZ_MPICC_${mpi} AND BLITZ_MPIRUN_${mpi})
    list(APPEND BLITZ_MPIS ${mpi})
  endif()
endforeach()
find_program(BLITZ_STOCK_CC gcc)

function(blitz_mpi_program mpi output source)
  file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/mpi/*.h)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -E env OMPI_CC=${BLITZ_STOCK_CC} MPICH_CC=${BLITZ_STOCK_CC} ${BLITZ_MPICC_${mpi}}
            -O2 -std=gnu11 -Wall -Wextra -fopenmp -I${PROJECT_SOURCE_DIR}/bench ${ARGN} ${source} -o ${output}
    DEPENDS ${source} ${headers} ${PROJECT_SOURCE_DIR}/bench/harness.h
    VERBATIM)
endfunction()
