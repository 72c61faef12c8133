#!/usr/bin/env python3
"""Tables from what run.py measured: report.py RESULTS.json prints them as Markdown, report.py --brief RESULTS.json a row for
each workload only, for README.md. Both begin with what was not measured, whether the machine was quiet enough to judge
anything, and ten rows that stand for all."""
import json
import sys

import goals
from figures import (COMPILERS, IDEAL, NATIVE, OURS, PEERS, Figures, best_of, geometric_mean, is_headline, is_wall, packed,
                     ratio, title, unpacked)

# The rows that the report begins with, the largest team that has a CPU for each thread.
LEAD = {"fib.task": "Fibonacci, a task for each call", "nqueens.task": "n queens, tasks", "fft.point": "FFT, larger tasks",
        "depend.cholesky.small": "Cholesky, tasks with dependences", "loops.dynamic1": "a dynamic loop, chunks of 1",
        "regions.100us": "a region after 100 us of serial work", "nested.regions": "a region in a region",
        "sync.barrier": "a barrier", "crowd.loop.copies8": "eight programs at once, loops"}
LEAD_NATIVE = {"sort.int64.random.1e6": "a native sort of a million integers"}
# Nothing is judged where other programs took more than this of the CPUs that ours had threads for.
SPARE_CPU = 0.5

# The measurement that stands for its workload in the brief tables, by the team size there.
BRIEF_THREADS = 2
BRIEF = ["fib.task", "nqueens.task", "tree.task", "health.task", "floorplan.task", "alignment.pair", "mergesort.element",
         "strassen.element", "sparselu.block", "fft.point", "producer.1us", "taskloop.10", "depend.cholesky.small",
         "loops.dynamic1", "regions.100us", "nested.regions", "sync.barrier", "waits.barrier.100us",
         "crowd.tasks.over", "mpi.blocking"]
BRIEF_NATIVE = ["fib.native", "spawns.joins", "for.ramp.1us", "reduce.ramp.1us", "scan.f64.large", "find.cheap.middle",
                "array.sum.f64.1e6", "sort.int64.random.1e6", "cilksort.element", "matmul.element", "heat.cell",
                "lu.element", "knapsack.solve"]


def load(path):
    """ The output of run.py."""
    with open(path, encoding="utf8") as file:
        result = json.load(file)
    again = {"again": unpacked(result["again"])} if "again" in result else {}
    return {"facts": result["facts"], "samples": unpacked(result["series"]), **again}


def save(path, result):
    """A series on a line, so that two files can be compared; those of what was measured again in a list of their own."""
    text = f'{{"facts": {json.dumps(result["facts"], indent=1)}'
    for name, samples in (("series", result["samples"]), ("again", result.get("again"))):
        if samples is not None:
            text += f',\n"{name}": [\n' + ",\n".join(json.dumps(row) for row in packed(samples)) + "\n]"
    with open(path, "w", encoding="utf8") as file:
        file.write(text + "}\n")


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def times(relation):
    return f"{relation.median:.3g}" if relation else "-"


def sized(count, found=None):
    """The words for a team size, after those for a compiler other than gcc."""
    built = f"built by {found.compiler}, " if found and found.compiler == "clang" else ""
    return f"{built}{count} thread" + ("s" if count > 1 else "")


def ratios(found, threads):
    """How many times ours the others' wall times are."""
    names = [name for name in found.order if is_headline(name) and found.get(name, threads, OURS)]
    others = [other for other in found.others() if any(found.get(name, threads, other) for name in names)]
    rows, means = [], ["geometric mean", ""]
    columns = [[ratio(found.get(name, threads, other), found.get(name, threads, OURS)) for name in names]
               for other in others] + [[ratio(found.stub(name), found.get(name, threads, OURS)) for name in names]]
    for i, name in enumerate(names):
        rows.append([name, str(found.get(name, threads, OURS))] + [times(column[i]) for column in columns])
    for column in columns:
        mean = geometric_mean([relation.median for relation in column if relation])
        means.append(f"{mean:.3g}" if mean else "-")
    head = ["", "Blitz", *(f"{title(other)} / Blitz" for other in others), "stub, 1 thread / Blitz"]
    return table(head, rows + [means]) if names else ""


def compare(found, threads, wanted):
    """All runtimes' figures of one team size that `wanted` selects by name."""
    names = [name for name in found.order if wanted(name) and found.get(name, threads, OURS)]
    columns = {title(runtime): [found.get(name, threads, runtime) for name in names] for runtime in [*found.others(), OURS]}
    columns["serial function"] = [found.get(name, 1, "serial") for name in names]
    columns = {head: figures for head, figures in columns.items() if any(figures)}
    columns["stub, 1 thread"] = [found.stub(name) for name in names]
    rows = [[name] + [str(cell) if cell else "-" for cell in cells] for name, *cells in zip(names, *columns.values())]
    return table(["", *columns], rows) if names else ""


