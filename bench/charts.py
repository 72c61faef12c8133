#!/usr/bin/env python3
"""Charts of what run.py measured, as SVG: charts.py RESULTS.json [PREFIX] writes PREFIX-*.svg. Whiskers are the middle half
of the samples."""
import sys
from typing import Callable, NamedTuple

import report
from figures import (COMPILERS, NATIVE, OURS, PEERS, STUB, Figure, Figures, digits, is_headline, quantity, ratio, row_of,
                     title)
from svg import Canvas, Log, Panel, Places, text_width

GAPS = "regions"  # the prefix of the row over gaps; all others are over grains
KNOWN = [OURS, *PEERS]  # each keeps its colour in all charts
COLOURS = ["c0", "c1", "c2", "c3", "c5", "c6"]  # c4 is for strokes: MARKS and IDEAL

IDEAL = [("c4", "ideal: the least time on one thread, by threads")]
BAR = 6  # the height of one
OPENMP = "best OpenMP"
MARKS = {STUB: "stub, 1 thread", "serial": "serial function"}

# The rows of the chart in the project's README.md: one or two of each kind, those that are lost included.
OVERVIEW = {"fib.task": "Fibonacci, a task for each call", "nqueens.task": "n queens", "health.task": "health",
            "floorplan.task": "floorplan", "sparselu.block": "SparseLU", "strassen.element": "Strassen",
            "fft.point": "FFT", "alignment.pair": "protein alignment", "depend.cholesky.small": "Cholesky, small tiles",
            "depend.cholesky.large": "Cholesky, large tiles", "loops.dynamic1": "dynamic loop, chunks of 1",
            "loops.static": "static loop", "regions.0us": "an empty region",
            "regions.10000us": "a region after 10 ms of serial work", "nested.regions": "a region in a region",
            "sync.barrier": "barrier", "sync.critical": "critical section",
            "crowd.loop.copies8": "eight copies at once, loops",
            "crowd.short.copies8": "eight copies at once, short regions"}


def plural(threads):
    return f"{threads} thread" + ("s" if threads > 1 else "")


def colour(found, runtime):
    others = [name for name in found.runtimes() if name not in (*KNOWN, STUB, *NATIVE)]
    return COLOURS[[*KNOWN, *others].index(runtime) % len(COLOURS)]


def heading(text, found):
    return text + (f", built by {found.compiler}" if found.compiler == "clang" else "")


def legend(found, runtimes):
    return [(colour(found, runtime), title(runtime)) for runtime in runtimes]


def decimal(value):
    """A tick's text: 0.01, 5, 10000."""
    return f"{value:.10f}".rstrip("0").rstrip(".") if value < 1 else f"{value:g}"


def time_tick(ns):
    """The same for times: 0.1 ns, 20 us."""
    value, unit = quantity(ns, "ns").split()
    return f"{float(value):g} {unit}"


def drawn_runtimes(found, names, threads):
    """Ours last, so that it lies on top."""
    runtimes = [*found.others(), OURS]
    return [runtime for runtime in runtimes if any(found.get(name, threads, runtime) for name in names)]


# ---- time and ratio of each workload ----
class Comparison(NamedTuple):
    """Ours against others. `at` finds a figure by name and runtime; the least of the ratios to `peers` is written out, and
    `mark` is drawn as a stroke among the times."""
    names: list
    ours: str
    others: list
    peers: list
    mark: str
    colours: dict
    at: Callable


def openmp_comparison(found, threads):
    names = [name for name in found.order if is_headline(name) and found.get(name, threads, OURS)]
    others = drawn_runtimes(found, names, threads)[:-1]
    colours = {runtime: colour(found, runtime) for runtime in [OURS, *others]}
    return Comparison(names, OURS, others, [peer for peer in PEERS if peer in others] or PEERS, STUB, colours,
                      lambda name, runtime: found.stub(name) if runtime == STUB else found.get(name, threads, runtime))


def native_comparison(found, threads):
    """The serial function is always one thread's; of OpenMP the best counts."""
    def at(name, runtime):
        if runtime == OPENMP:
            return found.best_way(name, threads, PEERS)[1]
        return found.best_way(name, 1 if runtime == "serial" else threads, [runtime])[1]

    names = found.plain_names(threads, ["native"])
    others = [other for other in (*NATIVE[2:], OPENMP) if any(at(name, other) for name in names)]
    colours = {"native": "c0", "tbb": "c5", "rayon": "c6", "libstdc++": "c2", OPENMP: "c1"}
    return Comparison(names, "native", others, others, "serial", colours, at)


