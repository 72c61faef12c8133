#!/bin/sh
# env.sh PROGRAM FOLDER: what libgomp makes of environment variables, and what we do. For every value below, OMP_DISPLAY_ENV
# shows the same, and both complain of the variable or neither does. PROGRAM is any that is linked with OpenMP.
# Skipped for a newer libgomp, which shows some settings as they were before it has read the others.
# Values that libgomp takes although they make no sense, or takes otherwise than it shows, get a line of ours alone.
usage='usage: env.sh PROGRAM FOLDER'
program=${1:?$usage} folder=${2:?$usage}
. "$(dirname "$0")/../plain_env.sh"
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
status=0

shown=$(OMP_DISPLAY_ENV=true OMP_NESTED=true "$program" 2>&1)
case $shown in
    *"_OPENMP = '201511'"*"OMP_NESTED = 'TRUE'"*) ;;
    *) echo 'skipped: a newer libgomp'; exit 77 ;;
esac

also=

# The settings shown, and the complaints without who makes them and without what only we add. libgomp 12 misspells one.
plain() {
    sed -e 's/^  \[[a-z]*\] /  /' -e "$also" -e '/^$/d' -e '/^libblitz-omp [0-9.]* serves /d' -e '/^  BLITZ_/d' \
        -e "s/\(WAIT_POLICY = '\)ADAPTIVE'/\1PASSIVE'/; s/\(SPINCOUNT = '\)ADAPTIVE'/\1300000'/" \
        -e '/^libblitz-omp: .*: not possible in full; using /d' -e '/^libblitz-omp: .*; using infinite$/d' \
        -e '/^libblitz-omp: .*: has no effect; using /d' -e '/^libgomp: Number of places reduced /d' \
        -e 's/enviroment/environment/' \
        -e 's/^libgomp: .* environment variable \([A-Z_]*\).*/\1: bad/' \
        -e 's/^libblitz-omp: \([A-Z_]*\)=.*: .*; using .*/\1: bad/' \
        -e 's/^libblitz-omp: //; s/^libgomp: //'
}

check() { # SETTING...
    env OMP_DISPLAY_ENV=verbose "$@" "$program" 2>&1 >/dev/null | plain >"$scratch/libgomp"
    LD_LIBRARY_PATH=$folder env OMP_DISPLAY_ENV=verbose "$@" "$program" 2>&1 >/dev/null | plain >"$scratch/ours"
    if ! diff "$scratch/libgomp" "$scratch/ours" >"$scratch/diff"; then
        echo "$* (< libgomp, > ours)"
        head -n 20 "$scratch/diff"
        status=1
    fi
}

each() { # VARIABLE VALUE...
    variable=$1
    shift
    for value in "$@"; do
        check "$variable=$value"
    done
}

check UNRELATED=1
each OMP_DYNAMIC true ' TRUE ' False 1 yes ''
each OMP_NESTED true false 1
each OMP_CANCELLATION true false x
each OMP_DISPLAY_AFFINITY TRUE false x
each OMP_NUM_THREADS 4 ' +4 ' 010 '4, 3 ,2' 2147483647 0 -1 x '' 4, ,4 4,0 '4 3' 4x 3,-1 4,,3 99999999999999999999
each OMP_SCHEDULE static STATIC,4 ' dynamic , 5 ' guided auto monotonic:static \
    nonmonotonic:static 'Monotonic : dynamic,3' monotonic:auto nonmonotonic:guided static,2147483647 static,2147483648 \
    dynamic,x dynamic, dynamic,5x dynamic,5,6 auto,x guided,99999999999999999999 static,+3 'dynamic 5' monotonic \
    'monotonic dynamic' monotonic: monotonic:foo runtime foo foo,3 '' ' '
each OMP_PROC_BIND true FALSE close 'spread , close' master,primary true,close close,true close, spread,x '' 1
each OMP_PLACES threads Cores 'sockets ( 1 )' numa_domains 'threads(1)' '{0}' '{0:1:5}' '0,0' '{0},{0},!{0}' '{0},{60}' \
    '{60}' '{!0}' '{0,!1}' '!{0}' '{0},!{0}' '{0}:65536' '{0}:0' '{0' '{}' '{0-1}' x '' '{0},'
