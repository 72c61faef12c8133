# launch.sh: sourced by the tests. Starts ranks with Debian's Open MPI or MPICH, on this machine. Words in PREFIX stand
# before the launcher.
#   TEST_MPI       openmpi or mpich
#   TEST_PRELOAD   the library under its own name
#   TEST_FOLDER    the folder that holds libgomp.so.1
. "$(dirname "$0")/../plain_env.sh"
failures=0
runs=0
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
cpus=$(nproc)
cores=$(lscpu -p=SOCKET,CORE,CPU 2>/dev/null | grep -v '^#' | cut -d, -f1,2 | sort -u | wc -l)
[ "$cores" -ge 1 ] || cores=$cpus
[ "$cores" -le "$cpus" ] || cores=$cpus

# launch WAY RANKS "BINDING" "NAME=VALUE..." PROGRAM...: fails if it does, or takes too long. WAY is preload or folder.
# BINDING: none, core, by-core, thread, two-cores (for each rank).
launch() {
    way=$1 ranks=$2 binding=$3 variables=$4
    shift 4
    case $way in
    preload) variables="$variables LD_PRELOAD=$TEST_PRELOAD TEST_LIBRARY=$TEST_PRELOAD" ;;
    folder) variables="$variables LD_LIBRARY_PATH=$TEST_FOLDER TEST_LIBRARY=$TEST_FOLDER/libgomp.so.1" ;;
    esac
    options=
    for variable in $variables; do
        case $TEST_MPI in
        openmpi) options="$options -x $variable" ;;
        mpich) options="$options -genv ${variable%%=*} ${variable#*=}" ;;
        esac
    done
    case $TEST_MPI-$binding in
    openmpi-thread) options="--bind-to hwthread $options" ;;
    openmpi-by-core) options="--map-by core --bind-to core $options" ;;
    openmpi-two-cores) options="--map-by slot:PE=2 --bind-to core $options" ;;
    openmpi-*) options="--bind-to $binding $options" ;;
    mpich-thread) options="-bind-to hwthread $options" ;;
    mpich-by-core) options="-map-by core -bind-to core $options" ;;
    mpich-two-cores) options="-bind-to core:2 $options" ;;
    mpich-*) options="-bind-to $binding $options" ;;
    esac
    [ "$TEST_MPI" = mpich ] || options="--allow-run-as-root --oversubscribe --mca mpi_yield_when_idle 1 $options"
    runs=$((runs + 1))
    # shellcheck disable=SC2086 # words
    timeout -k 5 60 $PREFIX "mpirun.$TEST_MPI" -np "$ranks" $options "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
    status=$?
    [ $status -ne 0 ] || return 0
    echo "FAIL $TEST_MPI, $way, $ranks ranks, $binding, $variables: exit status $status"
    head -n 40 "$scratch/err"
    failures=$((failures + 1))
}

finish() { # NAME
    [ "$failures" -eq 0 ] || exit 1
    echo "PASS $1 under $TEST_MPI: $runs runs"
}
PREFIX=
