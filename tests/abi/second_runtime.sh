#!/bin/sh
# second_runtime.sh PROGRAM LIBBLITZ_OMP FOLDER: PROGRAM asks for libgomp. Preloaded, LIBBLITZ_OMP has libgomp beside it
# and says so when that binds the initial thread; from FOLDER it is alone and has nothing to say.
usage='usage: second_runtime.sh PROGRAM LIBBLITZ_OMP FOLDER'
program=${1:?$usage} preload=${2:?$usage} folder=${3:?$usage}
unset LD_PRELOAD LD_LIBRARY_PATH

# says VARIABLES...: how many lines of complaint about the second runtime a run gives.
says() {
  env "$@" "$program" 2>&1 > /dev/null | grep -c '^libblitz-omp: libgomp is loaded, too'
}

# expect COUNT VARIABLES...
expect() {
  wanted=$1
  shift
  [ "$(says "$@")" = "$wanted" ] && return
  echo "$*: should give $wanted lines"
  status=1
}

status=0
expect 1 LD_PRELOAD="$preload" OMP_PROC_BIND=true
expect 1 LD_PRELOAD="$preload" OMP_PLACES=threads
expect 0 LD_PRELOAD="$preload" OMP_PROC_BIND=false OMP_PLACES=threads
expect 0 LD_PRELOAD="$preload" OMP_NUM_THREADS=2
expect 0 LD_LIBRARY_PATH="$folder" OMP_PROC_BIND=true
exit $status