def shares(found, threads):
    """ Measurements with an ideal: the ideal, and the runtimes' time beyond it."""
    names = [name for name in found.order if found.share(name, threads, OURS)]
    others = [other for other in found.others() if any(found.share(name, threads, other) for name in names)]
    rows = []
    for name in names:
        ours = found.share(name, threads, OURS)
        theirs = [found.share(name, threads, other) for other in others]
        cells = [found.get(name + IDEAL, threads, OURS), ours, *theirs]
        rows.append([name] + [str(cell) if cell else "-" for cell in cells] + [times(ratio(cell, ours)) for cell in theirs])
    head = ["", "bodies alone", "Blitz", *map(title, others), *(f"{title(other)} / Blitz" for other in others)]
    return table(head, rows) if names else ""


def better_peer(found, name, threads):
    """The better peer's wall time / ours."""
    return ratio(best_of([found.get(name, threads, peer) for peer in PEERS]), found.get(name, threads, OURS))


def lead(found, cpus):
    """Ten rows: ours and the fastest of all others that measured the same, with the ratio of their times."""
    sizes = found.team_sizes()
    threads = max([size for size in sizes if size <= cpus], default=min(sizes, default=1))
    rows = []
    for table_of, mine, others in ((LEAD, OURS, PEERS), (LEAD_NATIVE, "native", [*PEERS, *NATIVE[2:]])):
        for name, words in table_of.items():
            _, ours = found.best_way(name, threads, [mine])
            which, best = found.best_way(name, threads, others)
            if ours and best:
                rows.append([words, str(ours), str(best), which, times(ratio(best, ours))])
    head = ["", "Blitz", "the best other", "who that is", "its time / Blitz's"]
    return section(f"What stands for all, {sized(threads)} (above 1 Blitz is faster):", table(head, rows) if rows else "")


def unjudged(result):
    """Why the figures are not judged: others had too much of the machine. None where they may be."""
    known = result["facts"]
    cpus, others = known["cpus"], known.get("others")
    if others is None:
        busy, why = known["load"][0] > cpus, f"the load was {known['load'][0]:.1f}"
    else:
        team = max([one["threads"] for one in result["samples"] if one["threads"] <= cpus], default=1)
        busy, why = others + team > cpus + SPARE_CPU, (
            f"{others:.1f} threads of other programs wanted a CPU, on average, beside up to {team} of these")
    return f"Nothing is judged: {why}, on {cpus} CPUs." if busy else None


def summary(result):
    """Where it was measured, what is missing, and the rows that stand for all."""
    known, found = result["facts"], Figures(result["samples"])
    text = [origin(known)]
    text += listed("Not all was measured as often as asked; with the threads:", known.get("shortened"))
    text += listed("Left out:", known.get("left_out"))
    reason = unjudged(result)
    text += [f"**{reason}** Ratios, of neighbours in time, may still say something.\n"] if reason else []
    text += lead(found.built_by("gcc"), known["cpus"])
    if not reason:
        rows = verdicts(result)
        text += listed("Goals missed by more than their spread:", by_goal(rows, "missed"))
        text += listed("Missed at first, but no more when measured again, which alone decides:", by_goal(rows, "held"))
    return "\n".join(text)


def brief(found, threads):
    """A row for each workload: the times of the measurement that stands for it, and how far all its ratios go."""
    rows, peers = [], [peer for peer in PEERS if peer in found.runtimes()]
    for name in BRIEF:
        if not found.get(name, threads, OURS):
            continue
        workload = found.workloads[name]
        others = [better_peer(found, other, threads) for other in found.order
                  if found.workloads[other] == workload and is_headline(other)]
        medians = [relation.median for relation in others if relation]
        figures = [found.get(name, threads, runtime) for runtime in (OURS, *peers)]
        reach = f"{min(medians):.3g} to {max(medians):.3g}" if len(medians) > 1 else ""
        rows.append([name, *(str(figure) if figure else "-" for figure in figures),
                     times(better_peer(found, name, threads)), reach])
    head = ["", "Blitz", *peers, "better peer / Blitz", "all rows of the workload"]
    return table(head, rows) if rows else ""


