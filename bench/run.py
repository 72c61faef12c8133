#!/usr/bin/env python3
"""Runs the benchmark programs under several OpenMP runtimes, interleaved, and compares them.

One gcc-built binary per workload; the runtime is chosen by LD_PRELOAD alone, and checked. Writes OUT.json (all
samples) and OUT.md (the tables of report.py), and prints the tables.
Exits with 1 if a program failed or computed a wrong result.
"""
import argparse
import glob
import json
import os
import platform
import re
import subprocess
import sys
import time

import report

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORKLOADS = ["fib", "nqueens", "tree", "mergesort", "producer", "loops", "regions", "sync"]
TASK_WORKLOADS = ["fib", "nqueens", "tree", "mergesort", "producer"]  # which the stub can run
TIMEOUT_S = 120
QUICK_LIMIT_S = 240  # a process that has begun may run on, but not much longer than that


def text_of(command):
    """What a command prints, or an empty string if it cannot be run."""
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return result.stdout.strip() if result.returncode == 0 else ""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"),
                        help="build folder (build/release)")
    parser.add_argument("--quick", action="store_true", help="small: ends in less than 5 minutes")
    parser.add_argument("--threads", default="1,2", help="team sizes, separated by commas (1,2)")
    parser.add_argument("--workloads", default=",".join(WORKLOADS + ["native"]),
                        help="names, separated by commas (all)")
    parser.add_argument("--runtimes",
                        help="of libgomp, libomp, blitz, stub and the extra ones, separated by commas (all)")
    parser.add_argument("--extra", action="append", default=[], metavar="NAME=LIBRARY",
                        help="one more runtime to preload, such as another build of Blitz; may be repeated")
    parser.add_argument("--rounds", type=int, help="times that everything is run (9; quick: 3)")
    parser.add_argument("--ms", type=int, help="milliseconds per measurement and process (200; quick: 40)")
    parser.add_argument("--libomp", help="LLVM's runtime (the newest /usr/lib/llvm-*/lib/libomp.so.5)")
    parser.add_argument("--out", help="prefix of the files that are written (BUILD/bench/results)")
    args = parser.parse_args()
    args.rounds = args.rounds or (3 if args.quick else 9)
    args.ms = args.ms or (40 if args.quick else 200)
    args.out = args.out or os.path.join(args.build, "bench", "results")
    try:
        args.threads = [int(n) for n in args.threads.split(",")]
    except ValueError:
        args.threads = []
    if not args.threads or min(args.threads) < 1:
        parser.error("--threads: numbers from 1, separated by commas")
    args.workloads = args.workloads.split(",")
    for name in args.workloads:
        if name not in WORKLOADS + ["native"]:
            parser.error(f"--workloads: '{name}' is none of {', '.join(WORKLOADS)}, native")
    return args


def program(args, name):
    path = os.path.join(args.build, "bench", "bench_" + name)
    if not os.path.exists(path):
        sys.exit(f"run.py: {path} is missing: cmake --preset release && cmake --build --preset release")
    return path


def newest_libomp():
    found = glob.glob("/usr/lib/llvm-*/lib/libomp.so.5")
    return max(found, key=lambda path: int(re.search(r"llvm-(\d+)", path)[1]), default=None)


def runtimes(args):
    """Name and preloaded library of each runtime; libgomp is what the binary is linked with."""
    libomp = args.libomp or newest_libomp()
    table = {
        "libgomp": None,
        "libomp": libomp,
        "blitz": os.path.join(args.build, "lib", "libblitz-omp.so"),
        "stub": os.path.join(args.build, "lib", "libblitz_bench_stub.so"),
    }
    if not libomp:
        print("run.py: no libomp.so.5: install libomp5-19 to compare with LLVM's runtime", file=sys.stderr)
        del table["libomp"]
    for name, separator, library in (extra.partition("=") for extra in args.extra):
        if not separator:
            sys.exit(f"run.py: --extra: '{name}' is not NAME=LIBRARY")
        table[name] = library
    if args.runtimes:
        table = {name: table[name] for name in args.runtimes.split(",") if name in table}
    return table


def environment(preload, threads, **more):
    """This process's environment without what would steer a runtime."""
    env = {k: v for k, v in os.environ.items() if not re.match(r"(OMP|GOMP|KMP|BLITZ|LD)_", k)}
    env["OMP_NUM_THREADS"] = str(threads)
    if preload:
        env["LD_PRELOAD"] = preload
    env.update(more)
    return env


def check_served(path, name, preload):
    """That the runtime serves all of the program's calls; the stub serves GOMP_task and leaves the rest."""
    env = environment(preload, 1, LD_DEBUG="bindings", LD_BIND_NOW="1")
    # An argument that is no number: the program ends before it does anything.
    errors = subprocess.run([path, "none"], env=env, capture_output=True, text=True, check=False).stderr
    pattern = r"binding file " + re.escape(path) + r" \[0\] to (\S+) \[0\]: normal symbol `((?:GOMP|omp)_\w+)'"
    served = {symbol: os.path.realpath(library) for library, symbol in re.findall(pattern, errors)}
    if "GOMP_parallel" not in served:
        sys.exit(f"run.py: {path} under {name}: GOMP_parallel is bound to nothing")
    for symbol, library in served.items():
        if name == "stub" and symbol != "GOMP_task":
            continue
        if preload and library != os.path.realpath(preload):
            sys.exit(f"run.py: {path} under {name}: {symbol} is served by {library}")
        if not preload and "libgomp.so.1" not in library:
            sys.exit(f"run.py: {path} under {name}: {symbol} is served by {library}")


