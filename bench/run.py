#!/usr/bin/env python3
"""Runs the benchmark programs under several runtimes, interleaved, and compares them.

Says what it runs and how long the rest will take. Writes OUT.json (all samples), OUT.md (the tables of report.py) and
OUT-*.svg (the charts of charts.py; OUT-overview.svg is one for all), and prints the report's head. Exits with 1 if a program
failed or computed a wrong result, unless one of the peers served it.
"""
import argparse
import math
import os
import platform
import re
import signal
import subprocess
import sys
import time

import charts
import misses
import programs
import report
from figures import COMPILERS, NATIVE, PEERS, served

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TIMEOUT_S, QUICK_TIMEOUT_S = 120, 20  # of one process
QUICK_MINUTES = 4.5
OTHERS = [*PEERS, served("libomp", "clang"), *NATIVE[2:]]  # failures under them are reported, but are not ours
GRACE_S = 15  # a group that has begun may run on for so long
AGAIN_SHARE, AGAIN_MINUTES = 0.25, 5  # of --minutes, for --again; without a limit
TELL_S = 10  # where no terminal shows the progress, a line at most so often


def text_of(command):
    """ The output of a command, or an empty string if it cannot run."""
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return result.stdout.strip() if result.returncode == 0 else ""


def names(text):
    return text.split(",")


def compilers(text):
    if not set(names(text)) <= set(COMPILERS):
        raise ValueError
    return names(text)


def sizes(text):
    numbers = [int(number) for number in text.split(",")]
    if min(numbers) < 1:
        raise ValueError
    return numbers


def arguments(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"),
                        help="build folder (build/release)")
    parser.add_argument("--quick", action="store_true", help="a rough picture of everything in less than 5 minutes")
    parser.add_argument("--no-large", dest="large", action="store_false",
                        help="no arrays of 1e7 elements and more, no teams of 4000 (so does --quick)")
    parser.add_argument("--threads", type=sizes,
                        help="team sizes, separated by commas (1,2; a few workloads have their own)")
    parser.add_argument("--workloads", type=names, help="names, separated by commas (all that are built)")
    parser.add_argument("--runtimes", type=names,
                        help="of libgomp, libomp, blitz, stub, the extra ones, and serial, native, tbb, "
                        "rayon, libstdc++, separated by commas (all)")
    parser.add_argument("--compiler", type=compilers, help="whose OpenMP programs, of gcc, clang (gcc,clang)")
    parser.add_argument("--extra", action="append", default=[], metavar="NAME=LIBRARY",
                        help="one more OpenMP runtime to preload, such as another build of Blitz; may be repeated")
    parser.add_argument("--rounds", type=int, help="times that everything is run (9; quick: 5)")
    parser.add_argument("--ms", type=int, help="milliseconds per measurement and process (100; quick: 30)")
    parser.add_argument("--minutes", type=float,
                        help="begin nothing that is not expected to end by then (no limit; quick: 4.5)")
    parser.add_argument("--again", type=float, metavar="MINUTES",
                        help="of these: rows that miss a goal by more than their spread are measured again, alone "
                        "(a quarter of --minutes; without it, 5; 0: none)")
    parser.add_argument("--libomp", help="LLVM's runtime (the newest /usr/lib/llvm-*/lib/libomp.so.5)")
    parser.add_argument("--out", help="prefix of the files that are written (BUILD/bench/results)")
    args = parser.parse_args(argv)
    args.rounds = args.rounds or (5 if args.quick else 9)
    args.ms = args.ms or (30 if args.quick else 100)
    args.minutes = args.minutes or (QUICK_MINUTES if args.quick else None)
    if args.again is None:
        args.again = args.minutes * AGAIN_SHARE if args.minutes else AGAIN_MINUTES
    if args.again < 0 or args.minutes and args.again >= args.minutes:
        parser.error(f"--again: {args.again:g} minutes are not 0 or more, and less than those of --minutes")
    args.large = args.large and not args.quick
    args.timeout = QUICK_TIMEOUT_S if args.quick else TIMEOUT_S
    args.out = args.out or os.path.join(args.build, "bench", "results")
    return args