def native(found, threads, names=None):
    """ The columns next to the serial function: our native variant, other libraries', and the best of OpenMP; each in
    its best way. Of all measurements, or of those of `names`."""
    names = [name for name in found.plain_names(threads, ["native"]) if names is None or name in names]
    at = lambda name, count, runtime: found.best_way(name, count, [runtime])[1]
    libraries = [runtime for runtime in NATIVE[2:] if any(at(name, threads, runtime) for name in names)]
    rows = []
    for name in names:
        ours, one = at(name, threads, "native"), at(name, 1, "native")
        serial = at(name, 1, "serial")
        which, openmp = found.best_way(name, threads, PEERS)
        cells = [name, str(serial) if serial else "-", str(ours), times(ratio(ours, serial)), times(ratio(one, ours))]
        cells += [times(ratio(at(name, threads, library), ours)) for library in libraries]
        rows.append(cells + [f"{times(ratio(openmp, ours))} ({which})" if openmp else "-"])
    head = ["", "serial function", "Blitz", "Blitz / serial", "1 worker / Blitz"]
    head += [f"{title(library)} / Blitz" for library in libraries] + ["best OpenMP / Blitz"]
    return table(head, rows) if names else ""


def verdicts(result):
    return goals.verdicts(Figures(result["samples"]), Figures(result["again"]) if "again" in result else None)


def goal_table(result):
    """ Only goals with measurements."""
    rows = [list(row)[:5] for row in verdicts(result) if row.measured != "-"]
    return table(["goal", "at", "asked", "measured (the worst)", "holds"], [map(str, row) for row in rows]) if rows else ""


def by_goal(rows, which):
    """A line for each goal that has rows "missed" or "held": all of them."""
    return [f"{row.what}, {row.threads}: {'; '.join(getattr(row, which))}" for row in rows if getattr(row, which)]


def listed(heading, lines):
    return [f"{heading}\n\n" + "\n".join("- " + line for line in lines) + "\n"] if lines else []


def section(heading, text):
    return [f"{heading}\n", text] if text else []


def origin(known):
    """Where and how it was measured."""
    load = " to ".join(f"{x:.1f}" for x in known["load"])
    shared = f", {known['shared_percent']} % of the samples on a core with another user" if "shared_percent" in known else ""
    return (f"{known['machine']}, {known['cpus']} CPUs, Linux {known['kernel']}, {known['compiler']}, commit "
            f"{known['commit']}, {known['date']}, {known['ms']} ms a measurement, rounds: "
            f"{known['rounds']}, {known['seconds']} s, "
            f"load {load}{shared}. Command: `{known['command']}`.\n")


def brief_markdown(result):
    found = Figures(result["samples"])
    text = [summary(result)]
    for part in map(found.built_by, COMPILERS):
        text += section(f"OpenMP, {sized(BRIEF_THREADS, part)}:", brief(part, BRIEF_THREADS))
        text += section(f"What the runtimes take beside the bodies, {sized(BRIEF_THREADS, part)}:",
                        shares(part, BRIEF_THREADS))
    text += section(f"Native, {sized(BRIEF_THREADS)}:", native(found.built_by("gcc"), BRIEF_THREADS, BRIEF_NATIVE))
    return "\n".join(text)


def markdown(result):
    known, found = result["facts"], Figures(result["samples"])
    text = [summary(result)]
    text += section("Goals:", "" if unjudged(result) else goal_table(result))
    gcc, clang = map(found.built_by, COMPILERS)
    for part in (gcc, clang):
        for threads in part.team_sizes():
            text += section(f"Ratios, {sized(threads, part)} (above 1 Blitz is faster):", ratios(part, threads))
            text += section(f"What the runtimes take beside the bodies, {sized(threads, part)}:", shares(part, threads))
    for threads in gcc.team_sizes():
        text += section(f"Native, {sized(threads)}:", native(gcc, threads))
    for part in (gcc, clang):
        for threads in part.team_sizes():
            text += section(f"Wall time, {sized(threads, part)}:", compare(part, threads, is_wall))
            text += section(f"CPU time of all threads, {sized(threads, part)}:",
                            compare(part, threads, lambda name: name.endswith(".cpu")))
            text += section(f"Most memory, {sized(threads, part)}:",
                            compare(part, threads, lambda name: name.endswith(".peak")))
    text += listed("Failed:", known["failed"])
    text += listed("Failed under other runtimes:", known["peers_failed"])
    return "\n".join(text)


if __name__ == "__main__":
    *options, path = sys.argv[1:] or [""]
    if not path or options not in ([], ["--brief"]):
        sys.exit("usage: report.py [--brief] RESULTS.json")
    print((brief_markdown if options else markdown)(load(path)))
