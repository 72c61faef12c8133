"""The benchmark programs and the runtimes that serve them: what there is to run, and in which environment.

A program is BUILD/bench/bench_WORKLOAD_VARIANT. The variant `omp` is one gcc-built binary for every OpenMP runtime, chosen
by LD_PRELOAD alone; `omp_clang` the same source built by clang, for LLVM's runtime; the others need none."""
import glob
import os
import re
import subprocess
import sys
from typing import NamedTuple, Optional

from figures import NATIVE, OURS, STUB

# The name under which a variant's figures appear; those of `omp` appear under their runtimes'.
VARIANTS = {"omp": None, "omp_clang": "libomp-clang", "serial": "serial", "blitz": "native", "tbb": "tbb",
            "rayon": "rayon", "parallel": "libstdc++"}

# Team sizes that a workload is measured with unless --threads says otherwise.
THREADS = {"sync": [1, 2, 8], "crowd": [2], "idle": [2], "nested": [2], "waits": [2]}
USUAL_THREADS = [1, 2]

# What else programs are told after the milliseconds. libgomp runs detached tasks in place when there are many, and waits for
# their events: ranks would wait for each other. libomp has no omp_fulfill_event for binaries that gcc built.
ARGUMENTS = {("mpi", "libgomp"): ["blocking"], ("mpi", "libomp"): ["blocking"], ("mpi", STUB): ["blocking"]}

# Workloads that measure large sizes, too, in processes of their own that are told so and run in the first rounds only.
LARGE = ["array", "sort"]
LARGE_ROUNDS = 3

# What cannot be run, and why.
LEFT_OUT = {("scan", "libomp"): "its entry points for binaries of GCC know no scans (its error 277)",
            ("scan", "libomp-clang"): "clang puts the sums of all elements on the stack, which is too small for them"}

# Runtimes that are another one with a setting, for some workloads: all tasks queued that may be.
SETTINGS = {"blitz-queued": (OURS, {"BLITZ_TASK_CUTOFF": "false"}, ["fib"])}

# Variables that would steer a runtime.
STEERING = re.compile(r"(OMP|GOMP|KMP|BLITZ|LD|RAYON|TBB)_")


class Run(NamedTuple):
    """One process: what to run, and under which names its samples go."""
    command: list
    environment: dict
    workload: str
    runtime: str
    threads: int
    rounds: Optional[int] = None  # no more than these


def fail(message):
    sys.exit(f"run.py: {message}")


def discover(build):
    """{workload: {variant: path}} of the built programs, in the order of their names."""
    found = {}
    for path in sorted(glob.glob(os.path.join(build, "bench", "bench_*"))):
        match = re.fullmatch(r"bench_([a-z0-9]+)_(" + "|".join(VARIANTS) + ")", os.path.basename(path))
        if match and os.access(path, os.X_OK) and os.path.isfile(path):
            found.setdefault(match[1], {})[match[2]] = path
    if not found:
        fail(f"no programs in {build}/bench: cmake --preset release && cmake --build --preset release")
    return found


def launcher(path):
    """The words before a program's own that start it, from WORKLOAD.launch beside it; none for most."""
    workload = os.path.basename(path).split("_")[1]
    try:
        with open(os.path.join(os.path.dirname(path), workload + ".launch"), encoding="utf8") as file:
            return file.read().split()
    except FileNotFoundError:
        return []


def newest_libomp():
    found = glob.glob("/usr/lib/llvm-*/lib/libomp.so.5")
    return max(found, key=lambda path: int(re.search(r"llvm-(\d+)", path)[1]), default=None)


def preloads(build, libomp, extra):
    """{runtime: library to preload}; libgomp is what the binaries are linked with. `extra`: NAME=LIBRARY."""
    table = {
        "libgomp": None,
        "libomp": libomp or newest_libomp(),
        OURS: os.path.join(build, "lib", "libblitz-omp.so"),
        STUB: os.path.join(build, "lib", "libblitz_bench_stub.so"),
    }
    if not table["libomp"]:
        print("run.py: no libomp.so.5: install libomp-19-dev to compare with LLVM's runtime", file=sys.stderr)
        del table["libomp"]
    for name, separator, library in (one.partition("=") for one in extra):
        if not separator:
            fail(f"--extra: '{name}' is not NAME=LIBRARY")
        table[name] = library
    for name, path in table.items():
        if path and not os.path.exists(path):
            fail(f"{path} ({name}) is missing")
    return table


