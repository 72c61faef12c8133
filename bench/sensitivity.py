#!/usr/bin/env python3
""" The effect of a constant of the tree on this machine: rows with it at half and at twice its value.

    python3 bench/sensitivity.py --constant BZ_POLLS --constant BZ_MEETINGS 'build/release/bench/bench_sync_omp 50'

Builds the library with each constant changed, below build/sensitivity. Then it runs the commands with these and with
the unchanged one in turns, and prints the medians of the rounds' ratios. A row that differs by more than 10 % is
marked: the constant decides it. A constant without such a row can go.
"""
import argparse
import collections
import os
import pathlib
import re
import statistics
import subprocess
import sys

from figures import parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADERS = ["src/wait/policy.h", "src/wait/placement.h", "src/base/config.h"]


def changed(name, factor):
    """The header that defines the constant, and its text with the value times the factor, an integer from 1 on."""
    pattern = re.compile(rf"^#define {name} (\d+)$", re.M)
    for header in HEADERS:
        text = (ROOT / header).read_text()
        if found := pattern.search(text):
            value = max(1, int(int(found[1]) * factor))
            return header, pattern.sub(f"#define {name} {value}", text)
    sys.exit(f"sensitivity.py: no header defines {name} as a number")


def build(label, name=None, factor=1):
    """The folder of the library that replaces libgomp, with the constant changed. gcc finds the changed header first."""
    folder = ROOT / "build" / "sensitivity" / label
    flags = ""
    if name:
        header, text = changed(name, factor)
        copy = folder / "changed" / pathlib.Path(header).relative_to("src")
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text)
        flags = f"-iquote {folder / 'changed'}"
    subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                    "-DBLITZ_TESTS=OFF", "-DBLITZ_BENCH=OFF", f"-DCMAKE_C_FLAGS={flags}"],
                   check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", folder, "--target", "blitz_gomp"], check=True, stdout=subprocess.DEVNULL)
    return folder / "lib" / "blitz"


def figures(command, folder):
    """name -> value of the lines `NAME VALUE UNIT` that it writes."""
    env = dict(os.environ, LD_LIBRARY_PATH=str(folder))
    run = subprocess.run(command, shell=True, env=env, capture_output=True, text=True, check=True)
    rows = re.findall(r"^(\S+) ([0-9.]+ \S+)$", run.stdout, re.M)
    return {name: parse(value)[0] for name, value in rows}


def ratios(rounds):
    """(label, row) -> median over the rounds of its value by that of the unchanged library."""
    values = collections.defaultdict(list)
    for one in rounds:
        for label, rows in one.items():
            for row, value in rows.items():
                if label != "unchanged" and one["unchanged"].get(row):
                    values[label, row].append(value / one["unchanged"][row])
    return {key: statistics.median(some) for key, some in values.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--constant", action="append", required=True, metavar="NAME")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("command", nargs="+", help="a program of bench/ with its arguments")
    args = parser.parse_args()
    folders = {"unchanged": build("unchanged")}
    for name in args.constant:
        for factor in (0.5, 2):
            folders[f"{name}*{factor}"] = build(f"{name}_{factor}", name, factor)
    rounds = [{label: {row: value for command in args.command for row, value in figures(command, folder).items()}
               for label, folder in folders.items()} for _ in range(args.rounds)]
    for (label, row), ratio in sorted(ratios(rounds).items()):
        print(f"{'!' if abs(ratio - 1) > 0.1 else ' '} {label:28} {row:32} {ratio:.2f}")


if __name__ == "__main__":
    main()
