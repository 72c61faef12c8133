"""The goals as data, and whether a run's figures meet them. A new goal is a new line of GOALS.

Of so many rows some miss by chance. What missed may be measured again (misses.py): then the second figures alone decide."""
import copy
import fnmatch
from typing import NamedTuple, Optional

from figures import (NATIVE, OURS, PEERS, STUBS, Figure, best_of, geometric_mean, is_wall, parse, quantity, ratio, title)

BETTER = "better peer"  # of libgomp and libomp, under the same binary
OTHERS = "best other"  # of these, each in its best way, oneTBB, Rayon and libstdc++'s parallel mode
ANYBODY = "best other or serial"  # of these and the serial functions

# A row that was measured again is judged by that if there are so many rounds, and so many that count: see ratio.
AGAIN_ROUNDS, AGAIN_COUNTED = 5, 3


class Goal(NamedTuple):
    """ Ours against something else, over all figures that match: at most `most` times its time, or, the other way
    round, at least `least` times as fast. `against` is a runtime, BETTER or OTHERS; "=NAME" is our own figure NAME;
    None compares with the quantity `below`. `of` names the runtime that must reach it. `share`: of the time beyond the
    bodies."""
    what: str
    figures: str
    threads: int
    against: Optional[str] = None
    most: Optional[float] = None
    least: Optional[float] = None
    mean: Optional[float] = None  # at most, for the geometric mean
    below: Optional[str] = None
    of: str = OURS
    against_threads: Optional[int] = None
    share: bool = False


COARSE = "mergesort.* strassen.* sparselu.* fft.* alignment.*"
TINY = "tree.task health.* floorplan.*"
# Without what libomp deals out in blocks to gcc's binaries, whatever the chunk: those have turns hardly ever.
WITHOUT_BLOCKS = "sync.[!do]* sync.ordered_dynamic"
CLANG = "blitz-clang"  # clang-built programs on Blitz; their peer is LLVM's runtime, which they were built for
CLANG_PEER = "libomp-clang"

