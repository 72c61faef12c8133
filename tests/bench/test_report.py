"""Tables: the right figures in the right columns."""
import os
import tempfile
import unittest

import report
from samples import result, sample


def cells(text, heading, name):
    """The cells of the row `name` in the table under `heading`."""
    table = text[text.index(heading):].split("\n\n")[1]
    return next([cell.strip() for cell in line.split("|")[2:-1]] for line in table.split("\n")
                if line.startswith(f"| {name} |"))


class Markdown(unittest.TestCase):
    samples = [
        sample("fib.task", 1, "stub", 8, 8, 8), sample("fib.task", 1, "blitz", 10, 10, 10),
        sample("fib.task", 1, "libgomp", 60, 61, 62),
        sample("fib.task", 2, "blitz", 4), sample("fib.task", 2, "libgomp", 400),
        sample("fib.task.cpu", 2, "blitz", 8), sample("fib.peak", 2, "blitz", 2048, unit="KiB"),
        sample("fib.native", 1, "serial", 20, unit="ms"), sample("fib.native", 1, "native", 40, unit="ms"),
        sample("fib.native", 2, "native", 20, unit="ms"), sample("fib.native", 2, "tbb", 200, unit="ms")]

    def test_ratios(self):
        text = report.markdown(result(*self.samples))
        self.assertEqual(cells(text, "Ratios, 1 thread ", "fib.task"), ["10.0 ns ±0 %", "6.1", "0.8"])
        self.assertEqual(cells(text, "Ratios, 2 threads ", "fib.task"), ["4.00 ns", "100", "2"])

    def test_what_clang_built_stands_apart(self):
        more = [sample("fib.task", 2, "blitz-clang", 5), sample("fib.task", 2, "libomp-clang", 50),
                sample("fib.task", 1, "stub-clang", 7)]
        text = report.markdown(result(*self.samples, *more))
        self.assertEqual(cells(text, "Ratios, 2 threads ", "fib.task"), ["4.00 ns", "100", "2"])
        self.assertEqual(cells(text, "Ratios, built by clang, 2 threads ", "fib.task"), ["5.00 ns", "10", "1.4"])
        self.assertEqual(cells(text, "Wall time, built by clang, 2 threads:", "fib.task"), ["50.0 ns", "5.00 ns", "7.00 ns"])
        self.assertIn("| clang: Fibonacci, no cut-off | 2 threads | at most 0.6 x stub, clang | 0.714 x | NO |", text)
        brief = report.brief_markdown(result(*self.samples, *more))
        self.assertEqual(cells(brief, "OpenMP, built by clang, 2 threads:", "fib.task"), ["5.00 ns", "50.0 ns", "10", ""])

    def test_what_bodies_do_not_take(self):
        more = [sample("loops.x", 2, "blitz", 11, 12, 15), sample("loops.x.ideal", 2, "blitz", 10, 10, 10),
                sample("loops.x", 2, "libgomp", 14, 18, 22), sample("loops.x.ideal", 2, "libgomp", 8, 8, 12)]
        text = report.markdown(result(*self.samples, *more))
        self.assertEqual(cells(text, "What the runtimes take beside the bodies, 2 threads:", "loops.x"),
                         ["10.0 ns ±0 %", "2.00 ns ±50 %", "10.0 ns ±10 %", "5"])
        self.assertNotIn("beside the bodies, 1 thread", text)
        self.assertNotIn("loops.x.ideal", text)
        self.assertIn("| loops.x |", report.brief_markdown(result(*self.samples, *more)))

    def test_geometric_mean(self):
        more = [sample("tree.task", 2, "blitz", 1), sample("tree.task", 2, "libgomp", 4)]
        text = report.markdown(result(*self.samples, *more))
        self.assertEqual(cells(text, "Ratios, 2 threads ", "geometric mean"), ["", "20", "2"])

    def test_ways_are_compared_by_their_best(self):
        more = [sample("for.x", 2, "native", 2), sample("for.x.by_guided", 2, "libgomp", 4),
                sample("for.x.by_static", 2, "libgomp", 3), sample("for.x.by_static", 2, "blitz", 3)]
        text = report.markdown(result(*self.samples, *more))
        self.assertEqual(cells(text, "Native, 2 threads:", "for.x")[-1], "1.5 (libgomp, static)")
        self.assertNotIn("by_", text[text.index("Ratios, 2"):text.index("Native, 1")])
        self.assertEqual(cells(text, "Wall time, 2 threads:", "for.x.by_static"), ["3.00 ns", "3.00 ns", "-"])

    def test_serial_function(self):
        more = [sample("depend.x", 1, "serial", 5), sample("depend.x", 2, "blitz", 4), sample("depend.x", 2, "libgomp", 8)]
        text = report.markdown(result(*self.samples, *more))
        self.assertEqual(cells(text, "Wall time, 2 threads:", "depend.x"), ["8.00 ns", "4.00 ns", "5.00 ns", "-"])

    def test_native(self):
        text = report.markdown(result(*self.samples))
        self.assertEqual(cells(text, "Native, 2 threads:", "fib.native"),
                         ["20.0 ms", "20.0 ms", "1", "2", "10", "-"])

    def test_native_ways_are_compared_by_their_best(self):
        more = [sample("sort.x.by_type", 2, "native", 2), sample("sort.x.by_function", 2, "native", 4),
                sample("sort.x.by_std", 1, "serial", 6), sample("sort.x.by_type", 1, "native", 3),
                sample("sort.x", 2, "libstdc++", 5)]
        text = report.markdown(result(*self.samples, *more))
        self.assertEqual(cells(text, "Native, 2 threads:", "sort.x"),
                         ["6.00 ns", "2.00 ns", "0.333", "1.5", "-", "2.5", "-"])

    def test_cpu_time_and_memory_stand_apart(self):
        text = report.markdown(result(*self.samples))
        self.assertEqual(cells(text, "CPU time of all threads, 2 threads:", "fib.task.cpu"), ["8.00 ns", "-"])
        self.assertEqual(cells(text, "Most memory, 2 threads:", "fib.peak"), ["2.00 MiB", "-"])
        self.assertNotIn("fib.task.cpu", text[text.index("Wall time, 2"):text.index("CPU time of all threads, 2")])

    def test_saved_and_loaded(self):
        with tempfile.TemporaryDirectory() as folder:
            report.save(folder + "/r.json", result(*self.samples))
            self.assertEqual(report.markdown(report.load(folder + "/r.json")), report.markdown(result(*self.samples)))

    def test_goals_and_what_went_wrong(self):
        text = report.markdown(result(*self.samples, shortened=["left out: tree (2)"], failed=["fib: wrong"]))
        self.assertIn("| Fibonacci, no cut-off | 1 thread | at most 1.3 x stub | 1.25 x | yes |", text)
        self.assertIn("Not all was measured as often as asked; with the threads:\n\n- left out: tree (2)", text)
        self.assertIn("Failed:\n\n- fib: wrong", text)

    def test_every_row_has_all_cells(self):
        for write in (report.markdown, report.brief_markdown):
            for block in write(result(*self.samples)).split("\n\n"):
                widths = {line.count("|") for line in block.strip().split("\n") if line.startswith("|")}
                self.assertLessEqual(len(widths), 1, block)