class Schedule:
    """ The order of groups, and which get the time if it is short: first each has one round; in later ones the cheap
    groups come first, and groups that would not end in time are left out."""

    def __init__(self, groups, rounds, limit_s=None, clock=time.monotonic):
        self.groups, self.rounds, self.limit_s, self.clock = groups, rounds, limit_s, clock
        self.asked = [min(rounds, group[0].rounds or rounds) for group in groups]
        self.costs = [0.0] * len(groups)
        self.done = [0] * len(groups)
        self.begin = self.start = clock()  # of all, and of the group that is being run

    def __iter__(self):
        """(round, group) in turn; the time until the next one is asked for is the group's."""
        self.begin = self.clock()
        for turn in range(self.rounds):
            order = list(range(len(self.groups)))
            if turn > 0 and self.limit_s:
                order.sort(key=lambda i: self.costs[i])
            for i in order:
                self.start = self.clock()
                if turn >= self.asked[i]:
                    continue
                if self.limit_s and self.spent_s() + self.costs[i] > self.limit_s:
                    continue
                yield turn, self.groups[i]
                self.costs[i] = self.clock() - self.start
                self.done[i] += 1

    def described(self, turn):
        return f"round {turn + 1} of {self.rounds}"

    def spent_s(self):
        return self.clock() - self.begin

    def left_s(self):
        """The seconds that the rest is expected to take: each round of a group as long as its last one, and a first one as
        long as the others' mean. None where nothing is known yet."""
        known = [cost for cost, done in zip(self.costs, self.done) if done]
        if not known:
            return self.limit_s
        mean = sum(known) / len(known)
        rounds = sum((asked - done) * (cost if done else mean)
                     for asked, done, cost in zip(self.asked, self.done, self.costs))
        left = max(rounds - (self.clock() - self.start), 0.0)
        return min(left, max(self.limit_s - self.spent_s(), 0.0)) if self.limit_s else left

    def shortened(self):
        """A line for each number of rounds below what was asked for, with the groups that had so many."""
        lines = {}
        for group, count, asked in zip(self.groups, self.done, self.asked):
            if count < asked:
                threads = max(run.threads for run in group)
                what = group[0].workload + (", large" if group[0].rounds else "")
                lines.setdefault((count, asked), {}).setdefault(what, []).append(str(threads))
        return [(f"{count} of {asked} rounds: " if count else "left out: ") +
                ", ".join(f"{what} ({', '.join(sizes)})" for what, sizes in groups.items())
                for (count, asked), groups in sorted(lines.items())]


def duration(seconds):
    """45 s, 3:05 min."""
    seconds = round(seconds)
    return f"{seconds} s" if seconds < 60 else f"{seconds // 60}:{seconds % 60:02} min"


class Progress:
    """Says which program runs and how long the rest will take: on a terminal in a line that each program rewrites, elsewhere
    in a line every TELL_S seconds."""

    def __init__(self, schedule, out, clock=time.monotonic):
        self.schedule, self.out, self.clock = schedule, out, clock
        self.terminal, self.reported = out.isatty(), -math.inf

    def show(self, turn, one):
        if not self.terminal and self.clock() - self.reported < TELL_S:
            return
        self.reported = self.clock()
        left = self.schedule.left_s()
        text = (f"{self.schedule.described(turn)}: {one.workload}, {one.threads} "
                f"thread{'s' if one.threads > 1 else ''}, {one.runtime}; {duration(self.schedule.spent_s())} gone, " +
                ("time left not known yet" if left is None else f"about {duration(left)} left"))
        print(f"\r\033[Krun.py: {text}" if self.terminal else f"run.py: {text}", end="" if self.terminal else "\n",
              file=self.out, flush=True)

    def end(self):
        if self.terminal:
            print("\r\033[K", end="", file=self.out, flush=True)


def others_runnable():
    """How many threads but this one want a CPU now; None where the kernel does not say."""
    try:
        with open("/proc/loadavg", encoding="ascii") as file:
            return max(int(file.read().split()[3].split("/")[0]) - 1, 0)
    except (OSError, IndexError, ValueError):
        return None


def in_turn(group, turn):
    """Nobody is always first."""
    first = turn % len(group)
    return group[first:] + group[:first]


