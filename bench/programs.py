""" The benchmark programs and the runtimes that serve them: the runs, and the environment of each.

A program is BUILD/bench/bench_WORKLOAD_VARIANT. The variant `omp` is one gcc-built binary for every OpenMP runtime,
chosen by LD_PRELOAD alone; `omp_clang` the same source built by clang, for those that serve LLVM's ABI; the others need
none."""
import glob
import os
import re
import subprocess
import sys
from typing import NamedTuple, Optional

from figures import COMPILERS, NATIVE, OURS, STUB, STUBS, served, title

# The compiler of the OpenMP programs; their figures appear under their runtimes' names.
BUILT_BY = {"omp": "gcc", "omp_clang": "clang"}

# The name under which the figures of the others appear.
VARIANTS = {"serial": "serial", "blitz": "native", "tbb": "tbb", "rayon": "rayon", "parallel": "libstdc++"}

# Team sizes that a workload is measured with unless --threads says otherwise.
THREADS = {"sync": [1, 2, 8], "crowd": [2], "idle": [2], "nested": [2], "waits": [2], "startup": [2], "teams": [2],
           "hosts": [2]}
USUAL_THREADS = [1, 2]

# Further arguments of programs after the milliseconds. libgomp runs detached tasks in place when there are many, and
# waits for their events: ranks would wait for each other. libomp has no omp_fulfill_event for binaries that gcc built.
ARGUMENTS = {("mpi", "libgomp"): ["blocking"], ("mpi", "libomp"): ["blocking"], ("mpi", STUB): ["blocking"],
             ("mpi", "stub-clang"): ["blocking"]}

# Workloads that also measure large sizes, in processes with an argument for that, which run in the first rounds only.
LARGE = ["array", "sort", "teams"]
LARGE_ROUNDS = 3

# Not for run.py: instructions.py counts these.
COUNTED = ["constructs"]

# Runs that cannot work, and why.
ON_STACK = "clang puts the sums of all elements on the stack, which is too small for them"
LEFT_OUT = {("scan", "libomp"): "its entry points for binaries of GCC know no scans (its error 277)",
            ("scan", "libomp-clang"): ON_STACK, ("scan", "blitz-clang"): ON_STACK}

# Programs that a build lacks where these packages were missing when it was configured.
NEEDED = {"omp_clang": "clang-19 libomp-19-dev", "tbb": "libtbb-dev", "rayon": "cargo librust-rayon-dev"}

# A stub is run with the programs that make tasks by one of these calls, and serves it.
STUB_CALLS = {"gcc": ["GOMP_task"], "clang": ["__kmpc_omp_task", "__kmpc_omp_task_with_deps"]}

# Runtimes that are another one with a setting, for some workloads.
SETTINGS = {}

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
    seconds: float = 0.0  # that it took


def fail(message):
    sys.exit(f"run.py: {message}")


def discover(build):
    """{workload: {variant: path}} of the built programs, in the order of their names, without COUNTED."""
    found = {}
    for path in sorted(glob.glob(os.path.join(build, "bench", "bench_*"))):
        match = re.fullmatch(r"bench_([a-z0-9]+)_(" + "|".join([*BUILT_BY, *VARIANTS]) + ")", os.path.basename(path))
        if match and match[1] not in COUNTED and os.access(path, os.X_OK) and os.path.isfile(path):
            found.setdefault(match[1], {})[match[2]] = path
    if not found:
        fail(f"no programs in {build}/bench: cmake --preset release && cmake --build --preset release")
    return found


def launcher(path):
    """ The words that start the program, from the file WORKLOAD.launch next to it; none for most."""
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
    """{compiler: {runtime: library to preload}}; None is what its programs are linked with. `extra`: NAME=LIBRARY."""
    ours, stub = (os.path.join(build, "lib", name) for name in ("libblitz-omp.so", "libblitz_bench_stub_%s.so"))
    tables = {"gcc": {"libgomp": None, "libomp": libomp or newest_libomp(), OURS: ours, STUB: stub % "gomp"},
              "clang": {"libomp": libomp, OURS: ours, STUB: stub % "kmpc"}}
    if not tables["gcc"]["libomp"]:
        del tables["gcc"]["libomp"]
    for name, separator, library in (one.partition("=") for one in extra):
        if not separator:
            fail(f"--extra: '{name}' is not NAME=LIBRARY")
        for compiler in COMPILERS:
            tables[compiler][name] = library
    for name, path in [pair for table in tables.values() for pair in table.items()]:
        if path and not os.path.exists(path):
            fail(f"{path} ({name}) is missing")
    return tables


def environment(threads, preload=None, **more):
    """This process's environment without what would steer a runtime, but for the number of threads."""
    env = {key: value for key, value in os.environ.items() if not STEERING.match(key)}
    env["OMP_NUM_THREADS"] = str(threads)
    if preload:
        env["LD_PRELOAD"] = preload
    env.update(more)
    return env