class Summary(unittest.TestCase):
    samples = [sample("fib.task", 2, "blitz", 10), sample("fib.task", 2, "libgomp", 400),
               sample("fib.task", 2, "libomp", 30), sample("fib.task", 8, "blitz", 10),
               sample("sort.int64.random.1e6.by_type", 2, "native", 2),
               sample("sort.int64.random.1e6", 2, "blitz", 1), sample("sort.int64.random.1e6", 2, "rayon", 3)]

    def summary(self, **facts):
        return report.summary(result(*self.samples, **facts))

    def test_rows_that_stand_for_all(self):
        text = self.summary()
        self.assertEqual(cells(text, "What stands for all, 2 threads", "Fibonacci, a task for each call"),
                         ["10.0 ns", "30.0 ns", "libomp", "3"])
        self.assertEqual(cells(text, "What stands for all, 2 threads", "a native sort of a million integers"),
                         ["2.00 ns", "3.00 ns", "Rayon", "1.5"])
        self.assertEqual(len(report.LEAD) + len(report.LEAD_NATIVE), 10)

    def test_they_come_before_all_others(self):
        text = report.markdown(result(*self.samples))
        self.assertLess(text.index("What stands for all"), text.index("Goals:"))
        self.assertLess(text.index("Goals:"), text.index("Ratios, "))

    def test_what_is_missing_comes_first(self):
        text = self.summary(shortened=["1 of 5 rounds: sort (1, 2)"], left_out=["Rayon is left out: no program"])
        self.assertLess(text.index("- 1 of 5 rounds: sort (1, 2)"), text.index("- Rayon is left out: no program"))
        self.assertLess(text.index("- Rayon is left out: no program"), text.index("What stands for all"))

    def test_a_busy_machine_judges_nothing(self):
        for facts in ({"others": 0.6}, {"load": [2.1, 9]}):
            text = report.markdown(result(*self.samples, **facts))
            self.assertIn("**Nothing is judged: ", text)
            self.assertNotIn("Goals", text)
        for facts in ({"others": 0.4, "load": [9, 9]}, {"load": [2, 9]}, {"others": 55, "cpus": 64}):
            self.assertNotIn("Nothing is judged", self.summary(**facts))


