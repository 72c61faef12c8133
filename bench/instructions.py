#!/usr/bin/env python3
"""Instructions, atomic read-modify-writes and fences per task on one thread, counted by callgrind: recursive Fibonacci and
n queens. Two sizes of the same program are compared, so that the start of the process does not count. x86-64 only."""
import argparse
import os
import re
import subprocess
import tempfile

import programs
from figures import OURS, STUB, digits, title
from report import table

RUNS = 4  # of a workload in one process: the warm-up and the least that the harness measures

# Program, sizes to compare, and what it counts at a size.
WORKLOADS = {"fib": ((18, 20), lambda n: 2 * fibonacci(n + 1) - 2), "nqueens": ((6, 7), lambda n: BOARDS[n])}
BOARDS = {6: 152, 7: 551}  # queens placed in all attempts

ATOMIC = re.compile(r"\block\s|\bxchg[bwlq]?\s.*\(")  # xchg with memory is locked without the prefix
FENCE = re.compile(r"\bmfence\b|\block or[lq]\s+\$0x0,[^,]*\(%rsp\)")


def fibonacci(n):
    now, after = 0, 1
    for _ in range(n):
        now, after = after, now + after
    return now


def special(path):
    """{address: "atomic" or "fence"} of an object's instructions that are one."""
    listing = subprocess.run(["objdump", "-d", "--no-show-raw-insn", path], capture_output=True, text=True, check=True)
    found = {}
    for line in listing.stdout.splitlines():
        address, colon, text = line.strip().partition(":\t")
        if colon and (FENCE.search(text) or ATOMIC.search(text)):
            found[int(address, 16)] = "fence" if FENCE.search(text) else "atomic"
    return found


def executed(profile):
    """{object: {address: times}} of a callgrind profile with uncompressed positions."""
    counts, where, skip = {}, None, False
    for line in profile:
        if line.startswith("ob="):
            where = counts.setdefault(line[3:].strip(), {})
        elif line.startswith("calls="):
            skip = True  # the next line is the callee's cost
        elif line.startswith("0x"):
            address, _, times = line.split()[:3]
            if not skip and where is not None:
                where[int(address, 16)] = where.get(int(address, 16), 0) + int(times)
            skip = False
    return counts


def count(command, environment, specials):
    """Totals of one process: {"all", "atomic", "fence"}."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["valgrind", "--tool=callgrind", "--dump-instr=yes", "--compress-pos=no", "--compress-strings=no",
                        f"--callgrind-out-file={folder}/profile", *command], env=environment, check=True,
                       capture_output=True)
        with open(f"{folder}/profile", encoding="utf8", errors="replace") as profile:
            found = executed(profile)
    total = {"all": 0, "atomic": 0, "fence": 0}
    for path, addresses in found.items():
        if os.path.exists(path) and path not in specials:
            specials[path] = special(path)
        for address, times in addresses.items():
            total["all"] += times
            kind = specials.get(path, {}).get(address)
            if kind:
                total[kind] += times
    return total


def per_task(path, name, environment, specials):
    (small, large), tasks = WORKLOADS[name]
    low, high = (count([path, "1", str(size)], environment, specials) for size in (small, large))
    return [(high[kind] - low[kind]) / RUNS / (tasks(large) - tasks(small)) for kind in ("all", "atomic", "fence")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", default=os.path.join(os.path.dirname(programs.__file__), "..", "build", "release"))
    parser.add_argument("--extra", action="append", default=[], metavar="NAME=LIBRARY")
    args = parser.parse_args()
    found, specials = programs.discover(os.path.abspath(args.build)), {}
    preloads = programs.preloads(os.path.abspath(args.build), None, args.extra)
    rows = []
    for workload in WORKLOADS:
        cases = [(name, preload, {}) for name, preload in preloads.items()]
        cases += [(name, preloads[base], settings) for name, (base, settings, _) in programs.SETTINGS.items()]
        for name, preload, settings in sorted(cases, key=lambda case: [STUB, OURS].index(case[0])
                                              if case[0] in (STUB, OURS) else 2):
            env = programs.environment(1, preload, **settings)
            numbers = per_task(found[workload]["omp"], workload, env, specials)
            rows.append([workload, title(name)] + [digits(number) if number >= 0.005 else "0" for number in numbers])
    print(table(["", "runtime", "instructions per task", "atomic read-modify-writes", "fences"], rows))


if __name__ == "__main__":
    main()