GOALS = [
    Goal("Fibonacci, no cut-off", "fib.task", 1, "stub", most=1.3),
    Goal("Fibonacci, no cut-off", "fib.task", 2, "stub", most=0.6),
    Goal("Fibonacci, no cut-off", "fib.task", 2, "libgomp", least=50),
    Goal("n-queens 11", "nqueens.task", 2, "stub", most=0.65),
    Goal("a task per node, tiny bodies", TINY, 2, "stub", most=0.6),
    Goal("coarse tasks", COARSE, 1, BETTER, most=1.02, mean=1.0),
    Goal("coarse tasks", COARSE, 2, BETTER, most=1.02, mean=1.0),
    Goal("one producer", "producer.*", 1, BETTER, most=1.0),
    Goal("one producer", "producer.*", 2, BETTER, most=1.0),
    Goal("taskloops and guided loops beside their bodies", "taskloop.* loops.*guided", 2, "libgomp", least=4, share=True),
    Goal("dependences, small tiles", "depend.*.small depend.chain*", 2, "libgomp", least=3),
    Goal("dependences, small tiles", "depend.*.small depend.chain*", 2, "libomp", least=2),
    Goal("dependences, large tiles", "depend.*.large", 2, BETTER, most=1.0),
    Goal("regions after a gap", "regions.*", 2, BETTER, most=1.0),
    Goal("regions after a gap, CPU time", "regions.*.cpu", 2, BETTER, most=1.0),
    Goal("synchronisation", "sync.*", 1, BETTER, most=1.0),
    Goal("synchronisation", "sync.*", 2, BETTER, most=1.0),
    Goal("synchronisation", WITHOUT_BLOCKS, 8, BETTER, most=1.0),
    Goal("turns over static, 1", "sync.ordered sync.doacross", 8, "libgomp", most=1.1),
    Goal("waits for a working thread", "waits.*", 2, BETTER, most=1.02, mean=1.0),
    Goal("waits for a working thread, CPU time", "waits.*.cpu", 2, BETTER, most=1.0),
    Goal("the first 100 regions of a process", "startup.*", 2, BETTER, most=1.02),
    Goal("teams of thousands", "teams.*", 2, BETTER, most=1.0),
    Goal("dynamic,1 loops", "loops.dynamic1", 2, "libgomp", least=4),
    Goal("nested regions, teams that alternate", "nested.*", 2, "libomp", most=1.0),
    Goal("nested regions, teams that alternate", "nested.*", 2, "libgomp", least=20),
    Goal("four times as many threads as CPUs, loops", "crowd.loop.over", 2, "=crowd.loop", most=1.15),
    Goal("four times as many threads as CPUs, tasks", "crowd.tasks.over", 2, "=crowd.tasks", most=1.15),
    Goal("two copies at once, loops", "crowd.loop.copies", 2, "=crowd.loop.alone", most=1.15),
    Goal("two copies at once, tasks", "crowd.tasks.copies", 2, "=crowd.tasks.alone", most=1.15),
    Goal("eight copies at once, loops", "crowd.loop.copies8", 2, "=crowd.loop.alone", most=1.15),
    Goal("eight copies at once, tasks", "crowd.tasks.copies8", 2, "=crowd.tasks.alone", most=1.15),
    Goal("eight copies at once, short regions", "crowd.short.copies8", 2, BETTER, most=1.0),
    Goal("a busy neighbour", "crowd.*.neighbour", 2, BETTER, most=1.0),
    Goal("a task sleeps: CPU time per second", "idle.task.cpu", 2, below="10 ms"),
    Goal("memory of a producer and of a tree", "memory.peak producer.peak tree.peak", 2, below="64 MiB"),
    Goal("clang: Fibonacci, no cut-off", "fib.task", 1, "stub-clang", most=1.3, of=CLANG),
    Goal("clang: Fibonacci, no cut-off", "fib.task", 2, "stub-clang", most=0.6, of=CLANG),
    Goal("clang: a static loop's bounds", "loops.bounds", 1, below="12 ns", of=CLANG),
    Goal("clang: a static loop's bounds", "loops.bounds", 2, below="12 ns", of=CLANG),
    Goal("clang: regions, beside gcc's", "sync.region", 1, OURS, most=1.05, of=CLANG),
    Goal("clang: regions, beside gcc's", "sync.region", 2, OURS, most=1.05, of=CLANG),
    Goal("clang: everything", "*", 1, CLANG_PEER, most=1.02, of=CLANG),
    Goal("clang: everything", "*", 2, CLANG_PEER, most=1.02, of=CLANG),
    Goal("clang: everything", "*", 8, CLANG_PEER, most=1.02, of=CLANG),
    Goal("clang: CPU time of regions and waits", "regions.*.cpu waits.*.cpu", 2, CLANG_PEER, most=1.02, of=CLANG),
    Goal("native fib(36), one worker", "fib.native", 1, "serial", most=2.2, of="native"),
    Goal("native fib(36), two workers", "fib.native", 2, "=fib.native", least=1.85, of="native", against_threads=1),
    Goal("native for and reduce", "for.* reduce.*", 1, OTHERS, most=1.0, of="native"),
    Goal("native for and reduce", "for.* reduce.*", 2, OTHERS, most=1.0, of="native"),
    Goal("native scan", "scan.*", 1, OTHERS, most=1.05, mean=1.0, of="native"),
    Goal("native scan", "scan.*", 2, OTHERS, most=1.05, mean=1.0, of="native"),
    Goal("native find", "find.*", 1, OTHERS, most=1.05, mean=1.0, of="native"),
    Goal("native find", "find.*", 2, OTHERS, most=1.05, mean=1.0, of="native"),
    Goal("native passes over arrays", "array.*", 1, ANYBODY, most=1.05, mean=1.0, of="native"),
    Goal("native passes over arrays", "array.*", 2, ANYBODY, most=1.05, mean=1.0, of="native"),
    Goal("native sort", "sort.* stable.*", 1, ANYBODY, most=1.05, mean=1.0, of="native"),
    Goal("native sort", "sort.* stable.*", 2, ANYBODY, most=1.05, mean=1.0, of="native"),
    Goal("native fork-join", "fib.native spawns.joins spawns.depth.* spawns.chain", 1, OTHERS, most=1.0, of="native"),
    Goal("native fork-join", "fib.native spawns.joins spawns.depth.* spawns.chain", 2, OTHERS, most=1.0, of="native"),
    Goal("native spawn storms", "spawns.storm", 1, OTHERS, most=1.05, of="native"),
    Goal("native spawn storms", "spawns.storm", 2, OTHERS, most=1.05, of="native"),
    Goal("the first task after idleness", "spawns.wake", 1, OTHERS, most=1.05, of="native"),
    Goal("the first task after idleness", "spawns.wake", 2, OTHERS, most=1.05, of="native"),
]


class Verdict(NamedTuple):
    """One row of the table."""
    what: str
    threads: str
    asked: str
    measured: str
    holds: str
    missed: tuple = ()  # "NAME 1.2 x" of the rows that miss it by more than their spread
    held: tuple = ()  # "NAME 1.2 x, again 1 x (9 rounds)" of those that did so at first only


class Row(NamedTuple):
    """ A figure and its reference. `again`: the same once more; None if that was not measured, or too little of it."""
    name: str
    first: Figure
    again: Optional[Figure] = None

    @property
    def decisive(self):
        return self.again or self.first


def judge(goal, figures, again=None):
    """ Compares the matching figures with their goal; the worst one decides. `again`: the figures of what was measured
    again; None if nothing was to be. The mean is that of the first figures: with the second ones of the worst rows
    alone it would be too good."""
    rows, limit = _rows(goal, figures), _limit(goal)
    plural = "s" if goal.threads > 1 else ""
    head = (goal.what, f"{goal.threads} thread{plural}", _asked(goal))
    if not rows:
        return Verdict(*head, "-", "not measured")
    if again:
        rows = [row._replace(again=_again(goal, row.name, figures, again)) if row.first.low > limit else row for row in rows]
    met = [row for row in rows if row.decisive.median <= limit]
    missed = tuple(_described(goal, row, again) for row in rows if row.decisive.low > limit)
    held = tuple(_described(goal, row, again) for row in rows if row.again and row.again.low <= limit)
    worst = max(rows, key=lambda row: row.decisive.median)
    text = _relation_text(goal, worst.decisive)
    if len(rows) > 1:
        text += f" ({worst.name}); {len(met)} of {len(rows)}"
    mean = geometric_mean([row.first.median for row in rows])
    if goal.mean:
        text += f", mean {mean:.3g}"
    count = sum(row.again is not None for row in rows)
    if count:
        text += f"; {count} measured again"
    if goal.mean and mean > goal.mean or missed:
        return Verdict(*head, text, "NO", missed, held)
    return Verdict(*head, text, "yes" if len(met) == len(rows) else "within its spread", held=held)


