#!/usr/bin/env python3
"""What a runtime costs a process that hardly uses it, as a table: the size of its file; memory, instructions and time of a
program that only links it, and of one with a single region of two threads.

    cmake --preset release -DBLITZ_OLD_LIBC=OFF && ninja -C build/release   # as packages are built
    python3 bench/startup/weigh.py --extra before=/elsewhere/libgomp.so.1

Each runtime, stripped, serves the same program of gcc, as libgomp.so.1 in a folder of its own; `none` is that program
without OpenMP. Memory is the median of 21 processes; instructions, by callgrind, of 5; time that of 200 processes one after
the other: 20 times the lower quartile of 100 rounds of ten, in which all take turns in an order that moves on. Times need a
quiet machine with two CPUs."""
import argparse
import glob
import os
import re
import statistics
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
BLITZ = os.path.join(HERE, "../../build/release/lib/blitz/libgomp.so.1")
MODES = {"empty": "links it", "region": "one region"}
PROCESSES, AT_ONCE, ROUNDS = 200, 10, 100


def output(*command, **more):
    return subprocess.run(command, check=True, capture_output=True, text=True, **more)


def callgrind(*command, **more):
    said = output("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command, **more).stderr
    return int(re.search(r"Collected : (\d+)", said)[1])


class Runtime:
    """ One that serves a program; path None: the program has no runtime."""

    def __init__(self, name, path, folder):
        self.name, self.path, self.folder = name, path, os.path.join(folder, name)
        self.program = os.path.join(folder, "weigh" if path else "weigh_none")
        self.environment = {"LD_LIBRARY_PATH": self.folder, "OMP_NUM_THREADS": "2"}
        os.mkdir(self.folder)
        self.copy = os.path.join(self.folder, "libgomp.so.1")
        if path:
            output("strip", "-o", self.copy, path)

    def run(self, *arguments):
        return output(self.program, *arguments, env=self.environment).stdout.split()

    def relocations(self):
        return len(re.findall(r"\bR_[A-Z0-9_]+", output("readelf", "-rW", self.copy).stdout))

    def memory(self, mode):
        """Resident KiB, and those of them that no other process shares."""
        seen = [[int(word) for word in self.run(mode, "memory")] for _ in range(21)]
        return [statistics.median(column) for column in zip(*seen)]

    def instructions(self, mode):
        return statistics.median(callgrind(self.program, mode, env=self.environment) for _ in range(5))

    def milliseconds(self, mode):
        return float(self.run("times", str(AT_ONCE), mode)[0]) * PROCESSES / AT_ONCE


def build(folder):
    source, flags = os.path.join(HERE, "weigh.c"), ["-O2", "-w"]
    output("gcc", *flags, "-fopenmp", source, "-o", os.path.join(folder, "weigh"))
    output("gcc", *flags, source, "-o", os.path.join(folder, "weigh_none"))


def figures(runtime, milliseconds):
    rows = {"bytes, stripped": os.path.getsize(runtime.copy) if runtime.path else None,
            "relocations": runtime.relocations() if runtime.path else None}
    for mode, title in MODES.items():
        resident, own = runtime.memory(mode)
        rows[f"{title}: resident KiB"] = resident
        rows[f"{title}: of its own, KiB"] = own
        rows[f"{title}: instructions / 1000"] = runtime.instructions(mode) / 1000
        rows[f"{title}: {PROCESSES} processes, ms"] = milliseconds[mode]
    return rows


def measure(runtimes):
    """{runtime's name: {mode: ms}}."""
    turns = [(runtime, mode) for runtime in runtimes for mode in MODES]
    times = {runtime.name: {mode: [] for mode in MODES} for runtime in runtimes}
    for first in range(ROUNDS):
        for i in range(len(turns)):
            runtime, mode = turns[(first * 3 + i) % len(turns)]
            times[runtime.name][mode].append(runtime.milliseconds(mode))
    return {name: {mode: statistics.quantiles(seen, n=4)[0] for mode, seen in modes.items()}
            for name, modes in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--blitz", default=BLITZ, help="our libgomp.so.1; else that of build/release")
    parser.add_argument("--extra", action="append", default=[], metavar="NAME=FILE", help="one more runtime")
    args = parser.parse_args()
    libomp = sorted(glob.glob("/usr/lib/llvm-*/lib/libomp.so.5"))
    files = {"none": None, "Blitz": args.blitz, **dict(extra.split("=", 1) for extra in args.extra),
             "libgomp": output("gcc", "-print-file-name=libgomp.so.1").stdout.strip()}
    if libomp:
        files["libomp"] = libomp[-1]
    with tempfile.TemporaryDirectory() as folder:
        build(folder)
        runtimes = [Runtime(name, path, folder) for name, path in files.items()]
        os.sync()  # pages that are not written yet count as a process's own
        times = measure(runtimes)
        columns = [figures(runtime, times[runtime.name]) for runtime in runtimes]
    print("| |" + "".join(f" {runtime.name} |" for runtime in runtimes))
    print("|---|" + "---:|" * len(runtimes))
    for row in columns[0]:
        print(f"| {row} |" + "".join(" |" if column[row] is None else f" {column[row]:.0f} |" for column in columns))


if __name__ == "__main__":
    main()