class Brief(unittest.TestCase):
    samples = [
        sample("sync.barrier", 2, "blitz", 50, 50, 50), sample("sync.barrier", 2, "libgomp", 200, 200, 200),
        sample("sync.barrier", 2, "libomp", 100, 100, 100), sample("sync.locks", 2, "blitz", 10),
        sample("sync.locks", 2, "libgomp", 9), sample("sync.locks.cpu", 2, "blitz", 1),
        sample("sync.locks.cpu", 2, "libgomp", 99), sample("tree.task", 2, "blitz", 4),
        sample("tree.task", 2, "libgomp", 8), sample("tree.task", 1, "blitz", 4),
        sample("fib.native", 1, "serial", 20, unit="ms"), sample("fib.native", 1, "native", 40, unit="ms"),
        sample("fib.native", 2, "native", 20, unit="ms"), sample("spawns.storm", 2, "native", 3)]

    def setUp(self):
        self.text = report.brief_markdown(result(*self.samples))

    def test_a_row_for_each_workload(self):
        self.assertEqual(cells(self.text, "OpenMP, 2 threads:", "sync.barrier"),
                         ["50.0 ns ±0 %", "200 ns ±0 %", "100 ns ±0 %", "2", "0.9 to 2"])
        self.assertNotIn("| sync.locks |", self.text)

    def test_a_peer_that_is_missing(self):
        self.assertEqual(cells(self.text, "OpenMP, 2 threads:", "tree.task"), ["4.00 ns", "8.00 ns", "-", "2", ""])

    def test_native(self):
        self.assertEqual(cells(self.text, "Native, 2 threads:", "fib.native"), ["20.0 ms", "20.0 ms", "1", "2", "-"])
        self.assertNotIn("| spawns.storm |", self.text)

    def test_each_row_stands_for_a_workload_of_its_own(self):
        for names, source in ((report.BRIEF, "omp.c"), (report.BRIEF_NATIVE, "blitz.c")):
            folders = [name.split(".")[0] for name in names]
            self.assertEqual(len(set(folders)), len(folders))
            for folder in folders:
                path = os.path.join(os.path.dirname(report.__file__), folder, source)
                self.assertTrue(os.path.exists(path), path)


if __name__ == "__main__":
    unittest.main()