def ratio_chart(sides, heading):
    """ Two panels side by side, a row for each measurement: times as dots, ratios as bars that begin at 1."""
    if not sides.names or not sides.others:
        return None
    row = max(BAR * len(sides.others), 12) + 7
    label = max(text_width(name) for name in sides.names) + 24
    top, bottom = 92, 92 + row * len(sides.names)
    canvas = Canvas(980, bottom + 50, heading)
    marked = [("c4", MARKS[sides.mark])] if any(sides.at(name, sides.mark) for name in sides.names) else []
    canvas.legend(12, 44, [(sides.colours[name], title(name)) for name in [sides.ours, *sides.others]] + marked)
    for i in range(0, len(sides.names), 2):
        canvas.rect(6, top + i * row, 968, row, "band")
    for i, name in enumerate(sides.names):
        canvas.text(label - 12, top + i * row + row / 2 + 4, name, "end")
    middles = {name: top + i * row + row / 2 for i, name in enumerate(sides.names)}
    times_panel(canvas, sides, middles, (label + 10, top, label + 280, bottom))
    ratios_panel(canvas, sides, middles, (label + 330, top, 915, bottom))
    canvas.text(12, bottom + 36, "Whiskers: the middle half of the rounds. On the right the least ratio to "
                f"{' and '.join(map(title, sides.peers))}, bold where Blitz is behind.", css="soft")
    return canvas


def log_axis(canvas, scale, box, heading, text):
    left, top, _, bottom = box
    canvas.text(left, top - 22, heading, css="head")
    for tick in scale.ticks():
        canvas.line(scale(tick), top, scale(tick), bottom, "grid")
        canvas.text(scale(tick), top - 6, text(tick), "middle", "soft")
        canvas.text(scale(tick), bottom + 14, text(tick), "middle", "soft")


def times_panel(canvas, sides, middles, box):
    runtimes = [*sides.others, sides.ours]
    scale = Log([figure.median for name in sides.names for runtime in [*runtimes, sides.mark]
                 for figure in [sides.at(name, runtime)] if figure], box[0], box[2])
    log_axis(canvas, scale, box, "time", time_tick)
    for name, middle in middles.items():
        for k, runtime in enumerate(runtimes):
            figure, y = sides.at(name, runtime), middle + (k - len(sides.others) / 2) * 3
            if figure:
                canvas.line(scale(figure.low), y, scale(figure.high), y, sides.colours[runtime])
                canvas.dot(scale(figure.median), y, sides.colours[runtime], f"{name}, {title(runtime)}: {figure}")
        mark = sides.at(name, sides.mark)
        if mark:
            canvas.line(scale(mark.median), middle - 6, scale(mark.median), middle + 6, "c4")


def ratios_panel(canvas, sides, middles, box):
    relations = {(name, other): ratio(sides.at(name, other), sides.at(name, sides.ours))
                 for name in sides.names for other in sides.others}
    shown = [relation.median for relation in relations.values() if relation]
    scale = Log([min([0.5, *shown]), max([2.0, *shown])], box[0], box[2], tight=True)
    log_axis(canvas, scale, box, "the other's time / Blitz's: right of 1 Blitz is faster", decimal)
    canvas.line(scale(1), box[1] - 2, scale(1), box[3] + 2, "axis")
    canvas.text(968, box[1] - 6, "least", "end", "soft")
    for name, middle in middles.items():
        for k, other in enumerate(sides.others):
            relation, y = relations[name, other], middle - BAR * len(sides.others) / 2 + k * BAR
            if relation:
                ends = sorted((scale(1), scale(relation.median)))
                canvas.rect(ends[0], y, max(ends[1] - ends[0], 0.5), BAR - 1, sides.colours[other],
                            f"{name}, {title(other)} / Blitz: {relation}")
                canvas.line(scale(relation.low), y + BAR / 2 - 0.5, scale(relation.high), y + BAR / 2 - 0.5, "axis")
        least = min((relations[name, peer].median for peer in sides.peers if relations.get((name, peer))),
                    default=None)
        if least:
            canvas.text(968, middle + 4, digits(least), "end", "" if least >= 1 else "head")


