#!/usr/bin/env python3
"""Tables from what run.py measured: report.py RESULTS.json prints them as Markdown."""
import json
import math
import statistics
import sys

UNITS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}


class Figure:
    """Least, median and spread of one measurement, in ns: spread is half of the middle half's width, in per cent of the
    median."""

    def __init__(self, values):
        self.least = min(values)
        self.median = statistics.median(values)
        quarters = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else [values[0]] * 3
        self.spread = (quarters[2] - quarters[0]) / 2 / self.median * 100 if self.median else 0.0

    def __str__(self):
        spread = f"±{self.spread:.0f}" if self.spread < 1000 else ">±999"
        return f"{time_text(self.median)} {spread} %"


def time_text(ns):
    """Three digits and a unit."""
    for unit, factor in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if ns >= factor:
            return f"{ns / factor:.3g} {unit}"
    return f"{ns:.3g} ns"


def figures(samples):
    """Figures by (workload, name, threads, runtime), in the order in which they were measured."""
    values = {}
    for sample in samples:
        key = (sample["workload"], sample["name"], sample["threads"], sample["runtime"])
        values.setdefault(key, []).append(sample["value"] * UNITS[sample["unit"]])
    return {key: Figure(list_of) for key, list_of in values.items()}


def summary(samples):
    """The figures, for the JSON file."""
    return [{"workload": workload, "name": name, "threads": threads, "runtime": runtime, "least_ns": figure.least,
             "median_ns": figure.median, "spread_percent": figure.spread}
            for (workload, name, threads, runtime), figure in figures(samples).items()]


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def ratio(above, below):
    return f"{above.median / below.median:.3g}" if above and below and below.median else "-"


def geometric_mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else 0.0


def compare(found, threads, cpu):
    """The table of one team size, of wall times or of CPU times."""
    peers = [name for name in dict.fromkeys(key[3] for key in found if key[0] != "native")
             if name not in ("blitz", "stub")]
    names = [key[:2] for key in found
             if key[0] != "native" and key[2] == threads and key[1].endswith(".cpu") == cpu and key[3] != "stub"]
    rows, ratios = [], {peer: [] for peer in peers}
    for workload, name in dict.fromkeys(names):
        get = lambda runtime, n=threads: found.get((workload, name, n, runtime))
        ours, stub = get("blitz"), get("stub", 1)
        for peer in peers:
            if ours and ours.median and get(peer) and get(peer).median:
                ratios[peer].append(get(peer).median / ours.median)
        cells = [get(runtime) for runtime in (*peers, "blitz")] + [stub]
        rows.append([name] + [str(cell) if cell else "-" for cell in cells] +
                    [ratio(get(peer), ours) for peer in peers] + [ratio(ours, stub)])
    means = [f"{geometric_mean(ratios[peer]):.2f}" if ratios[peer] else "-" for peer in peers]
    rows.append(["geometric mean"] + [""] * (len(peers) + 2) + means + [""])
    head = ["", *peers, "Blitz", "stub (1 thread)", *(f"{peer} / Blitz" for peer in peers), "Blitz / stub"]
    return table(head, rows) if names else ""


def native(found):
    """Fork and join against the serial function. On a busy machine only the CPU times of one worker say anything."""
    rows = []
    for kind, cpu in (("wall", False), ("CPU", True)):
        get = lambda runtime, workers: next(
            (figure for key, figure in found.items()
             if key[0] == "native" and key[2:] == (workers, runtime) and key[1].endswith(".cpu") == cpu), None)
        serial, one, two = get("serial", 1), get("blitz", 1), get("blitz", 2)
        if serial and one and two:
            rows += [[f"serial function, {kind}", str(serial), ""],
                     [f"Blitz, one worker, {kind}", str(one), f"{ratio(one, serial)} x serial (aim: at most 4)"],
                     [f"Blitz, two workers, {kind}", str(two),
                      "" if cpu else f"{ratio(one, two)} x faster than one (aim: at least 1.8)"]]
    return table(["native fib(36)", "time", ""], rows) if rows else ""


def markdown(result):
    known, found = result["facts"], figures(result["samples"])
    load = " to ".join(f"{x:.1f}" for x in known["load"])
    text = [f"{known['machine']}, {known['cpus']} CPUs, Linux {known['kernel']}, {known['compiler']}, commit "
            f"{known['commit']}, {known['date']}, {known['rounds']} rounds, load {load}. "
            f"Command: `{known['command']}`.\n"]
    for threads in sorted({key[2] for key in found if key[0] != "native" and key[3] != "stub"}):
        plural = "threads" if threads > 1 else "thread"
        text += [f"Wall time, {threads} {plural}:\n", compare(found, threads, cpu=False)]
        text += [f"CPU time of all threads, {threads} {plural}:\n", compare(found, threads, cpu=True)]
    text += [native(found)] if native(found) else []
    text += ["Failed:\n\n" + "\n".join("- " + line for line in known["failures"]) + "\n"] if known["failures"] else []
    return "\n".join(text)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: report.py RESULTS.json")
    with open(sys.argv[1], encoding="utf8") as results:
        print(markdown(json.load(results)))