def bindings(path, preload):
    """{symbol: library} of the OpenMP calls of a program, as the dynamic linker binds them."""
    env = environment(1, preload, LD_DEBUG="bindings", LD_BIND_NOW="1")
    # An argument that is no number: the program ends before it does anything.
    errors = subprocess.run([path, "none"], env=env, capture_output=True, text=True, check=False).stderr
    pattern = (r"binding file " + re.escape(path) +
               r" \[0\] to (\S+) \[0\]: normal symbol `((?:GOMP|omp|__kmpc)_\w+)'")
    return {symbol: os.path.realpath(library) for library, symbol in re.findall(pattern, errors)}


def check_served(path, compiler, runtime, preload):
    """Stops unless the runtime serves all of the program's calls. Returns them."""
    bound = bindings(path, preload)
    if not bound:
        fail(f"{path} under {runtime}: no OpenMP call is bound")
    for symbol, library in bound.items():
        if runtime == STUB and symbol not in STUB_CALLS[compiler]:  # left to the runtime behind it
            right = True
        elif compiler == "gcc" and runtime == "libomp" and symbol == "omp_fulfill_event":  # not called: see ARGUMENTS
            right = True
        elif not preload:
            right = os.path.basename(library).startswith("libgomp.so.1" if compiler == "gcc" else "libomp")
        else:
            right = library == os.path.realpath(preload)
        if not right:
            fail(f"{path} under {runtime}: {symbol} is served by {library}")
    return bound


class Selection(NamedTuple):
    """ The wanted runs, of all possible ones."""
    workloads: Optional[list] = None
    runtimes: Optional[list] = None  # by their plain names
    compilers: Optional[list] = None  # of the OpenMP programs
    threads: Optional[list] = None
    ms: int = 100
    large: bool = False  # large sizes, too


def left_out(programs, tables, wanted):
    """A line for each pair of what is wanted that cannot be run."""
    known = [served(runtime, compiler) for variant, compiler in BUILT_BY.items() for runtime in tables.get(compiler, [])
             if compiler in (wanted.compilers or COMPILERS) and runtime in (wanted.runtimes or [runtime])
             and any(variant in variants for variants in programs.values())]
    return [f"{workload} under {runtime} is left out: {why}" for (workload, runtime), why in LEFT_OUT.items()
            if workload in (wanted.workloads or programs) and workload in programs and runtime in known]


def not_built(programs, tables, wanted):
    """A line for each kind of what is wanted that the build or the machine lacks altogether."""
    lines = []
    if wanted.runtimes is None and "libomp" not in tables.get("gcc", {}):
        lines.append("libomp is left out: no libomp.so.5; install libomp-19-dev")
    for variant, packages in NEEDED.items() if wanted.workloads is None and wanted.runtimes is None else []:
        compiler = BUILT_BY.get(variant)
        if any(variant in variants for variants in programs.values()):
            continue
        if compiler and compiler not in (wanted.compilers or COMPILERS):
            continue
        what = f"what {compiler} builds" if compiler else title(VARIANTS[variant])
        lines.append(f"{what} is left out: no program of it is built; install {packages} and configure again")
    return lines


def groups(programs, tables, wanted):
    """ The runs of one round: lists of runs of one workload and team size, which differ in the runtime only."""
    result = []
    for workload, variants in programs.items():
        if wanted.workloads and workload not in wanted.workloads:
            continue
        sizes = wanted.threads or THREADS.get(workload, USUAL_THREADS)
        kinds = [*_openmp_kinds(workload, variants, tables, wanted), *_native_kinds(workload, variants, wanted)]
        for threads in sizes:
            group = []
            for path, runtime, preload, settings in kinds:
                alone = runtime in STUBS or runtime == "serial"  # right on one thread only; once per round is enough
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


def _openmp_kinds(workload, variants, tables, wanted):
    """(program, runtime, library to preload, settings) for all OpenMP runtimes that can serve a workload."""
    for variant, compiler in BUILT_BY.items():
        path = variants.get(variant)
        if not path or compiler not in (wanted.compilers or COMPILERS):
            continue
        table = tables.get(compiler, {})
        for runtime, preload in table.items():
            name = served(runtime, compiler)
            if (workload, name) in LEFT_OUT or runtime not in (wanted.runtimes or table):
                continue
            calls = check_served(path, compiler, runtime, preload)
            if runtime != STUB or any(call in calls for call in STUB_CALLS[compiler]):  # else it would be who is behind it
                yield path, name, preload, {}
        for runtime, (base, settings, workloads) in SETTINGS.items() if compiler == "gcc" else []:
            if workload in workloads and runtime in (wanted.runtimes or SETTINGS):
                yield path, runtime, table[base], settings


def _native_kinds(workload, variants, wanted):
    """The same for what needs no runtime."""
    for variant, name in VARIANTS.items():
        if variant in variants and name in (wanted.runtimes or [name]):
            yield variants[variant], name, None, {}