def verdicts(figures, again=None):
    return [judge(goal, figures, again) for goal in GOALS]


class Miss(NamedTuple):
    """A row that misses a goal by more than its spread."""
    name: str
    excess: float  # how many times the limit
    keys: list  # (name, threads, runtime) of the figures that it is judged by, ours first


def misses(figures, goals=None):
    return [Miss(row.name, row.first.median / _limit(goal), _read(goal, row.name, figures))
            for goal in goals or GOALS for row in _rows(goal, figures) if row.first.low > _limit(goal)]


def _rows(goal, figures):
    names = figures.order if goal.of not in NATIVE else figures.plain_names(goal.threads, [goal.of])
    return [Row(name, relation) for name in names if _matches(goal, name)
            for relation in [_relation(goal, name, figures)] if relation]


def _read(goal, name, figures):
    """The keys of the figures that _relation reads: for the best of several all of them, in all their ways."""
    keys, noted = {}, copy.copy(figures)

    def get(*key):
        figure = figures.get(*key)
        if figure:
            keys[key] = True
        return figure

    noted.get = get
    _relation(goal, name, noted)
    return list(keys)


def _again(goal, name, figures, again):
    """ The figures that decide in place of the first: as many others. None if not enough of it was measured."""
    found = [again.get(*key) for key in _read(goal, name, figures)]
    relation = _relation(goal, name, again)
    enough = relation and all(found) and min(len(figure.rounds) for figure in found) >= AGAIN_ROUNDS
    return relation if enough and len(relation.rounds) >= AGAIN_COUNTED else None


def _described(goal, row, again):
    """Both figures of a row that misses its goal, or did at first."""
    text = f"{row.name} {_relation_text(goal, row.first)}"
    if again is None:
        return text
    second = row.again or _relation(goal, row.name, again)
    if not second:
        return f"{text}, not measured again"
    rounds = f"{len(second.rounds)} round" + ("s" if len(second.rounds) > 1 else "")
    return f"{text}, again {_relation_text(goal, second)} ({rounds if row.again else rounds + ', too few'})"


def _matches(goal, name):
    return any(fnmatch.fnmatchcase(name, pattern) and (is_wall(name) or not is_wall(pattern))
               for pattern in goal.figures.split())


def _relation(goal, name, figures):
    """Ours divided by the other's, as a figure; or ours, if an amount is the limit."""
    threads = goal.against_threads or goal.threads
    if goal.share:
        return ratio(figures.share(name, threads, goal.of), figures.share(name, threads, goal.against))

    def best(runtimes, count=threads):
        return best_of([figure for _, figure in figures.ways(name, count, runtimes)])

    ours = best([goal.of], goal.threads) if goal.of in NATIVE else figures.get(name, goal.threads, goal.of)
    if not ours or goal.below:
        return ours
    if goal.against.startswith("="):
        other = figures.get(goal.against[1:], threads, goal.of)
    elif goal.against == BETTER:
        other = best_of([figures.get(name, threads, peer) for peer in PEERS])
    elif goal.against == OTHERS:
        other = best([*PEERS, *NATIVE[2:]])
    elif goal.against == ANYBODY:
        others = figures.ways(name, threads, [*PEERS, *NATIVE[2:]]) + figures.ways(name, 1, ["serial"])
        other = best_of([figure for _, figure in others])
    elif goal.against in (*STUBS, "serial"):
        other = figures.get(name, 1, goal.against)
    else:
        other = figures.get(name, threads, goal.against)
    return ratio(ours, other)


def _limit(goal):
    if goal.below:
        return parse(goal.below)[0]
    return goal.most if goal.most else 1 / goal.least


def _asked(goal):
    if goal.below:
        return f"less than {goal.below}"
    other = "own " + goal.against[1:] if goal.against.startswith("=") else title(goal.against)
    if goal.against_threads:
        other += f", {goal.against_threads} thread"
    if goal.least:
        return f"at least {goal.least:g} x {'less than' if goal.share else 'as fast as'} {other}"
    return f"at most {goal.most:g} x {other}" + (f", mean below {goal.mean:g}" if goal.mean else "")


def _relation_text(goal, relation):
    if goal.below:
        return quantity(relation.median, relation.unit)
    if goal.share and not relation.median:
        return "too little to measure"
    if goal.least:
        return f"{1 / relation.median:.3g} x {'less' if goal.share else 'as fast'}"
    return f"{relation.median:.3g} x"
