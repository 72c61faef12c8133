#!/usr/bin/env python3
"""Instructions, atomic read-modify-writes and fences per task on one thread, counted by callgrind: recursive Fibonacci and
n queens; with --constructs, instructions per construct. Two sizes of the same program are compared, so that the start of
the process does not count. x86-64 only."""
import argparse
import os
import re
import subprocess
import sys
import tempfile

import programs
from figures import OURS, STUB, digits, served, title
from report import table

TIMES = (200, 2200)  # that constructs are done

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


def totals(command, environment):
    """Instructions of one process."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/profile", *command],
                       env=environment, check=True, capture_output=True)
        with open(f"{folder}/profile", encoding="utf8", errors="replace") as profile:
            return int(re.search(r"^totals: (\d+)", profile.read(), re.MULTILINE)[1])


def per_construct(path, name, environment, threads):
    low, high = (totals([path, name, str(times)], environment) for times in TIMES)
    return (high - low) / (TIMES[1] - TIMES[0]) / threads


def construct_table(args, tables):
    """A column for each runtime of each compiler's program."""
    columns = []
    for variant, compiler in programs.BUILT_BY.items():
        path = os.path.join(args.build, "bench", f"bench_constructs_{variant}")
        if os.path.exists(path):
            columns += [(served(name, compiler), path, programs.environment(args.threads, preload))
                        for name, preload in tables[compiler].items() if name != STUB]
    listed = subprocess.run([columns[0][1], "list"], capture_output=True, text=True, check=True).stdout.splitlines()
    rows = []
    for name in args.constructs.split(",") if args.constructs != "all" else listed:
        rows.append([name] + [digits(per_construct(path, name, env, args.threads)) for _, path, env in columns])
        print(*rows[-1], sep=", ", file=sys.stderr)
    return table(["instructions"] + [title(runtime) for runtime, *_ in columns], rows)


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


def cases(table, compiler):
    """(name, library to preload, settings), the stub and ours first."""
    order = sorted(table, key=lambda name: [STUB, OURS].index(name) if name in (STUB, OURS) else 2)
    found = [(served(name, compiler), table[name], {}) for name in order]
    if compiler == "gcc":
        found += [(name, table[base], settings) for name, (base, settings, _) in programs.SETTINGS.items()]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", default=os.path.join(os.path.dirname(programs.__file__), "..", "build", "release"))
    parser.add_argument("--extra", action="append", default=[], metavar="NAME=LIBRARY")
    parser.add_argument("--constructs", nargs="?", const="all", metavar="NAMES", help="count constructs, all or some")
    parser.add_argument("--threads", type=int, default=1, help="for --constructs: more than 1 counts their waits, too")
    args = parser.parse_args()
    args.build = os.path.abspath(args.build)
    tables = programs.preloads(args.build, None, args.extra)
    if args.constructs:
        print(construct_table(args, tables))
        return
    found, specials, rows = programs.discover(args.build), {}, []
    for workload in WORKLOADS:
        for variant, compiler in programs.BUILT_BY.items():
            if variant not in found[workload]:
                continue
            for name, preload, settings in cases(tables[compiler], compiler):
                env = programs.environment(1, preload, **settings)
                numbers = per_task(found[workload][variant], workload, env, specials)
                rows.append([workload, title(name)] + [digits(number) if number >= 0.005 else "0" for number in numbers])
    print(table(["", "runtime", "instructions per task", "atomic read-modify-writes", "fences"], rows))


if __name__ == "__main__":
    main()