each GOMP_CPU_AFFINITY 0 '0 0' 0,0-0:3 0-0 1-0 0- 0:1 '0 - 1' x 0,,0 0, -1
check OMP_PROC_BIND=false OMP_PLACES=threads
check OMP_PROC_BIND=false OMP_PLACES=x GOMP_CPU_AFFINITY=x
check OMP_PROC_BIND=spread OMP_PLACES=x
check OMP_PROC_BIND=x OMP_PLACES='{0}'
check OMP_PLACES='{0}' GOMP_CPU_AFFINITY='0 0'
check OMP_PLACES=x GOMP_CPU_AFFINITY='0 0'
each OMP_STACKSIZE 64 ' 64 K ' 20000b 2g 16 -1 x '' 1kb 99999999999999999999 1000000000000000000g
each GOMP_STACKSIZE 64 x
check OMP_STACKSIZE=64 GOMP_STACKSIZE=128
check OMP_STACKSIZE=x GOMP_STACKSIZE=128
each OMP_WAIT_POLICY ' Active ' passive x '' activex
also='/WAIT_POLICY/d' # a policy of long spins is shown as active here, whichever variable set it
each GOMP_SPINCOUNT 10 '10 k' 1t INFINITY infinite 99999999999999999t -1 x '' inf 10b 99999999999999999999
also=
check OMP_WAIT_POLICY=active GOMP_SPINCOUNT=7
each OMP_THREAD_LIMIT 9 4294967296 0 -1 x '' 99999999999999999999
each OMP_MAX_ACTIVE_LEVELS 0 3 256 -1 x '' 99999999999999999999
check OMP_NESTED=true OMP_MAX_ACTIVE_LEVELS=1
check OMP_NESTED=false OMP_NUM_THREADS=2,2
check OMP_NUM_THREADS=2,2
check OMP_PROC_BIND=close,spread
each OMP_NUM_TEAMS 5 0 -1 x 2147483648
each OMP_TEAMS_THREAD_LIMIT 5 0 x
each OMP_DEFAULT_DEVICE 5 -1 x 2147483648
each OMP_MAX_TASK_PRIORITY 0 7 -1 x '' 2147483648
each OMP_AFFINITY_FORMAT abc '' ' a ' "$(printf %0600d 5)"
each OMP_ALLOCATOR OMP_thread_mem_alloc ' omp_cgroup_mem_alloc ' 1 omp_null_allocator x ''
also='/DEFAULT_DEVICE/d' # none, if one is mandatory: as libgomp since 13
each OMP_TARGET_OFFLOAD Mandatory disabled default x ''
also=
each GOMP_DEBUG 0 1 x
each OMP_DISPLAY_ENV ' True ' verbose FALSE x 1 ''

