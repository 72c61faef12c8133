"""Medians, spreads, units and ratios."""
import unittest

from figures import Figures, best_of, geometric_mean, packed, parse, quantity, ratio, row_of, title, unpacked
from samples import sample


class Statistics(unittest.TestCase):
    def test_median_and_quartiles(self):
        figure = Figures(sample("a.b", 1, "blitz", 4, 1, 2, 3, 100)).get("a.b", 1, "blitz")
        self.assertEqual((figure.least, figure.low, figure.median, figure.high), (1, 2, 3, 4))
        self.assertAlmostEqual(figure.spread, 100 / 3)

    def test_one_sample_has_no_spread(self):
        figure = Figures(sample("a.b", 1, "blitz", 7)).get("a.b", 1, "blitz")
        self.assertEqual((figure.low, figure.high, str(figure)), (7, 7, "7.00 ns"))

    def test_units_are_brought_together(self):
        found = Figures(sample("a.b", 1, "blitz", 2, unit="us") + sample("a.peak", 1, "blitz", 3, unit="KiB"))
        self.assertEqual(found.get("a.b", 1, "blitz").median, 2000)
        self.assertEqual((found.get("a.peak", 1, "blitz").median, found.get("a.peak", 1, "blitz").unit), (3072, "B"))

    def test_ratio_is_taken_round_by_round(self):
        # A machine that slows down: each round's ratio is 2, that of the medians of unequal rounds is not.
        found = Figures(sample("a.b", 1, "x", 2, 20, 200) + sample("a.b", 1, "y", 1, 10))
        self.assertEqual(ratio(found.get("a.b", 1, "x"), found.get("a.b", 1, "y")).median, 2)

    def test_cores_with_another_user_do_not_count(self):
        def figure(*rounds, runtime="x"):
            found = Figures([{**one, "shared": shared} for value, turn, shared in rounds
                             for one in [{**sample("a.b", 1, runtime, value)[0], "round": turn}]])
            return found.get("a.b", 1, runtime)
        mixed = figure((4, 0, False), (9, 1, True), (5, 2, False))
        self.assertEqual(ratio(mixed, figure((2, 0, False), (9, 1, False), (9, 2, True))).rounds, {0: 2})
        self.assertEqual(ratio(mixed, figure((1, 0, True), (3, 1, False), (1, 2, True))).rounds, {0: 1.5})
        self.assertEqual(ratio(mixed, figure((2, 0, True), (3, 1, True))).rounds, {0: 2, 1: 3})
        self.assertEqual(best_of([mixed, figure((1, 0, False), (8, 1, True), (1, 2, True))]).whole, {0})

    def test_compilers(self):
        found = Figures(sample("a.b", 2, "blitz", 1) + sample("a.b", 2, "blitz-clang", 2) +
                        sample("a.c", 1, "stub-clang", 3) +
                        sample("a.d", 2, "native", 4))
        gcc, clang = found.built_by("gcc"), found.built_by("clang")
        self.assertEqual((gcc.get("a.b", 2, "blitz").median, clang.get("a.b", 2, "blitz").median), (1, 2))
        self.assertEqual((gcc.order, clang.order), (["a.b", "a.d"], ["a.b", "a.c"]))
        self.assertEqual((clang.stub("a.c").median, clang.team_sizes(), clang.others()), (3, [2], []))

    def test_a_file_keeps_them_apart(self):
        samples = [{**one, "shared": one["round"] == 1} for one in sample("a.b", 1, "x", 2, 3)]
        self.assertEqual(packed(samples)[0]["values"], [[0, 2], [1, 3, True]])
        self.assertEqual(unpacked(packed(samples)), samples)

    def test_ratio_of_nothing(self):
        found = Figures(sample("a.b", 1, "x", 2) + sample("a.b", 1, "zero", 0))
        self.assertIsNone(ratio(found.get("a.b", 1, "x"), None))
        self.assertIsNone(ratio(found.get("a.b", 1, "x"), found.get("a.b", 1, "zero")))

    def test_geometric_mean(self):
        self.assertAlmostEqual(geometric_mean([1, 4]), 2)
        self.assertIsNone(geometric_mean([]))


class Text(unittest.TestCase):
    def test_titles(self):
        self.assertEqual([title(name) for name in ("blitz", "blitz-clang", "libomp-clang", "old")],
                         ["Blitz", "Blitz, clang", "libomp, clang", "old"])

    def test_quantity(self):
        self.assertEqual([quantity(value, "ns") for value in (0.0457, 1, 66.84, 1234, 5e9)],
                         ["0.0457 ns", "1.00 ns", "66.8 ns", "1.23 us", "5.00 s"])
        self.assertEqual(quantity(64 * 1024**2, "B"), "64.0 MiB")

    def test_parse(self):
        self.assertEqual(parse("10 ms"), (1e7, "ns"))
        self.assertEqual(parse("64 MiB"), (64 * 1024**2, "B"))


class Names(unittest.TestCase):
    def test_rows(self):
        self.assertEqual(row_of("producer.0.1us"), ("producer", 0.1, "us"))
        self.assertEqual(row_of("for.even.10ns"), ("for.even", 10, "ns"))
        self.assertEqual(row_of("taskloop.100"), ("taskloop", 100, ""))
        self.assertIsNone(row_of("loops.dynamic1"))

    def test_best_way(self):
        found = Figures(sample("for.x.by_static", 2, "libgomp", 5) + sample("for.x.by_guided", 2, "libomp", 4) +
                        sample("for.xy", 2, "libgomp", 1) + sample("for.x", 2, "tbb", 6))
        self.assertEqual(found.best_way("for.x", 2, ["libgomp", "libomp", "tbb"])[0], "libomp, guided")
        self.assertEqual(found.best_way("for.x", 2, ["tbb"])[1].median, 6)
        self.assertEqual(found.best_way("for.x", 1, ["tbb"]), (None, None))


class BestOf(unittest.TestCase):
    def figures(self, *rows):
        found = Figures([one for n, row in enumerate(rows) for one in sample("a.b", 1, f"r{n}", *row)])
        return [found.get("a.b", 1, f"r{n}") for n in range(len(rows))]

    def test_takes_who_is_best_elsewhere(self):
        self.assertEqual(best_of(self.figures([4] * 5, [5, 1, 5, 5, 5])).rounds, dict.fromkeys(range(5), 4))
        self.assertEqual(best_of(self.figures([4, 4, 4], [3, 3, 9])).rounds, {0: 4, 1: 4, 2: 9})

    def test_equals_are_not_ahead_of_themselves(self):
        rows = [[10, 12, 11, 13, 14], [14, 10, 12, 11, 13], [13, 14, 10, 12, 11], [11, 13, 14, 10, 12], [12, 11, 13, 14, 10]]
        self.assertGreaterEqual(best_of(self.figures(*rows)).median, 12)

    def test_alone_or_nobody(self):
        self.assertEqual(best_of([None, *self.figures([4])]).median, 4)
        self.assertEqual(best_of(self.figures([4], [3])).median, 3)
        self.assertIsNone(best_of([None]))


if __name__ == "__main__":
    unittest.main()
