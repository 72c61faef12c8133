#!/usr/bin/env python3
"""Runs GCC's own libgomp test programs under libgomp and under Blitz, and reports where Blitz differs.

tests/README.md says how a program is judged.
Exit status: 0 in order, 1 a program fails under Blitz, 77 the programs are not here.
"""
import argparse
import concurrent.futures
import os
import pathlib
import sys
import time

sys.dont_write_bytecode = True
import programs  # noqa: E402 (must not leave a __pycache__ in the sources)

HERE = pathlib.Path(__file__).resolve().parent
NOT_HERE = 77


class Tally:
    """ The results of the programs, in the order of the report."""

    def __init__(self):
        self.passed, self.runs, self.built = [], 0, []
        self.skipped, self.not_comparable, self.late, self.known, self.failed = {}, {}, {}, {}, {}

    def print(self, seconds):
        for title, found in (
            ("Skipped", self.skipped),
            ("Not comparable, since they fail without Blitz", self.not_comparable),
            ("NOT RUN, since the budget was used up", self.late),
            ("Known differences", self.known),
            ("FAILED under Blitz", self.failed),
        ):
            if found:
                print(f"\n{title}: {len(found)}")
                for name, why in sorted(found.items()):
                    print(f"  {name}: {why}")
        print(
            f"\n{len(self.passed)} programs pass ({self.runs} runs under Blitz), {len(self.failed)} fail,"
            f" {len(self.known)} known to differ, {len(self.not_comparable)} not comparable,"
            f" {len(self.built)} only built, {len(self.skipped)} skipped, {len(self.late)} not run; {seconds:.0f} s"
        )


def read_known():
    """known.txt: NAME | reason"""
    known = {}
    for line in (HERE / "known.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, reason = line.split("|", 1)
            known[name.strip()] = reason.strip()
    return known


def examine(program, options, ways):
    """Builds and runs one program; returns the name of a list of Tally, why, and the number of runs under Blitz."""
    plan = program.plan
    if plan.skip:
        return "skipped", plan.skip, 0
    if plan.action == "compile" or plan.action == "preprocess" or plan.action == "assemble":
        return "skipped", "checks only the compiler", 0
    if time.monotonic() > options.until:
        return "late", f"its turn came after {options.budget:.0f} s", 0
    problem = program.build()
    if problem:
        return "not_comparable", f"does not build: {problem}", 0
    if plan.action != "run":
        return "built", None, 0

    threads = ["default"] if "OMP_NUM_THREADS" in plan.environment else options.threads
    bad, runs, incomparable = {}, 0, []
    for count in threads:
        environment = options.env | ({} if count == "default" else {"OMP_NUM_THREADS": count})
        why = program.run_libgomp(environment, options.limit)
        if why:
            incomparable.append(why + ("" if count == "default" else f" ({count} threads)"))
            continue
        for way in ways:
            for _ in range(options.repeat):
                why, output = program.run(ways[way] | environment, options.limit)
                runs += 1
                if why:
                    last = output.strip().splitlines()[-1:]
                    why += f" [{last[0][:160]}]" if last else ""
                    bad.setdefault(why, []).append(way + ("" if count == "default" else f" {count} threads"))
                    break
    if bad:
        return "failed", "; ".join(f"{why} ({', '.join(where)})" for why, where in bad.items()), runs
    if incomparable and not runs:
        return "not_comparable", "; ".join(incomparable), 0
    return "passed", None, runs


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("pattern", nargs="*", help="run only programs whose name contains this, or matches it as a glob")
    add("--gcc", metavar="VERSION", help="programs of gcc-VERSION-source, by gcc-VERSION (12's, by gcc)")
    add("--build", default=HERE.parents[1] / "build/ci", type=pathlib.Path, help="build tree with Blitz (build/ci)")
    add("--work", type=pathlib.Path, help="where the programs are unpacked and built (below --build)")
    add("--first", default="", help="libraries to load before Blitz: the runtime of the sanitizer that it is built with")
    add("--sets", default=",".join(programs.SETS), help="any of " + ",".join(programs.SETS) + " (all)")
    add("--threads", default="default", help="values of OMP_NUM_THREADS, by commas; default leaves it unset")
    add("--env", default=[], action="append", metavar="NAME=VALUE", help="for every program that does not set it itself")
    add("--optimize", default="-O2", help="for programs that do not say how they are built (-O2)")
    add("--repeat", default=1, type=int, help="runs in a row of each kind (1)")
    add("--ways", default="preload,folder", help="how Blitz serves the programs (preload,folder)")
    add("--limit", default=60, type=float, help="seconds that a run may take (60)")
    add("--budget", default=float("inf"), type=float, help="seconds after which no more programs are begun (no limit)")
    add("--jobs", default=len(os.sched_getaffinity(0)), type=int, help="programs at a time (CPUs)")
    add("--list", action="store_true", help="only say what would be run")
    options = parser.parse_args()
    options.until = time.monotonic() + options.budget
    options.threads = options.threads.split(",")
    options.env = dict(setting.split("=", 1) for setting in options.env)
    options.build = options.build.resolve()
    options.work = (options.work or options.build / "tests/conformance").resolve()
    return options


def main():
    options = parse()
    start = time.monotonic()
    preload = options.build / "lib/libblitz-omp.so"
    folder = options.build / "lib/blitz"
    for library in (preload, folder / "libgomp.so.1"):
        if not library.exists():
            sys.exit(f"no {library}: build Blitz first, or name its build tree with --build")
    ways = {
        "preload": {"LD_PRELOAD": f"{options.first} {preload}"},
        "folder": {"LD_PRELOAD": options.first, "LD_LIBRARY_PATH": str(folder)},
    }
    ways = {way: ways[way] for way in options.ways.split(",")}

    archive = programs.find_archive(options.gcc or "12")
    if not archive:
        print(f"skipped: no package gcc-{options.gcc or '12'}-source, so GCC's test programs are not here")
        return NOT_HERE
    sources = programs.extract(archive, options.work)
    suffix = f"-{options.gcc}" if options.gcc else ""
    chosen = [
        program
        for name in options.sets.split(",")
        for program in programs.find(name, sources, options.work, options.optimize, suffix)
        if program.matches(options.pattern)
    ]
    if options.list:
        for program in chosen:
            print(program.name, *([f"({program.plan.skip})"] if program.plan.skip else []))
        return 0

    known = read_known()
    tally = Tally()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        pending = {pool.submit(examine, program, options, ways): program for program in chosen}
        for future in concurrent.futures.as_completed(pending):
            name = pending[future].name
            kind, why, runs = future.result()
            tally.runs += runs
            if kind == "failed":
                print(f"{name}: {why}", flush=True)
            if name in known:
                passes = " (it PASSES now: take it from the list)" if kind == "passed" else ""
                tally.known[name] = known[name] + passes
            elif kind in ("passed", "built"):
                getattr(tally, kind).append(name)
            else:
                getattr(tally, kind)[name] = why
    tally.print(time.monotonic() - start)
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
