"""Rows that miss a goal: what is measured again, in what order and time, and what it decides."""
import unittest
from unittest import mock

import goals
import misses
import programs
import report
from goals import ANYBODY, BETTER, Goal, judge
from figures import Figures
from samples import result, sample

GOAL = Goal("g", "a.*", 2, "libgomp", most=1.02)
FIVE = [1] * 5


def all_of(*samples):
    return [one for some in samples for one in some]


def verdict(first, again, goal=GOAL):
    return judge(goal, Figures(all_of(*first)), Figures(all_of(*again)))


class Decides(unittest.TestCase):
    first = [sample("a.b", 2, "blitz", 1.47, 1.5, 1.4), sample("a.b", 2, "libgomp", 1, 1, 1),
             sample("a.c", 2, "blitz", 1, 1, 1), sample("a.c", 2, "libgomp", 1, 1, 1)]

    def again(self, *ours):
        return [sample("a.b", 2, "blitz", *ours), sample("a.b", 2, "libgomp", *[1] * len(ours))]

    def test_a_miss_by_chance(self):
        row = verdict(self.first, self.again(*FIVE))
        self.assertEqual((row.holds, row.missed, row.held), ("yes", (), ("a.b 1.47 x, again 1 x (5 rounds)",)))
        self.assertEqual(row.measured, "1 x (a.b); 2 of 2; 1 measured again")

    def test_a_miss_within_its_spread(self):
        row = verdict(self.first, self.again(1, 1, 1.03, 1.04, 1.05))
        self.assertEqual((row.holds, row.held), ("within its spread", ("a.b 1.47 x, again 1.03 x (5 rounds)",)))

    def test_a_miss_twice(self):
        row = verdict(self.first, self.again(1.3, 1.2, 1.2, 1.2, 1.1))
        self.assertEqual((row.holds, row.missed, row.held), ("NO", ("a.b 1.47 x, again 1.2 x (5 rounds)",), ()))

    def test_too_little_decides_nothing(self):
        for again, described in (([], "not measured again"), (self.again(*FIVE)[:1], "not measured again"),
                            (self.again(1, 1, 1, 1), "again 1 x (4 rounds, too few)")):
            row = verdict(self.first, again)
            self.assertEqual((row.holds, row.missed), ("NO", (f"a.b 1.47 x, {described}",)))
            self.assertEqual(row.measured, "1.47 x (a.b); 1 of 2")

    def test_rounds_beside_a_neighbour_do_not_count(self):
        for count, holds in ((2, "yes"), (3, "NO")):
            again = all_of(*self.again(1, 1, 1, 2, 2))
            for one in again:
                one["shared"] = one["round"] >= 5 - count
            self.assertEqual(verdict(self.first, [again]).holds, holds)

    def test_what_held_is_not_judged_again(self):
        again = [sample("a.c", 2, "blitz", *[9] * 5), sample("a.c", 2, "libgomp", *FIVE)]
        row = verdict(self.first[2:], again)
        self.assertEqual((row.holds, row.measured), ("yes", "1 x"))

    def test_all_of_several_others(self):
        first = [*self.first[:2], sample("a.b", 2, "libomp", 2, 2, 2)]
        goal = GOAL._replace(against=BETTER)
        self.assertEqual(verdict(first, self.again(*FIVE), goal).holds, "NO")
        self.assertEqual(verdict(first, [*self.again(*FIVE), sample("a.b", 2, "libomp", *[2] * 5)], goal).holds, "yes")

    def test_the_mean_stays(self):
        row = verdict(self.first[:2], self.again(*FIVE), GOAL._replace(mean=1.0))
        self.assertEqual((row.holds, row.measured), ("NO", "1 x, mean 1.47; 1 measured again"))

    def test_at_least(self):
        goal = GOAL._replace(most=None, least=2)
        row = verdict([sample("a.b", 2, "blitz", 1), sample("a.b", 2, "libgomp", 1.5)], self.again(*[0.4] * 5), goal)
        self.assertEqual((row.holds, row.held), ("yes", ("a.b 1.5 x as fast, again 2.5 x as fast (5 rounds)",)))

    def test_shares_and_amounts(self):
        share = Goal("g", "a.b", 2, "libgomp", least=2, share=True)
        of = lambda *values: [sample("a.b", 2, "blitz", *values), sample("a.b.ideal", 2, "blitz", *[1] * len(values)),
                              sample("a.b", 2, "libgomp", *[3] * len(values)),
                              sample("a.b.ideal", 2, "libgomp", *[1] * len(values))]
        self.assertEqual(verdict(of(3, 3), of(*[2] * 5), share).held, ("a.b 1 x less, again 2 x less (5 rounds)",))
        self.assertEqual(verdict(of(3, 3), of(*[2] * 5)[::2], share).holds, "NO")
        amount = Goal("g", "a.b", 2, below="2 ns")
        self.assertEqual(verdict(of(3, 3), of(*[1] * 5)[:1], amount).held, ("a.b 3.00 ns, again 1.00 ns (5 rounds)",))


