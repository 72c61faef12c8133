"""Goals: which figures they take, against what, and when they hold."""
import unittest

from figures import Figures
from goals import ANYBODY, BETTER, GOALS, OTHERS, Goal, judge
from samples import sample


def verdict(goal, *samples):
    return judge(goal, Figures([one for some in samples for one in some]))


class Holds(unittest.TestCase):
    def test_at_most(self):
        goal = Goal("g", "a.*", 2, "libgomp", most=1.0)
        self.assertEqual(verdict(goal, sample("a.b", 2, "blitz", 9), sample("a.b", 2, "libgomp", 10)).holds, "yes")
        self.assertEqual(verdict(goal, sample("a.b", 2, "blitz", 11), sample("a.b", 2, "libgomp", 10)).holds, "NO")

    def test_at_least(self):
        goal = Goal("g", "a.b", 2, "libgomp", least=3)
        self.assertEqual(verdict(goal, sample("a.b", 2, "blitz", 1), sample("a.b", 2, "libgomp", 3)).holds, "yes")
        bad = verdict(goal, sample("a.b", 2, "blitz", 1), sample("a.b", 2, "libgomp", 2))
        self.assertEqual((bad.holds, bad.measured), ("NO", "2 x as fast"))

    def test_spread_decides_nothing(self):
        goal = Goal("g", "a.b", 2, "libgomp", most=1.0)
        near = verdict(goal, sample("a.b", 2, "blitz", 9, 11, 12), sample("a.b", 2, "libgomp", 10, 10, 10))
        self.assertEqual(near.holds, "within its spread")

    def test_the_worst_counts(self):
        goal = Goal("g", "a.*", 2, "libgomp", most=1.0)
        row = verdict(goal, sample("a.b", 2, "blitz", 1), sample("a.b", 2, "libgomp", 2), sample("a.c", 2, "blitz", 3),
                      sample("a.c", 2, "libgomp", 2))
        self.assertEqual((row.holds, row.measured), ("NO", "1.5 x (a.c); 1 of 2"))
        self.assertEqual(row.missed, ("a.c 1.5 x",))

    def test_mean(self):
        goal = Goal("g", "a.*", 2, "libgomp", most=1.02, mean=1.0)
        samples = [sample("a.b", 2, "blitz", 1.01), sample("a.b", 2, "libgomp", 1), sample("a.c", 2, "libgomp", 1)]
        self.assertEqual(verdict(goal, *samples, sample("a.c", 2, "blitz", 0.9)).holds, "yes")
        self.assertEqual(verdict(goal, *samples, sample("a.c", 2, "blitz", 1)).holds, "NO")

    def test_not_measured(self):
        goal = Goal("g", "a.b", 2, "libgomp", most=1.0)
        self.assertEqual(verdict(goal, sample("a.b", 1, "blitz", 1), sample("a.b", 2, "libgomp", 1)).holds, "not measured")