def measure(command, env, where, samples, failures):
    """Runs a program and adds a sample for each line "name value unit"."""
    label = f"{where['workload']} under {where['runtime']}, {where['threads']} threads"
    try:
        result = subprocess.run(command, env=env, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        failures.append(f"{label}: no end after {TIMEOUT_S} s")
        return
    lines = re.findall(r"^(\S+) ([0-9.e+-]+) (\w+)$", result.stdout, re.MULTILINE)
    if result.returncode != 0 or not lines:
        failures.append(f"{label}: exit status {result.returncode}: {result.stderr.strip()[-300:]}")
        return
    for name, value, unit in lines:
        samples.append({**where, "name": name, "value": float(value), "unit": unit})


def plan(args, table):
    """All (command, environment, where) of one round, by workload; neighbours differ in the runtime only."""
    groups = []
    for workload in args.workloads:
        if workload == "native":
            if not os.path.exists(os.path.join(args.build, "bench", "bench_fib_blitz")):
                print("run.py: native programs are not built: left out", file=sys.stderr)
                continue
            commands = [(program(args, "fib_serial"), "serial", 1)]
            commands += [(program(args, "fib_blitz"), "blitz", workers) for workers in (1, 2)]
            groups.append([
                ([path, str(args.ms)], environment(None, 1, BLITZ_WORKERS=str(workers)),
                 {"workload": "native", "runtime": name, "threads": workers}) for path, name, workers in commands])
            continue
        path = program(args, workload + "_omp")
        for name, preload in table.items():
            if name != "stub" or workload in TASK_WORKLOADS:
                check_served(path, name, preload)
        for threads in args.threads:
            groups.append([
                ([path, str(args.ms)], environment(preload, threads),
                 {"workload": workload, "runtime": name, "threads": threads})
                for name, preload in table.items()
                if name != "stub" or (threads == min(args.threads) and workload in TASK_WORKLOADS)])
    for group in groups:
        for i, (command, env, where) in enumerate(group):
            if where["runtime"] == "stub":  # is right on one thread only
                group[i] = (command, {**env, "OMP_NUM_THREADS": "1"}, {**where, "threads": 1})
    return groups


def facts(args, table):
    """What the figures depend on."""
    cpu = re.search(r"^model name\s*:\s*(.*)$", open("/proc/cpuinfo", encoding="utf8").read(), re.MULTILINE)
    return {
        "command": " ".join(["bench/run.py"] + sys.argv[1:]),
        "date": time.strftime("%Y-%m-%d %H:%M:%S"),
        "machine": cpu[1] if cpu else platform.machine(),
        "cpus": len(os.sched_getaffinity(0)),
        "kernel": platform.release(),
        "compiler": text_of(["gcc", "--version"]).split("\n", maxsplit=1)[0],
        "commit": text_of(["git", "-C", ROOT, "describe", "--always", "--dirty", "--exclude=*"]),
        "runtimes": {name: os.path.realpath(preload) if preload else "as linked" for name, preload in table.items()},
        "ms": args.ms,
    }


def main():
    args = arguments()
    table = runtimes(args)
    for name, path in table.items():
        if path and not os.path.exists(path):
            sys.exit(f"run.py: {path} ({name}) is missing")
    result = {"facts": facts(args, table), "samples": []}
    samples, failures, begin = result["samples"], [], time.monotonic()
    load = os.getloadavg()[0]
    groups = plan(args, table)
    late = False
    for turn in range(args.rounds):
        for group in groups:
            first = turn % len(group)  # nobody is always first
            for command, env, where in group[first:] + group[:first]:
                late = late or (args.quick and time.monotonic() - begin > QUICK_LIMIT_S)
                if not late:
                    measure(command, env, {**where, "round": turn}, samples, failures)
        print(f"run.py: round {turn + 1} of {args.rounds}, {time.monotonic() - begin:.0f} s", file=sys.stderr)
        if late:
            print("run.py: out of time: the remaining measurements are left out", file=sys.stderr)
            break
    result["facts"].update({"load": [load, os.getloadavg()[0]], "rounds": turn + 1, "failures": failures})
    result["figures"] = report.summary(samples)
    tables = report.markdown(result)
    os.makedirs(os.path.dirname(os.path.abspath(args.out)), exist_ok=True)
    with open(args.out + ".json", "w", encoding="utf8") as file:
        json.dump(result, file, indent=1)
    with open(args.out + ".md", "w", encoding="utf8") as file:
        file.write(tables)
    print(tables)
    for line in failures:
        print(f"run.py: {line}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
