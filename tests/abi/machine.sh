#!/bin/sh
# Makes the files of a machine for machine.c: machine.sh FOLDER SOCKETS CORES THREADS NUMBERING
#
# This many sockets, each of this many cores of this many hardware threads. Each socket is a node of memory; every two of its
# cores share a last-level cache. How the CPUs are numbered:
#   spread        through all cores, then through their second threads, as most kernels do
#   dense         the threads of a core are neighbours
#   interleaved   as spread, but neighbours are in different sockets
set -eu
folder=$1
awk -v folder="$1" -v sockets="$2" -v cores="$3" -v threads="$4" -v numbering="$5" '
function core_of(cpu) { return numbering == "dense" ? int(cpu / threads) : cpu % (sockets * cores) }
function socket_of(cpu) { return numbering == "interleaved" ? cpu % sockets : int(core_of(cpu) / cores) }
function within(cpu) { return numbering == "interleaved" ? int(core_of(cpu) / sockets) : core_of(cpu) % cores }
function cache_of(cpu) { return socket_of(cpu) * cores + int(within(cpu) / 2) }
function number_of(cpu, what) {
    return what == "core" ? core_of(cpu) : what == "socket" ? socket_of(cpu) : what == "cache" ? cache_of(cpu) : 0
}
function list(what, number, cpu, first, text) { # the CPUs that have this number
    first = -1
    for (cpu = 0; cpu <= all; cpu++) {
        if (cpu < all && number_of(cpu, what) == number) {
            if (first < 0) first = cpu
        } else if (first >= 0) {
            text = text (text ? "," : "") first (first < cpu - 1 ? "-" (cpu - 1) : "")
            first = -1
        }
    }
    return text
}
function put(path, text) { print folder "/sys/devices/system/" path, text }
BEGIN {
    all = sockets * cores * threads
    put("cpu/online", list("all", 0))
    put("node/online", sockets > 1 ? "0-" (sockets - 1) : "0")
    for (socket = 0; socket < sockets; socket++) put("node/node" socket "/cpulist", list("socket", socket))
    for (cpu = 0; cpu < all; cpu++) {
        here = "cpu/cpu" cpu
        core = list("core", core_of(cpu))
        socket = list("socket", socket_of(cpu))
        put(here "/topology/thread_siblings_list", core)
        put(here "/topology/core_cpus_list", core)
        put(here "/topology/core_siblings_list", socket)
        put(here "/topology/package_cpus_list", socket)
        put(here "/cache/index0/level", 1)
        put(here "/cache/index0/shared_cpu_list", core)
        put(here "/cache/index1/level", 3)
        put(here "/cache/index1/shared_cpu_list", list("cache", cache_of(cpu)))
    }
}' | while read -r path text; do
    mkdir -p "${path%/*}"
    echo "$text" >"$path"
done
