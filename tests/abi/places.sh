#!/bin/sh
# places.sh PROGRAM MACHINE FOLDER: PROGRAM (places.c) prints the same under libgomp and when libgomp.so.1 comes from FOLDER,
# on machines that the library MACHINE (machine.c) pretends. Not by preloading ours: it asks the real machine for its CPUs.
usage='usage: places.sh PROGRAM MACHINE FOLDER'
program=${1:?$usage} machine=${2:?$usage} folder=${3:?$usage}
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../plain_env.sh"
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
status=0
runs=0

plain() { # complaints without who makes them, and without what only we add
    sed -e '/^$/d' -e '/^libblitz-omp: .*: not possible in full; using /d' -e '/^libgomp: Number of places reduced /d' \
        -e 's/enviroment/environment/' \
        -e 's/^libgomp: .* environment variable \([A-Z_]*\).*/\1: bad/' \
        -e 's/^libblitz-omp: \([A-Z_]*\)=.*: .*; using .*/\1: bad/' \
        -e 's/^libblitz-omp: //; s/^libgomp: //'
}

check() { # TEAMS SETTING...
    teams=$1
    shift
    for path in "" "$folder"; do
        out=$scratch/${path:+ours} # or nothing, for libgomp
        # shellcheck disable=SC2086 # the teams are words
        env OMP_WAIT_POLICY=passive LD_PRELOAD="$machine" LD_LIBRARY_PATH="$path" "$@" "$program" $teams \
            >"$out.out" 2>"$out.said"
        plain <"$out.said" >>"$out.out"
    done
    runs=$((runs + 1))
    if ! grep -q ' CPUs, bind ' "$scratch/.out" || ! diff "$scratch/.out" "$scratch/ours.out" >"$scratch/diff"; then
        echo "$* (< libgomp, > ours)"
        head -n 20 "$scratch/diff"
        status=1
    fi
}

# Places beyond the machine: libgomp drops the list, or keeps places without a CPU.
kept() { # PLACES SETTING: those that there are, and one line that says so
    env OMP_WAIT_POLICY=passive LD_PRELOAD="$machine" LD_LIBRARY_PATH="$folder" "$2" "$program" \
        >"$scratch/kept" 2>"$scratch/said"
    runs=$((runs + 1))
    if ! [ "$(wc -l <"$scratch/said")" -eq 1 ] || ! grep -qF "; using $1" "$scratch/said"; then
        echo "$2: not a line that says that '$1' is used:"
        cat "$scratch/said"
        status=1
    fi
}

on() { # MACHINE CPUS: check on these from now on
    MACHINE=$scratch/$1 MACHINE_CPUS=$2
    export MACHINE MACHINE_CPUS
}

sh "$here/machine.sh" "$scratch/spread" 2 4 2 spread
sh "$here/machine.sh" "$scratch/dense" 2 2 2 dense
sh "$here/machine.sh" "$scratch/interleaved" 2 4 2 interleaved
for cpus in "spread 0-15" "spread 1-5,9" "dense 0-7" "interleaved 0-15" "interleaved 3,5-8"; do
    # shellcheck disable=SC2086
    on $cpus
    for places in threads cores sockets numa_domains 'cores(3)' 'threads(5)' 'sockets(1)' 'numa_domains(7)'; do
        check "" OMP_PLACES="$places"
    done
    check "1 3 7" OMP_PROC_BIND=spread,close
done

on spread 0-15
for policy in true close spread primary spread,close,primary false; do
    check "1 2 3 5 8 9 17" OMP_PROC_BIND="$policy" OMP_PLACES=cores
    check "2 5 6 11" OMP_PROC_BIND="$policy" OMP_PLACES='{0}:5'
done
for places in '{0:4:2}:2:1' '{4}:3:-2' '{0:4,!2}' '{0},{1},{0},!{0}' '{14}:4' '{15:4}' '{63},{1}' \
    '{0},{8},{16}' '{2}:20' '{1:2}:2:-1' '!{5}' '{0:2:0}:2:0'; do
    check 3 OMP_PLACES="$places"
done
for cpus in 15-0 0-15:3 '7,3 1'; do
    check "" GOMP_CPU_AFFINITY="$cpus"
done
kept '{4},{2},{0}' OMP_PLACES='{4}:9:-2'
kept '{1}' OMP_PLACES='{64},{1}'
kept '{0,3}' OMP_PLACES='{0,3}:2:62'
kept '{0}' OMP_PLACES='{0}:2:9223372036854775807'
kept '{0:8},{8:8}' OMP_PLACES='{0:8}:48:8'
kept '{8:8}' OMP_PLACES='{8:48}'
kept '{5}' GOMP_CPU_AFFINITY='5 99'
kept '{14},{15}' GOMP_CPU_AFFINITY=14-70

# More CPUs than a cpu_set_t holds, and no files: explicit places need none.
on nothing 1-3,1500-2000
for places in '{1},{1500:3}' '{1},{1535}' '{1500}:20:25' '{1},{2047}' '{2}:3:900'; do
    check "2 4" OMP_PLACES="$places"
done
kept '{1}' OMP_PLACES='{1},{2048}'
[ "$status" -eq 0 ] && echo "$runs runs compared"
exit $status