def environment(threads, preload=None, **more):
    """This process's environment without what would steer a runtime, but for the number of threads."""
    env = {key: value for key, value in os.environ.items() if not STEERING.match(key)}
    env["OMP_NUM_THREADS"] = str(threads)
    if preload:
        env["LD_PRELOAD"] = preload
    env.update(more)
    return env


def served(path, preload):
    """{symbol: library} of the OpenMP calls of a program, as the dynamic linker binds them."""
    env = environment(1, preload, LD_DEBUG="bindings", LD_BIND_NOW="1")
    # An argument that is no number: the program ends before it does anything.
    errors = subprocess.run([path, "none"], env=env, capture_output=True, text=True, check=False).stderr
    pattern = (r"binding file " + re.escape(path) +
               r" \[0\] to (\S+) \[0\]: normal symbol `((?:GOMP|omp|__kmpc)_\w+)'")
    return {symbol: os.path.realpath(library) for library, symbol in re.findall(pattern, errors)}


def check_served(path, runtime, preload):
    """Stops unless the runtime serves all of the program's calls. Returns them."""
    bound = served(path, preload)
    if not bound:
        fail(f"{path} under {runtime}: no OpenMP call is bound")
    for symbol, library in bound.items():
        if runtime == STUB:  # serves GOMP_task and leaves the rest to libgomp
            right = symbol != "GOMP_task" or library == os.path.realpath(preload)
        elif runtime == "libomp" and symbol == "omp_fulfill_event":  # not called: see ARGUMENTS
            right = True
        elif runtime == "libgomp":
            right = "libgomp.so.1" in library
        elif runtime == VARIANTS["omp_clang"]:
            right = os.path.basename(library).startswith("libomp")
        else:
            right = library == os.path.realpath(preload)
        if not right:
            fail(f"{path} under {runtime}: {symbol} is served by {library}")
    return bound


class Selection(NamedTuple):
    """What of all that could be run is wanted."""
    workloads: Optional[list] = None
    runtimes: Optional[list] = None
    threads: Optional[list] = None
    ms: int = 100
    large: bool = False  # large sizes, too


def left_out(programs, table, wanted):
    """A line for each pair of what is wanted that cannot be run."""
    known = {*table, *VARIANTS.values()}
    return [f"{workload} under {runtime} is left out: {why}" for (workload, runtime), why in LEFT_OUT.items()
            if workload in (wanted.workloads or programs) and workload in programs
            and runtime in (wanted.runtimes or known) and runtime in known]


def groups(programs, table, wanted):
    """What to run once per round: lists of runs of one workload and team size, which differ in the runtime only."""
    result = []
    for workload, variants in programs.items():
        if wanted.workloads and workload not in wanted.workloads:
            continue
        sizes = wanted.threads or THREADS.get(workload, USUAL_THREADS)
        kinds = [kind for kind in _kinds(workload, variants, table) if not wanted.runtimes or kind[1] in wanted.runtimes]
        for threads in sizes:
            group = []
            for path, runtime, preload, settings in kinds:
                alone = runtime in (STUB, "serial")  # right on one thread only; once per round is enough
                if alone and threads != min(sizes):
                    continue
                count = 1 if alone else threads
                env = environment(count, preload, **settings)
                if runtime in NATIVE:
                    env.update(BLITZ_WORKERS=str(count), RAYON_NUM_THREADS=str(count))
                command = [*launcher(path), path, str(wanted.ms), *ARGUMENTS.get((workload, runtime), [])]
                group.append(Run(command, env, workload, runtime, count))
            if group:
                result.append(group)
            if group and wanted.large and workload in LARGE:
                result.append([run._replace(command=[*run.command, "large"], rounds=LARGE_ROUNDS) for run in group])
    return result


def _kinds(workload, variants, table):
    """(program, runtime, library to preload, settings) for all that can serve a workload."""
    for variant, name in VARIANTS.items():
        path = variants.get(variant)
        if not path:
            continue
        if variant != "omp":
            if (workload, name) in LEFT_OUT:
                continue
            if variant == "omp_clang":
                check_served(path, name, None)
            yield path, name, None, {}
            continue
        for runtime, preload in table.items():
            if (workload, runtime) in LEFT_OUT:
                continue
            calls = check_served(path, runtime, preload)
            if runtime != STUB or "GOMP_task" in calls:  # else it would be libgomp
                yield path, runtime, preload, {}
        for runtime, (base, settings, workloads) in SETTINGS.items():
            if workload in workloads:
                yield path, runtime, table[base], settings
