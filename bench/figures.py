"""What run.py measured, as figures: medians and spreads by measurement, team size and runtime, and their ratios.

A sample is one number that one process printed: {"workload", "name", "threads", "runtime", "round", "value", "unit"}, and
"shared": whether its core had another user. A name begins with its workload's; NAME.cpu is the CPU time of all threads for
NAME, NAME.ideal what the bodies alone take of NAME, WORKLOAD.peak the most memory that the process held."""
import copy
import math
import re
import statistics

TIMES = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}
SIZES = {"B": 1.0, "KiB": 1024.0, "MiB": 1024.0**2, "GiB": 1024.0**3}
UNITS = {**TIMES, **SIZES}

OURS = "blitz"
IDEAL = ".ideal"
STUB = "stub"
PEERS = ["libgomp", "libomp"]  # the other runtimes under the same binary
# The compiler of an OpenMP program. A runtime that serves clang's has the suffix "-clang".
COMPILERS = ["gcc", "clang"]
# Variants that no preloaded runtime serves, by the name that stands for theirs.
NATIVE = ["serial", "native", "tbb", "rayon", "libstdc++"]
TITLES = {"blitz": "Blitz", "native": "Blitz, native", "tbb": "oneTBB", "rayon": "Rayon",
          "libstdc++": "libstdc++, parallel mode"}


def served(runtime, compiler):
    """The name of a runtime under programs that a compiler built."""
    return runtime if compiler == "gcc" else f"{runtime}-{compiler}"


STUBS = [served(STUB, compiler) for compiler in COMPILERS]


def title(runtime):
    plain_name, built, _ = runtime.partition("-clang")
    return TITLES.get(plain_name, plain_name) + (", clang" if built else "")


class Figure:
    """ Samples of one thing by round: their least, median, and quartiles. `unit` is "ns", "B" or "" for a ratio;
    `whole` are the rounds whose core had no other user, None: all."""

    def __init__(self, rounds, unit, whole=None):
        self.rounds, self.unit = rounds, unit
        self.whole = set(rounds) if whole is None else whole & set(rounds)
        values = list(rounds.values())
        self.least, self.median = min(values), statistics.median(values)
        quarters = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else [values[0]] * 3
        self.low, self.high = quarters[0], quarters[2]

    @property
    def spread(self):
        """Half of the width of the middle half, in per cent of the median."""
        return (self.high - self.low) / 2 / self.median * 100 if self.median else 0.0

    def __str__(self):
        if len(self.rounds) < 2:
            return quantity(self.median, self.unit)
        spread = f"±{self.spread:.0f}" if self.spread < 1000 else ">±999"
        return f"{quantity(self.median, self.unit)} {spread} %"


def digits(value):
    """Three digits, without an exponent."""
    if not value or not math.isfinite(value):
        return f"{value:g}"
    return f"{value:.{max(0, 2 - math.floor(math.log10(abs(value))))}f}"


def quantity(value, unit):
    """Three digits and the unit that suits them best."""
    table = {"ns": TIMES, "B": SIZES}.get(unit)
    if not table:
        return digits(value)
    name, factor = max(((n, f) for n, f in table.items() if f <= abs(value)), key=lambda pair: pair[1],
                       default=(unit, 1.0))
    return f"{digits(value / factor)} {name}"


def parse(text):
    """The number that "12 ms" stands for, and its base unit."""
    value, unit = text.split()
    return float(value) * UNITS[unit], "ns" if unit in TIMES else "B"