# Variables that libgomp 12 does not know. Our output with some settings, and with others.
shown() { # SETTING...
    LD_LIBRARY_PATH=$folder env OMP_DISPLAY_ENV=verbose "$@" "$program" 2>&1
}
same() { # SETTINGS SETTINGS, of words
    shown $1 >"$scratch/one"
    shown $2 >"$scratch/other"
    if ! diff "$scratch/one" "$scratch/other" >"$scratch/diff"; then
        echo "$1 (<) is not shown as $2 (>)"
        head -n 20 "$scratch/diff"
        status=1
    fi
}
for setting in DYNAMIC=true NUM_THREADS=3,2 SCHEDULE=guided,4 PROC_BIND=close PLACES=threads STACKSIZE=64k \
    WAIT_POLICY=active DEFAULT_DEVICE=2 THREAD_LIMIT=7 NUM_TEAMS=2 TEAMS_THREAD_LIMIT=3 MAX_ACTIVE_LEVELS=4 \
    ALLOCATOR=ompx_gnu_pinned_mem_alloc AFFINITY_FORMAT=%n; do
    name=OMP_${setting%%=*} value=${setting#*=}
    same "${name}_ALL=$value" "$name=$value"
    same "${name}_ALL=$value $name=$value" "$name=$value"
    same "${name}_DEV=$value ${name}_DEV_0=$value" UNRELATED=1
done
same 'OMP_NUM_THREADS_ALL=5 OMP_NUM_THREADS=3' OMP_NUM_THREADS=3
same 'OMP_CANCELLATION_ALL=true OMP_MAX_TASK_PRIORITY_ALL=3' UNRELATED=1
same 'OMP_AVAILABLE_DEVICES=* OMP_THREADS_RESERVE=structured(2),free_agent(1)' UNRELATED=1
shown OMP_NUM_THREADS_ALL=x OMP_NUM_THREADS_DEV=x | grep -q "OMP_NUM_THREADS_ALL=x: " ||
    { echo 'OMP_NUM_THREADS_ALL=x: no complaint'; status=1; }
shown OMP_ALLOCATOR=ompx_gnu_managed_mem_alloc | grep -q "OMP_ALLOCATOR *= *'ompx_gnu_managed_mem_alloc'" ||
    { echo 'the allocator is not shown'; status=1; }

# Messages that only we print, in one line: about SETTING, with these words. libgomp prints none, except for stacks.
say() { # SETTING WORDS
    said=$(LD_LIBRARY_PATH=$folder env "$1" "$program" 2>&1 >/dev/null)
    case $said in
        *"
"*) echo "$1: more than one line: $said"; status=1 ;;
        "libblitz-omp: $1: "*"; $2"*) ;;
        *) echo "$1: '$said' has no '$2'"; status=1 ;;
    esac
}
say OMP_SCHEDULE=static,0 "using STATIC"
say OMP_SCHEDULE=dynamic,0 "using DYNAMIC"
say OMP_SCHEDULE=guided,0 "using GUIDED"
say OMP_SCHEDULE=auto,4 "using AUTO"
say OMP_MAX_ACTIVE_LEVELS=100000 "using 255"
say OMP_PLACES='cores(9999)' "using {"
say OMP_PLACES='threads(99999999999)' "using "
say GOMP_SPINCOUNT=-1 "using infinite"
say GOMP_DEBUG=1 "using 0"
say OMP_TOOL=foo "using enabled"
for size in 0 1 15k; do
    say OMP_STACKSIZE=$size 'using the default'
    say GOMP_STACKSIZE=$size 'using the default'
done
say OMP_NUM_THREAD=3 'ignored (did you mean OMP_NUM_THREADS?)'
say OMP_SHEDULE=static 'ignored (did you mean OMP_SCHEDULE?)'
say GOMP_SPIN_COUNT=3 'ignored (did you mean GOMP_SPINCOUNT?)'
say BLITZ_DETERMINISTICS=3 'ignored (did you mean BLITZ_DETERMINISTIC?)'
say BLITZ_UNKNOWN=3 'ignored'
said=$(LD_LIBRARY_PATH=$folder BLITZ_STACKSIZE=1 "$program" 2>&1 >/dev/null)
case $said in
    *'BLITZ_STACKSIZE=1: invalid value; using '*) ;;
    *) echo "BLITZ_STACKSIZE=1: $said"; status=1 ;;
esac
# Names that other runtimes, other versions and other programs know.
said=$(LD_LIBRARY_PATH=$folder KMP_STACKSIZE=1 KMP_AFFINITY=x OMP_DEBUG=enabled OMP_TOOL=enabled OMP_TOOL_LIBRARIES=x \
    OMP_TOOL_VERBOSE_INIT=disabled OMP_NUM_THREADS_DEV_3=1 OMP_AVAILABLE_DEVICES='*' OMPI_MCA_btl=self GOMP_NVPTX_JIT=1 \
    ACC_DEVICE_NUM=0 "$program" 2>&1 >/dev/null)
[ -z "$said" ] || { echo "others' names: $said"; status=1; }
exit $status