class Against(unittest.TestCase):
    def test_better_peer_is_under_the_same_binary(self):
        goal = Goal("g", "a.b", 2, BETTER, most=1.0)
        samples = [sample("a.b", 2, "blitz", 4), sample("a.b", 2, "libgomp", 8), sample("a.b", 2, "libomp", 5),
                   sample("a.b", 2, "libomp-clang", 1), sample("a.b", 2, "old", 1)]
        self.assertEqual(verdict(goal, *samples).measured, "0.8 x")

    def test_stub_runs_on_one_thread(self):
        goal = Goal("g", "a.b", 2, "stub", most=0.6)
        self.assertEqual(verdict(goal, sample("a.b", 2, "blitz", 3), sample("a.b", 1, "stub", 6)).measured, "0.5 x")

    def test_own_figure(self):
        goal = Goal("g", "a.over", 2, "=a.b", most=1.15)
        self.assertEqual(verdict(goal, sample("a.over", 2, "blitz", 6), sample("a.b", 2, "blitz", 5)).holds, "NO")
        goal = Goal("g", "a.b", 2, "=a.b", least=1.85, of="native", against_threads=1)
        self.assertEqual(verdict(goal, sample("a.b", 2, "native", 5), sample("a.b", 1, "native", 10)).holds, "yes")

    def test_amount(self):
        goal = Goal("g", "a.cpu", 2, below="10 ms")
        self.assertEqual(verdict(goal, sample("a.cpu", 2, "blitz", 9, unit="ms")).holds, "yes")
        self.assertEqual(verdict(goal, sample("a.cpu", 2, "blitz", 0.02, unit="s")).holds, "NO")

    def test_others_in_their_best_way(self):
        goal = Goal("g", "for.*", 2, OTHERS, most=1.0, of="native")
        samples = [sample("for.x", 2, "native", 4), sample("for.x", 2, "tbb", 5), sample("for.x.by_static", 2, "libomp", 3)]
        row = verdict(goal, *samples)
        self.assertEqual((row.holds, row.measured), ("NO", "1.33 x"))

    def test_serial_functions_count_if_asked_for(self):
        goal = Goal("g", "sort.*", 2, ANYBODY, most=1.0, of="native")
        samples = [sample("sort.x.by_type", 2, "native", 4), sample("sort.x", 2, "tbb", 5),
                   sample("sort.x.by_std", 1, "serial", 2)]
        self.assertEqual(verdict(goal, *samples).measured, "2 x")
        self.assertEqual(verdict(goal._replace(against=OTHERS), *samples).measured, "0.8 x")

    def test_cpu_only_if_asked_for(self):
        goal = Goal("g", "a.*", 2, "libgomp", most=1.0)
        samples = [sample("a.b.cpu", 2, "blitz", 2), sample("a.b.cpu", 2, "libgomp", 1)]
        self.assertEqual(verdict(goal, *samples).holds, "not measured")
        self.assertEqual(verdict(goal._replace(figures="a.*.cpu"), *samples).holds, "NO")


    def test_what_clang_built(self):
        samples = [sample("fib.task", 1, "stub", 9), sample("fib.task", 1, "stub-clang", 4),
                   sample("fib.task", 2, "blitz", 1),
                   sample("fib.task", 2, "blitz-clang", 2), sample("fib.task", 2, "libomp-clang", 8),
                   sample("fib.task", 2, "libomp", 1)]
        goal = Goal("g", "fib.task", 2, "stub-clang", most=0.6, of="blitz-clang")
        self.assertEqual(verdict(goal, *samples).measured, "0.5 x")
        self.assertEqual(verdict(goal._replace(figures="*", against="libomp-clang"), *samples).measured, "0.25 x")
        self.assertEqual(verdict(goal._replace(against="blitz"), *samples).measured, "2 x")


class Shares(unittest.TestCase):
    goal = Goal("g", "a.b", 2, "libgomp", least=4, share=True)

    def verdict(self, ours, theirs):
        return verdict(self.goal, sample("a.b", 2, "blitz", *ours), sample("a.b.ideal", 2, "blitz", 10, 11),
                       sample("a.b", 2, "libgomp", *theirs), sample("a.b.ideal", 2, "libgomp", 9, 10))

    def test_what_the_bodies_take_does_not_count(self):
        self.assertEqual(self.verdict([11, 12], [14, 15])[2:5], ("at least 4 x less than libgomp", "5 x less", "yes"))
        self.assertEqual(self.verdict([11, 12], [12, 13])[3:5], ("3 x less", "NO"))

    def test_too_little_to_measure(self):
        self.assertEqual(self.verdict([9, 11], [12, 13])[3:5], ("too little to measure", "yes"))
        self.assertEqual(self.verdict([11, 12], [8, 9])[3:5], ("-", "not measured"))

    def test_no_ideal(self):
        row = verdict(self.goal, sample("a.b", 2, "blitz", 1), sample("a.b", 2, "libgomp", 9),
                      sample("a.b.ideal", 2, "libgomp", 1))
        self.assertEqual(row.holds, "not measured")

    def test_ideals_are_no_times_to_judge(self):
        goal = Goal("g", "*", 2, "libgomp", most=1.0)
        row = verdict(goal, sample("a.b.ideal", 2, "blitz", 2), sample("a.b.ideal", 2, "libgomp", 1))
        self.assertEqual(row.holds, "not measured")


class Table(unittest.TestCase):
    def test_each_goal_has_one_limit(self):
        for goal in GOALS:
            limits = [goal.most, goal.least, goal.below]
            self.assertEqual(sum(limit is not None for limit in limits), 1, goal)
            self.assertEqual(goal.against is None, goal.below is not None, goal)


if __name__ == "__main__":
    unittest.main()
