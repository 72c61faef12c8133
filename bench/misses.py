"""The rows that miss a goal by more than their spread, measured again.

Of a thousand rows some miss by chance, other ones in each run. The cure for so many comparisons is the usual one: fresh
samples of those rows alone, which alone decide. Theirs and ours run in turns, each in a process of its own that measures
little else. A row that held by chance is not found so, and a goal's mean stays what it was."""
import collections
import time
from typing import NamedTuple

from figures import IDEAL, Figures, plain
from goals import AGAIN_COUNTED, AGAIN_ROUNDS, misses

ROWS = 6  # of one program that are measured together
MOST = 25  # rounds


class Group(NamedTuple):
    """What is run once per round, and what is wanted of it: (name, threads, runtime)."""
    runs: list
    keys: set

    @property
    def seconds(self):
        """At the most: the programs took so long with all that they measure."""
        return sum(run.seconds for run in self.runs)


def groups(result):
    """The missed rows of one program and team size by sixes, the worst first; a row is in one group, whatever the goals
    that it misses. All kinds of goals can be judged so: a share's ideal comes from the same process as its time, peaks
    from processes that measure all."""
    rows = {}
    for miss in sorted(misses(Figures(result["samples"])), key=lambda miss: -miss.excess):
        ours = result["runs"][miss.keys[0]]
        rows.setdefault((*ours.command, ours.runtime, ours.threads, miss.name), set()).update(miss.keys)
    found, counts = {}, collections.Counter()
    for (*program, _), keys in rows.items():
        program = tuple(program)
        found.setdefault((program, counts[program] // ROWS), set()).update(keys)
        counts[program] += 1
    return [Group(_runs(keys, result["runs"]), keys) for keys in found.values()]


def _runs(keys, known):
    """ The processes that measure these; each leaves out as much as it can of the rest."""
    found = {}
    for key in sorted(keys):
        run = known[key]
        found.setdefault((*run.command, run.runtime, run.threads), (run, []))[1].append(key[0])
    return [run if any(name.endswith(".peak") for name in names) else run._replace(environment={
                **run.environment, "HARNESS_ONLY": " ".join(dict.fromkeys(map(_measured_as, names)))})
            for run, names in found.values()]


def _measured_as(name):
    return plain(name.removesuffix(".cpu").removesuffix(IDEAL))


class Schedule:
    """ The order of groups in a limited time: of the first ones, the worst, as many as the planned rounds of each fit
    into it, all in turn; more rounds if there is time, up to MOST, first of those with too many rounds while the core
    had a neighbour. Rounds have a number of their own in all groups: parts common to several groups, such as a stub,
    are compared within a group only. `samples` are all measured until now; `shared`: the share of samples with a
    neighbour, from 0 to 1. Two at once must both be without."""

    def __init__(self, some, limit_s, samples, shared=0.0, clock=time.monotonic):
        self.groups, self.limit_s, self.samples, self.clock = some, limit_s, samples, clock
        self.planned = max(AGAIN_ROUNDS, min(round(AGAIN_COUNTED / max(1 - shared, 0.1) ** 2), MOST))
        self.chosen, self.costs, self.done = [], [0.0] * len(some), [0] * len(some)
        self.whole = [collections.Counter() for _ in some]  # rounds without a neighbour, by key
        self.begin = clock()

    def __iter__(self):
        """(number, runs) in turn; the time until the next one is asked for is the group's."""
        self.begin = self.clock()
        owed = 0.0
        for i in range(len(self.groups)):
            if self.spent_s() + max(owed, self.groups[i].seconds) >= self.limit_s:
                continue
            yield from self._round(i)
            rest = (self.planned - 1) * self.costs[i]
            if self.spent_s() + owed + rest <= self.limit_s:
                self.chosen.append(i)
                owed += rest
        while due := [i for i in self.chosen
                      if self.done[i] < MOST and self.spent_s() + self.costs[i] <= self.limit_s]:
            yield from self._round(min(due, key=lambda i: (self._is_enough(i), self.done[i])))

    def _is_enough(self, i):
        whole = min((self.whole[i][key] for key in self.groups[i].keys), default=AGAIN_COUNTED)
        return self.done[i] >= AGAIN_ROUNDS and whole >= AGAIN_COUNTED

    def _round(self, i):
        start, before = self.clock(), len(self.samples)
        yield i * MOST + self.done[i], self.groups[i].runs
        self.costs[i] = self.clock() - start
        self.done[i] += 1
        self.whole[i].update(_key(sample) for sample in self.samples[before:] if not sample.get("shared"))

    def described(self, number):
        return f"again, round {number % MOST + 1} of up to {MOST}"

    def spent_s(self):
        return self.clock() - self.begin

    def left_s(self):
        """At the most."""
        return max(self.limit_s - self.spent_s(), 0.0)


def _key(sample):
    return sample["name"], sample["threads"], sample["runtime"]


def complete(samples, some):
    """ The wanted samples, of the rounds that have all of them: one missing in a round might have been the best
    other."""
    rounds = {}
    for sample in samples:
        if _key(sample) in some[sample["round"] // MOST].keys:
            rounds.setdefault(sample["round"], {})[_key(sample)] = sample
    return [sample for number, found in rounds.items() if len(found) == len(some[number // MOST].keys)
            for sample in found.values()]