class Figures:
    """All figures of a run. A name in `order` stands where it was first measured."""

    def __init__(self, samples):
        values, shared = {}, {}
        for sample in samples:
            key = (sample["name"], sample["threads"], sample["runtime"])
            by_round = values.setdefault(key, {})
            if sample.get("shared"):
                shared.setdefault(key, set()).add(sample["round"])
            by_round.setdefault(sample["round"], []).append(sample["value"] * UNITS[sample["unit"]])
        units = {sample["name"]: "ns" if sample["unit"] in TIMES else "B" for sample in samples}
        self.table = {key: Figure({turn: statistics.median(some) for turn, some in by_round.items()}, units[key[0]],
                                  set(by_round) - shared.get(key, set()))
                      for key, by_round in values.items()}
        self.order = list(dict.fromkeys(key[0] for key in self.table))
        self.workloads = {sample["name"]: sample["workload"] for sample in samples}
        self.compiler = None

    def built_by(self, compiler):
        """Those of the programs that a compiler built, each under its runtime's plain name; what is native is gcc's."""
        part = copy.copy(self)
        part.compiler = compiler
        part.table = {(name, threads, runtime.removesuffix("-clang")): figure
                      for (name, threads, runtime), figure in self.table.items()
                      if runtime.endswith("-clang") == (compiler == "clang")}
        names = {key[0] for key in part.table}
        part.order = [name for name in self.order if name in names]
        return part

    def get(self, name, threads, runtime):
        return self.table.get((name, threads, runtime))

    def runtimes(self, name=None, threads=None):
        """Those that measured `name` with `threads`, or anything at all, in order."""
        return list(dict.fromkeys(key[2] for key in self.table
                                  if name in (None, key[0]) and threads in (None, key[1])))

    def team_sizes(self):
        """Of what runs with several threads: the stub and the serial programs never do."""
        return sorted({key[1] for key in self.table if key[2] not in (STUB, "serial")})

    def others(self, name=None, threads=None):
        """ The runtimes that ours is compared with: the peers, and those that --extra added."""
        return [runtime for runtime in self.runtimes(name, threads) if runtime not in (OURS, STUB, *NATIVE)]

    def share(self, name, threads, runtime):
        """The runtime's share of a time: what the bodies, as the same process measured them, do not take. No less than
        nothing; None where no ideal was measured."""
        time, ideal = self.get(name, threads, runtime), self.get(name + IDEAL, threads, runtime)
        if not time or not ideal:
            return None
        rounds = {turn: max(time.rounds[turn] - ideal.rounds[turn], 0.0) for turn in time.rounds if turn in ideal.rounds}
        return Figure(rounds, time.unit, time.whole) if rounds else None

    def stub(self, name):
        """The call-at-once stub is right on one thread only."""
        return self.get(name, 1, STUB)

    def best(self, name, threads, runtimes):
        """The one with the least median, as (runtime, figure), or (None, None)."""
        found = [(runtime, self.get(name, threads, runtime)) for runtime in runtimes]
        found = [(runtime, figure) for runtime, figure in found if figure]
        return min(found, key=lambda pair: pair[1].median, default=(None, None))

    def plain_names(self, threads, runtimes):
        """The names without their ways of what one of these runtimes measured, in order."""
        return list(dict.fromkeys(plain(name) for name in self.order
                                  if is_wall(name) and any(self.get(name, threads, one) for one in runtimes)))

    def ways(self, name, threads, runtimes):
        """ The runtimes that measured NAME or a NAME.by_WAY, each as (runtime, figure); the runtime's name contains the
        way."""
        found = []
        for other in self.order:
            if not other.startswith(name) or not is_wall(other) or plain(other) != name:
                continue
            way = other.removeprefix(name).removeprefix(".by_")
            some = [(runtime, self.get(other, threads, runtime)) for runtime in runtimes]
            found += [(f"{title(runtime)}, {way}" if way else title(runtime), figure) for runtime, figure in some if figure]
        return found

    def best_way(self, name, threads, runtimes):
        """The one of them with the least median."""
        return min(self.ways(name, threads, runtimes), key=lambda pair: pair[1].median, default=(None, None))


def best_of(figures):
    """ One figure of several: in each round the time of the one whose median over all *other* rounds is the least. The
    least of several medians is partly luck; this one is chosen without that round."""
    figures = [figure for figure in figures if figure]
    if len(figures) < 2:
        return figures[0] if figures else None
    rounds, whole = {}, set()
    for turn in sorted(set().union(*(figure.rounds for figure in figures))):
        here = [figure for figure in figures if turn in figure.rounds]
        best = min(here, key=lambda figure: _median_without(figure, turn))
        rounds[turn] = best.rounds[turn]
        whole |= {turn} & best.whole
    return Figure(rounds, figures[0].unit, whole)


def _median_without(figure, turn):
    others = [value for other, value in figure.rounds.items() if other != turn]
    return statistics.median(others or [figure.median])


def packed(samples):
    """The samples for a file, a row for each series, and its figure: {"name", "workload", "threads", "runtime", "unit",
    "least", "median", "spread_percent", "values": [[round, value], ...]}; [round, value, true] where the core had
    another user."""
    found, rows = Figures(samples), {}
    for sample in samples:
        key = (sample["name"], sample["threads"], sample["runtime"])
        figure = found.get(*key)
        row = rows.setdefault(key, {
            **{part: sample[part] for part in ("name", "workload", "threads", "runtime")}, "unit": figure.unit,
            "least": figure.least, "median": figure.median, "spread_percent": round(figure.spread, 2), "values": []})
        row["values"].append([sample["round"], sample["value"] * UNITS[sample["unit"]]] + [True] * sample.get("shared", 0))
    return list(rows.values())


def unpacked(rows):
    return [{**{part: row[part] for part in ("name", "workload", "threads", "runtime", "unit")}, "round": turn,
             "value": value, "shared": bool(shared)} for row in rows for turn, value, *shared in row["values"]]


def plain(name):
    """NAME of a NAME.by_WAY."""
    return re.sub(r"\.by_\w+$", "", name)


def ratio(above, below):
    """above / below, round by round where they have rounds in common: neighbours in time suffer the same machine. Of these
    the ones in which neither's core had another user; or what both took in such rounds of their own."""
    if not above or not below or not below.median:
        return None
    common = [turn for turn in above.rounds if below.rounds.get(turn)]
    whole = [turn for turn in common if turn in above.whole & below.whole]
    if common and not whole and above.whole and below.whole:
        one, other = (statistics.median(figure.rounds[turn] for turn in figure.whole) for figure in (above, below))
        return Figure({0: one / other}, "") if other else None
    if common:
        return Figure({turn: above.rounds[turn] / below.rounds[turn] for turn in whole or common}, "")
    return Figure({0: above.median / below.median}, "")


def geometric_mean(values):
    values = [value for value in values if value > 0]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def is_wall(name):
    return not name.endswith((".cpu", ".peak", IDEAL))


def is_headline(name):
    """ Wall times without the NAME.by_WAY: these are many, and are compared by their best."""
    return is_wall(name) and ".by_" not in name


def row_of(name):
    """(PREFIX, value, unit) of PREFIX.VALUEUNIT, a point of a row over grains or gaps: "a.10us" is ("a", 10.0, "us").
    None for other names."""
    match = re.fullmatch(r"(.+?)\.(\d+(?:\.\d+)?)(ns|us|ms|)", name)
    return (match[1], float(match[2]), match[3]) if match else None