class Groups(unittest.TestCase):
    """What is run for some misses."""

    def groups(self, some, *samples):
        samples = all_of(*samples)
        runs = {(one["name"], one["threads"], one["runtime"]): programs.Run(
            [f"bench_{one['workload']}", "5"], {"HOME": "/h"}, one["workload"], one["runtime"], one["threads"])
            for one in samples}
        with mock.patch.object(goals, "GOALS", some):
            return misses.groups({"samples": samples, "runs": runs})

    def described(self, groups):
        return [[(run.runtime, run.threads, run.environment.get("HARNESS_ONLY")) for run in group.runs] for group in groups]

    def test_ours_and_the_other_s_for_the_missed_row_alone(self):
        found = self.groups([GOAL], *Decides.first)
        self.assertEqual(self.described(found), [[("blitz", 2, "a.b"), ("libgomp", 2, "a.b")]])
        self.assertEqual(found[0].keys, {("a.b", 2, "blitz"), ("a.b", 2, "libgomp")})
        self.assertEqual(found[0].runs[0].command, ["bench_a", "5"])

    def test_nothing_missed(self):
        self.assertEqual(self.groups([GOAL], *Decides.first[2:]), [])

    def test_the_worst_first(self):
        found = self.groups([GOAL._replace(figures="*")], *Decides.first, sample("c.d", 2, "blitz", 3),
                            sample("c.d", 2, "libgomp", 2), sample("e.f", 2, "blitz", 3), sample("e.f", 2, "libgomp", 1))
        self.assertEqual([group.runs[0].workload for group in found], ["e", "c", "a"])

    def test_a_few_rows_together(self):
        rows = [sample(f"a.{i}", 2, runtime, value) for i in range(8)
                for runtime, value in (("blitz", 2 + i), ("libgomp", 1))]
        found = self.groups([GOAL], *rows)
        self.assertEqual([group.runs[0].environment["HARNESS_ONLY"] for group in found],
                         ["a.2 a.3 a.4 a.5 a.6 a.7", "a.0 a.1"])

    def test_all_others_in_all_ways(self):
        goal = Goal("g", "a.*", 2, ANYBODY, most=1.0, of="native")
        found = self.groups([goal], sample("a.b.by_type", 2, "native", 3), sample("a.b", 2, "tbb", 2),
                            sample("a.b.by_static", 2, "libomp", 4), sample("a.b.by_std", 1, "serial", 4))
        self.assertEqual(self.described(found), [[("tbb", 2, "a.b"), ("libomp", 2, "a.b"), ("serial", 1, "a.b"),
                                             ("native", 2, "a.b")]])

    def test_a_row_that_misses_several_goals(self):
        found = self.groups([GOAL, GOAL._replace(against="libomp")], *Decides.first[:2], sample("a.b", 2, "libomp", 1.2))
        self.assertEqual([[run.runtime for run in group.runs] for group in found], [["blitz", "libgomp", "libomp"]])

    def test_peaks_are_those_of_whole_programs(self):
        found = self.groups([Goal("g", "a.peak", 2, below="1 MiB")], sample("a.peak", 2, "blitz", 3, unit="MiB"))
        self.assertEqual(self.described(found), [[("blitz", 2, None)]])

    def test_rounds_without_some_do_not_count(self):
        found = self.groups([GOAL], *Decides.first)
        again = all_of(sample("a.b", 2, "blitz", 1, 1, 1), sample("a.c", 2, "blitz", 1), sample("a.b", 2, "libgomp", 1, 1))
        kept = misses.complete(again, found)
        self.assertEqual(sorted((one["runtime"], one["round"]) for one in kept),
                         [("blitz", 0), ("blitz", 1), ("libgomp", 0), ("libgomp", 1)])


