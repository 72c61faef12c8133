#!/usr/bin/env python3
"""Line transfers per operation, by a model of a machine with many cores: each operation of operations.c runs under qemu with
machine.c, for each runtime, team size and number of sockets. Prints tables; --where says which code the transfers are of.
README.md says what is modelled."""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
from typing import NamedTuple

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import programs  # noqa: E402
from figures import OURS, title  # noqa: E402
from report import table  # noqa: E402

CYCLES_PER_NS = 3


class Case(NamedTuple):
    operation: str
    runtime: str
    threads: int
    sockets: int


def parse(text):
    """({name: number}, [transfers of a line, most first], [(transfers, file, address)]) of what machine.c wrote."""
    numbers, lines, sites = {}, [], []
    for row in text.splitlines():
        name, *values = row.split(" ")
        if name == "line":
            lines.append(int(values[0]))
        elif name == "site":
            sites.append((int(values[0]), " ".join(values[1:-1]), int(values[-1], 16)))
        else:
            numbers[name] = int(values[0])
    return numbers, lines, sites


def command(args, case, library, out):
    words = ["taskset", "-c", str(args.cpu)] if args.cpu is not None else []
    words += [args.qemu, "-plugin", f"{args.machine},cores={case.threads},sockets={case.sockets},out={out}"]
    words += ["-U", "LD_PRELOAD"] + (["-E", f"LD_PRELOAD={library}"] if library else [])
    return words + [args.program, case.operation, str(args.times)]


def run(args, case, library):
    """ The counts, with "operations"; or a string with the error."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        env = programs.environment(case.threads, args.machine, OMP_WAIT_POLICY="active", OMP_DYNAMIC="false")
        try:
            done = subprocess.run(command(args, case, library, out), env=env, capture_output=True, text=True,
                                  timeout=args.limit, check=False)
        except subprocess.TimeoutExpired:
            return f"more than {args.limit} s"
        if done.returncode != 0 or not os.path.exists(out):
            return f"exit status {done.returncode}: {done.stderr.strip()[-300:]}"
        with open(out, encoding="utf8") as file:
            numbers, lines, sites = parse(file.read())
    numbers["operations"] = int(done.stdout)
    numbers["hottest"] = max(lines, default=0)
    return numbers, lines, sites


def per_operation(numbers, name):
    return numbers[name] / numbers["operations"]


def short(number):
    return f"{number:.2g}" if number < 10 else f"{number:.0f}"


def cell(case, found):
    """Transfers of one operation; of them those of the line that has most, or with several sockets those between them."""
    if isinstance(found, str):
        return "-"
    part = "hottest" if case.sockets == 1 else "far"
    return f"{short(per_operation(found[0], 'transfers'))} ({short(per_operation(found[0], part))})"


def names_of(sites):
    """[(transfers, function, place)] by addr2line."""
    named = []
    for transfers, path, address in sites:
        name, place = "?", f"{os.path.basename(path)}+{address:#x}"
        if os.path.exists(path):
            text = subprocess.run(["addr2line", "-f", "-i", "-s", "-e", path, hex(address)], capture_output=True,
                                  text=True, check=False).stdout.splitlines()
            if len(text) >= 2:
                name = " < ".join(text[0::2][:3])
                place = text[1] if not text[1].startswith("?") else place
        named.append((transfers, name, place))
    return named


def print_where(case, found):
    numbers, lines, sites = found
    print(f"\n{case.operation}, {title(case.runtime)}, {case.threads} threads, {case.sockets} sockets, per operation:")
    print(", ".join(f"{short(per_operation(numbers, name))} {name}" for name in numbers if name != "operations"))
    print("lines:", ", ".join(short(count / numbers["operations"]) for count in lines))
    for transfers, name, place in names_of(sites):
        print(f"{transfers / numbers['operations']:10.3f}  {name}  {place}")


def listed(program):
    """{operation: what is counted}"""
    text = subprocess.run([program, "list"], capture_output=True, text=True, check=True).stdout
    return dict(row.split(": ") for row in text.splitlines())


def numbers_of(text):
    return [int(word) for word in text.split(",")]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", default=os.path.join(HERE, "..", "..", "build", "release"))
    parser.add_argument("--operations", help="some, with commas; else all")
    parser.add_argument("--threads", type=numbers_of, default=[2, 4, 8, 16, 32, 64, 128])
    parser.add_argument("--sockets", type=numbers_of, default=[1, 2])
    parser.add_argument("--runtimes", help="of libgomp, blitz and the names of --extra; else all")
    parser.add_argument("--extra", action="append", default=[], metavar="NAME=LIBRARY", help="one more library")
    parser.add_argument("--times", type=int, default=0, help="operations of a thread; else as operations.c says")
    parser.add_argument("--limit", type=int, default=120, help="seconds that a run may take")
    parser.add_argument("--jobs", type=int, default=1, help="runs at the same time")
    parser.add_argument("--cpu", type=int, help="the CPU to run on: a run uses one at a time, and is faster on one")
    parser.add_argument("--qemu", default="qemu-" + re.sub("amd64", "x86_64", os.uname().machine))
    parser.add_argument("--where", action="store_true", help="print the code of the transfers, too")
    args = parser.parse_args()
    args.build = os.path.abspath(args.build)
    args.machine = os.path.join(args.build, "bench", "liblines_machine.so")
    args.program = os.path.join(args.build, "bench", "lines_operations")
    return args


def libraries(args):
    """{runtime: library to preload}"""
    found = {"libgomp": None, OURS: os.path.join(args.build, "lib", "libblitz-omp.so")}
    found.update(one.split("=", 1) for one in args.extra)
    if args.runtimes:
        found = {name: found[name] for name in args.runtimes.split(",")}
    for name, library in found.items():
        programs.check_served(args.program, "gcc", name if name == "libgomp" else OURS, library)
    return found


def main():
    args = arguments()
    counted, found = listed(args.program), libraries(args)
    operations = args.operations.split(",") if args.operations else list(counted)
    cases = [Case(operation, runtime, threads, sockets) for operation in operations for sockets in args.sockets
             for threads in args.threads for runtime in found]
    results = {}
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as executor:
        running = {executor.submit(run, args, case, found[case.runtime]): case for case in cases}
        for future in concurrent.futures.as_completed(running):
            case = running[future]
            results[case] = future.result()
            said = results[case] if isinstance(results[case], str) else cell(case, results[case])
            print(*case, said, sep=", ", file=sys.stderr)
    for sockets in args.sockets:
        rows = [[f"{operation}: {counted[operation]}", title(runtime)] +
                [cell(case, results[case])
                 for case in (Case(operation, runtime, threads, sockets) for threads in args.threads)]
                for operation in operations for runtime in found]
        print(f"\n{sockets} socket{'s' if sockets > 1 else ''}\n")
        print(table(["", "runtime"] + [str(threads) for threads in args.threads], rows))
    for case in cases if args.where else []:
        if not isinstance(results[case], str):
            print_where(case, results[case])
    failed = [case for case in cases if case.runtime != "libgomp" and isinstance(results[case], str)]
    sys.exit(f"count.py: {len(failed)} runs have failed" if failed else 0)


if __name__ == "__main__":
    main()