def overview_chart(found, warning=None):
    """The ratios of OVERVIEW alone, with the most threads that its first row was measured with. The warning, if there is
    one, stands below."""
    sizes = [threads for threads in found.team_sizes() if found.get(next(iter(OVERVIEW)), threads, OURS)]
    peers = [peer for peer in PEERS if sizes and any(found.get(name, sizes[-1], peer) for name in OVERVIEW)]
    if not peers:
        return None
    threads = sizes[-1]
    names = [name for name in OVERVIEW if found.get(name, threads, OURS)]
    sides = Comparison(names, OURS, peers, peers, STUB, {peer: colour(found, peer) for peer in peers},
                       lambda name, runtime: found.get(name, threads, runtime))
    row, label = BAR * len(peers) + 8, max(map(text_width, OVERVIEW.values())) + 24
    top, bottom = 92, 92 + row * len(names)
    canvas = Canvas(980, bottom + (66 if warning else 50), heading(f"OpenMP programs on Blitz, {plural(threads)}", found))
    canvas.legend(12, 44, [(sides.colours[peer], f"{title(peer)} / Blitz") for peer in peers])
    for i in range(0, len(names), 2):
        canvas.rect(6, top + i * row, 968, row, "band")
    middles = {name: top + i * row + row / 2 for i, name in enumerate(names)}
    for name, middle in middles.items():
        canvas.text(label - 12, middle + 4, OVERVIEW[name], "end")
    ratios_panel(canvas, sides, middles, (label + 10, top, 915, bottom))
    repeated = any(len(sides.at(name, OURS).rounds) > 1 for name in names)
    canvas.text(12, bottom + 36, ("Whiskers: the middle half of the rounds. " if repeated else "") +
                "On the right the least ratio, bold where Blitz is behind.", css="soft")
    if warning:
        canvas.text(12, bottom + 52, warning, css="head")
    return canvas


# ---- rows over grains ----
def rows(found, cpu=False):
    """{prefix: {value: name}} of the names that form rows of three or more, over one unit (scaled to us for times)."""
    table = {}
    for name in found.order:
        row = row_of(name.removesuffix(".cpu")) if name.endswith(".cpu") == cpu and not name.endswith(".peak") else None
        if row:
            prefix, value, unit = row
            scaled = value * {"ns": 1e-3, "ms": 1e3}.get(unit, 1.0)
            table.setdefault((prefix, "us" if unit else ""), {})[scaled] = name
    return {key: points for key, points in table.items() if len(points) > 2}


def points_of(found, names, threads, runtime):
    """[(value, Figure)] of one runtime along a row."""
    return [(value, found.get(names[value], threads, runtime)) for value in sorted(names)
            if found.get(names[value], threads, runtime)]


def ideal(found, name, threads):
    """A task's share of the time if tasks cost nothing: the least time that any runtime needs on one thread, by threads."""
    best = found.best(name, 1, [*found.others(), OURS, STUB])[1]
    return Figure({turn: value / threads for turn, value in best.rounds.items()}, best.unit) if best else None


def grain_chart(found):
    """For each row over grains and team size: time per task, and how many times the ideal that is."""
    wanted = [(prefix, unit, names, threads) for (prefix, unit), names in rows(found).items() if prefix != GAPS
              for threads in found.team_sizes()
              if any(found.get(name, threads, OURS) and ideal(found, name, threads) for name in names.values())]
    if not wanted:
        return None
    canvas = Canvas(900, 70 + 280 * len(wanted), heading("Cost per task against grain", found))
    runtimes = list(dict.fromkeys(runtime for _, _, names, threads in wanted
                                  for runtime in drawn_runtimes(found, names.values(), threads)))
    canvas.legend(12, 44, legend(found, sorted(runtimes, key=lambda runtime: runtime != OURS)) + IDEAL)
    for i, (prefix, unit, names, threads) in enumerate(wanted):
        top, bottom = 90 + 280 * i, 90 + 280 * i + 190
        x_label, what = ("body of a task, us", "time per task") if unit else ("iterations per task", "time per iteration")
        series = {runtime: points_of(found, names, threads, runtime) for runtime in runtimes}
        best = [(value, figure) for value in sorted(names) for figure in [ideal(found, names[value], threads)] if figure]
        left = Panel(canvas, (80, top, 420, bottom), Log(names, 80, 420),
                     Log([figure.median for points in [*series.values(), best] for _, figure in points], bottom, top))
        left.frame(f"{prefix}, {plural(threads)}: {what}", x_label, what, decimal, time_tick)
        canvas.path([(left.x(value), left.y(figure.median)) for value, figure in best], "line dash c4")
        over = {runtime: [(value, relation) for value, figure in points
                          for relation in [ratio(figure, dict(best).get(value))] if relation]
                for runtime, points in series.items()}
        right = Panel(canvas, (530, top, 870, bottom), Log(names, 530, 870),
                      Log([0.9, 2.0, *(figure.median for points in over.values() for _, figure in points)], bottom, top,
                          tight=True))
        right.frame(f"{prefix}, {plural(threads)}: times the ideal", x_label, "time / ideal", decimal, decimal)
        for runtime in runtimes:
            if series[runtime]:
                left.series(series[runtime], colour(found, runtime), title(runtime), str)
            if over[runtime]:
                right.series(over[runtime], colour(found, runtime), title(runtime), str)
    return canvas