def run_process(command, environment, timeout, cwd=None):
    """(exit status, or None after the timeout; output; errors)."""
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          errors="replace", cwd=cwd, start_new_session=True) as process:
        try:
            output, errors = process.communicate(timeout=timeout)
            return process.returncode, output, errors
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # and the processes that it made
            return None, *process.communicate()


def measure(run, turn, timeout, result):
    """ Runs a program and adds a sample for each line "name value unit". Lines before a crash or a stop count, lines of
    a program with a wrong result do not. "core" is for the next program: harness.h."""
    label = f"{run.workload} under {run.runtime}, {run.threads} thread" + ("s" if run.threads > 1 else "")
    core = {"HARNESS_CORE_NS": str(result["core_ns"])} if result.get("core_ns") else {}
    begin = time.monotonic()
    status, output, errors = run_process(run.command, {**run.environment, **core}, timeout)
    run = run._replace(seconds=time.monotonic() - begin)
    lines = re.findall(r"^(\S+) ([0-9.e+-]+) (\w+)$", output, re.MULTILINE)
    shared = re.findall(r"^shared (\S+)$", output, re.MULTILINE)
    if status is None:
        failure = f"{label}: no end after {timeout:.3g} s"
    elif status != 0 or not lines:
        failure = f"{label}: exit status {status}" + (f": {errors.strip()[-300:]}" if errors.strip() else "")
    else:
        failure = None
    if failure:
        result["peers_failed" if run.runtime in OTHERS else "failed"].append(failure)
    for name, value, unit in lines if status in (0, None) or status < 0 else []:
        if name == "core":
            result["core_ns"] = min(float(value), result.get("core_ns") or math.inf)
            continue
        name = f"{run.workload}.peak" if name == "peak" else name
        result["samples"].append({
            "workload": run.workload, "runtime": run.runtime, "threads": run.threads, "round": turn, "name": name,
            "value": float(value), "unit": unit, "shared": name.removesuffix(".cpu") in shared})
        result.setdefault("runs", {})[name, run.threads, run.runtime] = run


def compiler_of(path):
    """ The compiler's record of itself in a program."""
    found = re.search(r"clang version [\w.]+", text_of(["readelf", "--string-dump=.comment", path]))
    return found[0] if found else "clang"


def facts(args, tables, found):
    """ The conditions of the figures."""
    clang = [compiler_of(variants["omp_clang"]) for variants in found.values() if "omp_clang" in variants][:1]
    with open("/proc/cpuinfo", encoding="utf8") as cpuinfo:
        cpu = re.search(r"^model name\s*:\s*(.*)$", cpuinfo.read(), re.MULTILINE)
    return {
        "command": " ".join(["bench/run.py"] + sys.argv[1:]),
        "date": time.strftime("%Y-%m-%d %H:%M:%S"),
        "machine": cpu[1] if cpu else platform.machine(),
        "cpus": len(os.sched_getaffinity(0)),
        "kernel": platform.release(),
        "compiler": ", ".join([text_of(["gcc", "--version"]).split("\n", maxsplit=1)[0], *clang]),
        "commit": text_of(["git", "-C", ROOT, "describe", "--always", "--dirty", "--exclude=*"]),
        "runtimes": {served(name, compiler): os.path.realpath(preload) if preload else "as linked"
                     for compiler, table in tables.items() for name, preload in table.items()},
        "ms": args.ms,
    }


def write(path, text):
    with open(path, "w", encoding="utf8") as file:
        file.write(text)