class Time(unittest.TestCase):
    """Groups that take so many seconds each; the number of rounds that each gets."""

    def rounds(self, costs, limit, shared=(), part=0.0, wholes=()):
        now, samples = [0.0], []
        groups = [misses.Group([programs.Run([i], {}, "a", "blitz", 2, seconds=wholes[i] if wholes else 0)],
                               {(f"a.{i}", 2, "blitz")}) for i in range(len(costs))]
        schedule = misses.Schedule(groups, limit, samples, part, lambda: now[0])
        counts, numbers = [0] * len(costs), []
        for number, (run,) in schedule:
            i = run.command[0]
            counts[i] += 1
            numbers.append(number)
            now[0] += costs[i]
            samples += [{**one, "shared": i in shared} for one in sample(f"a.{i}", 2, "blitz", 1)]
        self.assertEqual(len(set(numbers)), len(numbers))
        self.assertLessEqual(now[0], limit)
        return counts

    def test_enough(self):
        self.assertEqual(self.rounds([1, 2], 1000), [misses.MOST] * 2)

    def test_as_many_as_fit_in_turn(self):
        self.assertEqual(self.rounds([1, 1], 14), [7, 7])

    def test_the_worst_first_if_it_does_not_suffice(self):
        self.assertEqual(self.rounds([2, 2, 2, 2], 20), [5, 5, 0, 0])
        self.assertEqual(self.rounds([9, 1, 1], 25), [1, 8, 8])
        self.assertEqual(self.rounds([1] * 3, 0), [0] * 3)

    def test_a_program_that_might_not_end_in_time(self):
        self.assertEqual(self.rounds([1, 1], 14, wholes=[14, 13]), [0, 14])

    def test_more_for_those_beside_a_neighbour(self):
        self.assertEqual(self.rounds([1, 1], 16, shared=[1]), [5, 11])
        self.assertEqual(self.rounds([1, 1], 16, part=0.5), [15, 1])


class Report(unittest.TestCase):
    def test_both_figures(self):
        samples = [sample("nqueens.task", 2, "blitz", 9), sample("nqueens.task", 1, "stub", 10),
                   sample("fib.task", 2, "blitz", 9), sample("fib.task", 1, "stub", 10)]
        again = all_of(sample("nqueens.task", 2, "blitz", *FIVE), sample("nqueens.task", 1, "stub", *[2] * 5))
        text = report.markdown({**result(*samples), "again": again})
        self.assertIn("Goals missed by more than their spread:\n\n- Fibonacci, no cut-off, 2 threads: fib.task 0.9 x, not "
                      "measured again\n", text)
        self.assertIn("which alone decides:\n\n- n-queens 11, 2 threads: nqueens.task 0.9 x, again 0.5 x (5 rounds)\n", text)
        self.assertIn("| at most 0.65 x stub | 0.5 x; 1 measured again | yes |", text)
        self.assertNotIn("again", report.markdown(result(*samples)))


if __name__ == "__main__":
    unittest.main()