# ---- regions over gaps ----
def gap_chart(found):
    """For each team size: a region's wall time, and the CPU time of all threads for it, over the gap before it."""
    walls = {key[0]: names for key, names in rows(found).items()}.get(GAPS)
    cpus = {key[0]: names for key, names in rows(found, cpu=True).items()}.get(GAPS)
    if not walls or not cpus:
        return None
    sizes = [threads for threads in found.team_sizes() if points_of(found, walls, threads, OURS)]
    if not sizes:
        return None
    canvas = Canvas(900, 70 + 280 * len(sizes), heading("A parallel region after serial work", found))
    runtimes = drawn_runtimes(found, walls.values(), sizes[-1])
    canvas.legend(12, 44, legend(found, sorted(runtimes, key=lambda runtime: runtime != OURS)))
    for i, threads in enumerate(sizes):
        top, bottom = 90 + 280 * i, 90 + 280 * i + 190
        for left, names, what in ((80, walls, "wall time"), (530, cpus, "CPU time of all threads")):
            series = {runtime: points_of(found, names, threads, runtime) for runtime in runtimes}
            values = [figure.median for points in series.values() for _, figure in points]
            panel = Panel(canvas, (left, top, left + 340, bottom), Places(names, left, left + 340),
                          Log(values, bottom, top))
            panel.frame(f"{plural(threads)}: {what} of a region", "serial work before it, us", what, decimal,
                        time_tick)
            for runtime in runtimes:
                if series[runtime]:
                    panel.series(series[runtime], colour(found, runtime), title(runtime), str)
    return canvas


# ---- scaling ----
def scaling_chart(found):
    """A small panel for each measurement with three team sizes or more."""
    sizes = found.team_sizes()
    names = [name for name in found.order
             if is_headline(name) and sum(1 for threads in sizes if found.get(name, threads, OURS)) > 2]
    if not names:
        return None
    columns, width, height = 4, 240, 210
    canvas = Canvas(20 + columns * width, 70 + -(-len(names) // columns) * height, heading("Time against threads", found))
    runtimes = [runtime for runtime in [*found.others(), OURS]
                if any(found.get(name, threads, runtime) for name in names for threads in sizes)]
    canvas.legend(12, 44, legend(found, sorted(runtimes, key=lambda runtime: runtime != OURS)) + IDEAL)
    for i, name in enumerate(names):
        left, top = 75 + i % columns * width, 88 + i // columns * height
        right, bottom = left + width - 80, top + height - 80
        mine = [threads for threads in sizes if found.get(name, threads, OURS)]
        series = {runtime: [(threads, figure) for threads in mine
                            for figure in [found.get(name, threads, runtime)] if figure] for runtime in runtimes}
        best = [(threads, figure) for threads in mine for figure in [ideal(found, name, threads)] if figure]
        if best and not any(figure.median < best[0][1].median for points in series.values() for _, figure in points[1:]):
            best = []  # not work that several threads share, but something that they do together
        panel = Panel(canvas, (left, top, right, bottom), Places(mine, left, right),
                      Log([figure.median for points in [*series.values(), best] for _, figure in points], bottom, top,
                    tight=True))
        panel.frame(name, "threads", "time", str, time_tick)
        canvas.path([(panel.x(threads), panel.y(figure.median)) for threads, figure in best], "line dash c4")
        for runtime, points in series.items():
            if points:
                panel.series(points, colour(found, runtime), title(runtime), str)
    return canvas


def drawn(found, mark, warning=None):
    """{name: chart or None} of what one compiler built; `mark` stands in the names."""
    charts = {}
    for threads in found.team_sizes():
        charts[f"ratios{mark}-{threads}"] = ratio_chart(
            openmp_comparison(found, threads), heading(f"Time and ratio of each measurement, {plural(threads)}", found))
        charts[f"native{mark}-{threads}"] = ratio_chart(native_comparison(found, threads),
                                                        f"Native programs: time and ratio, {plural(threads)}")
    return {**charts, f"overview{mark}": overview_chart(found, warning), f"grain{mark}": grain_chart(found),
            f"gap{mark}": gap_chart(found), f"scaling{mark}": scaling_chart(found)}


def write_all(result, prefix):
    """Writes the charts that there is something for, and returns their files."""
    found, written = Figures(result["samples"]), []
    for compiler in COMPILERS:
        mark = "" if compiler == "gcc" else f"-{compiler}"
        for name, canvas in drawn(found.built_by(compiler), mark, report.unjudged(result)).items():
            if canvas:
                written.append(f"{prefix}-{name}.svg")
                with open(written[-1], "w", encoding="utf8") as file:
                    file.write(str(canvas))
    return written


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: charts.py RESULTS.json [PREFIX]")
    print("\n".join(write_all(report.load(sys.argv[1]), (sys.argv[2:] or [sys.argv[1].removesuffix(".json")])[0])))