def main():
    args = arguments()
    found = programs.discover(args.build)
    tables = programs.preloads(args.build, args.libomp, args.extra)
    known = {*tables["gcc"], *programs.SETTINGS, *programs.VARIANTS.values()}
    for name in args.workloads or []:
        if name not in found:
            programs.fail(f"--workloads: '{name}' is none of {', '.join(found)}")
    for name in args.runtimes or []:
        if name not in known:
            programs.fail(f"--runtimes: '{name}' is none of {', '.join(sorted(known))}")
    wanted = programs.Selection(args.workloads, args.runtimes, args.compiler, args.threads, args.ms, args.large)
    left_out = programs.left_out(found, tables, wanted) + programs.not_built(found, tables, wanted)
    for line in left_out:
        print(f"run.py: {line}", file=sys.stderr)
    print("run.py: asking the dynamic linker who serves each program", file=sys.stderr)
    limit_s = args.minutes and (args.minutes - args.again) * 60
    schedule = Schedule(programs.groups(found, tables, wanted), args.rounds, limit_s)
    result = {"facts": facts(args, tables, found), "samples": [], "failed": [], "peers_failed": []}
    load, cpus = os.getloadavg()[0], result["facts"]["cpus"]
    if load > cpus:
        print(f"run.py: the load is {load:.1f} on {cpus} CPUs; unless it falls nothing will be judged", file=sys.stderr)
    cut, others = run_all(schedule, args, result)
    shared = sum(one["shared"] for one in result["samples"]) / max(len(result["samples"]), 1)
    result["facts"].update({
        "shared_percent": round(100 * shared), "rounds": args.rounds, "seconds": round(schedule.spent_s()),
        "load": [load, os.getloadavg()[0]], "others": others})
    measure_again(args, result, schedule.spent_s())
    result["facts"].update({
        "shortened": schedule.shortened() + cut, "left_out": left_out,
        "failed": list(dict.fromkeys(result["failed"])), "peers_failed": list(dict.fromkeys(result["peers_failed"]))})
    return write_all(args, result)


def write_all(args, result):
    """Writes the files, and says what is in them. Returns the exit status."""
    os.makedirs(os.path.dirname(os.path.abspath(args.out)), exist_ok=True)
    report.save(args.out + ".json", result)
    drawn = charts.write_all(result, args.out)
    write(args.out + ".md", report.markdown(result))
    print(report.summary(result))
    for line in result["facts"]["failed"] + result["facts"]["peers_failed"]:
        print(f"run.py: {line}", file=sys.stderr)
    print(f"run.py: all rows: {args.out}.md; the samples: {args.out}.json", file=sys.stderr)
    for name in [name for name in drawn if name == args.out + "-overview.svg"]:
        print(f"run.py: the picture of it: {name}; charts of all rows beside it: {len(drawn) - 1}", file=sys.stderr)
    return 1 if result["failed"] else 0


def run_all(schedule, args, result):
    """Runs the groups, and adds their samples. Returns what was cut off at the end, a line each, and how many threads of
    others wanted a CPU meanwhile, on average."""
    cut, beside, progress = [], [], Progress(schedule, sys.stderr)
    deadline = time.monotonic() + (math.inf if schedule.limit_s is None else schedule.limit_s + GRACE_S)
    for turn, group in schedule:
        for run in in_turn(group, turn):
            left = deadline - time.monotonic()
            if left <= 0:
                cut.append(f"{run.workload} under {run.runtime}, {run.threads} threads: left out of round {turn + 1}")
                continue
            progress.show(turn, run)
            beside.append(others_runnable())
            measure(run, turn, min(args.timeout, max(left, 1)), result)
    progress.end()
    beside = [count for count in beside if count is not None]
    return cut, round(sum(beside) / len(beside), 2) if beside else None


def measure_again(args, result, spent_s):
    """Measures the rows that miss a goal again, unless nothing is judged, and adds the samples as "again": none where others
    took the CPUs meanwhile. `spent_s`: the seconds that are gone of --minutes."""
    groups = misses.groups(result) if args.again and not report.unjudged(result) else []
    if not groups:
        return
    second = {**result, "samples": []}  # with the lists of what failed
    limit_s = min(args.again, args.minutes - spent_s / 60 if args.minutes else math.inf) * 60
    schedule = misses.Schedule(groups, limit_s, second["samples"], result["facts"]["shared_percent"] / 100)
    _, others = run_all(schedule, args, second)
    reason = report.unjudged({**second, "facts": {**result["facts"], "others": others}})
    if reason:
        print(f"run.py: what was measured again does not count. {reason}", file=sys.stderr)
    result["again"] = [] if reason else misses.complete(second["samples"], groups)
    result["facts"]["seconds"] += round(schedule.spent_s())


if __name__ == "__main__":
    sys.exit(main())
