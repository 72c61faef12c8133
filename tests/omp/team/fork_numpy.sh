#!/bin/sh
# Runs fork_numpy.py under each way given, by default the two of Blitz: preload, folder. By hand also libgomp, under which
# it hangs. TEST_PRELOAD and TEST_FOLDER as in run.sh. Exits with 77 if the system lacks what it takes.
set -u
here=$(dirname "$0")
. "$here/../../plain_env.sh"
python=/usr/bin/python3 # Debian's, which Debian's packages are for
openblas=$(ls -d /usr/lib/*/openblas-openmp 2>/dev/null | head -n 1)
if [ ! -x "$python" ] || [ -z "$openblas" ]; then
    echo "skipped: no python3, or no libopenblas0-openmp"
    exit 77
fi

for way in ${*:-preload folder}; do
    case $way in
    libgomp) set -- any LD_LIBRARY_PATH="$openblas" ;;
    preload) set -- "$TEST_PRELOAD" LD_LIBRARY_PATH="$openblas" LD_PRELOAD="$TEST_PRELOAD" ;;
    folder) set -- "$TEST_FOLDER/libgomp.so.1" LD_LIBRARY_PATH="$TEST_FOLDER:$openblas" ;;
    esac
    runtime=$1
    shift
    env OMP_NUM_THREADS=4 timeout -k 1 "${TEST_TIMEOUT:-60}" env "$@" "$python" "$here/fork_numpy.py" "$runtime"
    status=$?
    case $status in
    0) echo "$way: ok" ;;
    77)
        echo "skipped: no python3-numpy on libopenblas0-openmp"
        exit 77
        ;;
    124 | 137) echo "FAIL $way: hangs" ;;
    *) echo "FAIL $way: status $status" ;;
    esac
    [ $status -eq 0 ] || exit 1
done
