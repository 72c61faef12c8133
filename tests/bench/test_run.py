"""The runner: what it finds, who gets the time, what it says of it, and what it makes of programs that fail."""
import argparse
import io
import os
import tempfile
import unittest
from unittest import mock

import misses
import programs
import report
import run
from samples import sample

RUN = programs.Run([], {}, "w", "blitz", 1)


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def played(costs, rounds, limit):
    """The schedule of groups that take that many seconds each, as (round, name) in turn, and what it says of them."""
    clock = Clock()
    groups = [[RUN._replace(workload=name)] for name in costs]
    schedule, turns = run.Schedule(groups, rounds, limit, clock), []
    for turn, group in schedule:
        turns.append((turn, group[0].workload))
        clock.now += costs[group[0].workload]
    return turns, schedule.shortened(), clock.now


class Budget(unittest.TestCase):
    def test_without_a_limit(self):
        turns, shortened, _ = played({"a": 5, "b": 1}, 2, None)
        self.assertEqual(turns, [(0, "a"), (0, "b"), (1, "a"), (1, "b")])
        self.assertEqual(shortened, [])

    def test_first_everybody_once_then_the_cheap_ones(self):
        turns, shortened, end = played({"a": 5, "b": 1, "c": 2}, 3, 14)
        self.assertEqual(turns, [(0, "a"), (0, "b"), (0, "c"), (1, "b"), (1, "c"), (2, "b"), (2, "c")])
        self.assertEqual(shortened, ["1 of 3 rounds: a (1)"])
        self.assertLessEqual(end, 14)

    def test_what_is_left_out_is_said(self):
        turns, shortened, _ = played({"a": 5, "b": 6, "c": 2}, 2, 10)
        self.assertEqual(turns, [(0, "a"), (0, "b")])
        self.assertEqual(shortened, ["left out: c (1)", "1 of 2 rounds: a (1), b (1)"])

    def test_groups_with_few_rounds(self):
        groups = [[RUN._replace(workload="a", rounds=1)], [RUN._replace(workload="b")]]
        schedule = run.Schedule(groups, 2, None, Clock())
        self.assertEqual([(turn, group[0].workload) for turn, group in schedule], [(0, "a"), (0, "b"), (1, "b")])
        self.assertEqual(schedule.shortened(), [])

    def test_quick_mode_ends_in_five_minutes(self):
        args = run.arguments(["--quick"])
        for cost in (1, 7, 13):
            _, _, end = played({str(i): cost for i in range(50)}, args.rounds, args.minutes * 60)
            self.assertLess(end, 300)

    def test_nobody_is_always_first(self):
        self.assertEqual([run.in_turn(["a", "b", "c"], turn)[0] for turn in range(4)], ["a", "b", "c", "a"])


class Telling(unittest.TestCase):
    def left(self, costs, rounds, limit=None):
        """ The remaining time that is printed when each group of the first two rounds begins."""
        clock = Clock()
        groups = [[RUN._replace(workload=name)] for name in costs]
        schedule, said = run.Schedule(groups, rounds, limit, clock), []
        for turn, group in schedule:
            if turn < 2:
                said.append(schedule.left_s())
            clock.now += costs[group[0].workload]
        return said

    def test_time_left(self):
        self.assertEqual(self.left({"a": 4, "b": 2}, 2), [None, 8 / 2 + 2 * 4, 4 + 2, 2])
        self.assertEqual(self.left({"a": 4, "b": 2}, 2, 100), [100, 12, 6, 4])
        self.assertEqual(self.left({"a": 4, "b": 2}, 100, 10), [10, 6, 4])

    def test_the_program_that_runs_counts(self):
        clock = Clock()
        schedule = run.Schedule([[RUN]], 2, None, clock)
        turns = iter(schedule)
        next(turns)
        clock.now += 10
        next(turns)
        clock.now += 3
        self.assertEqual(schedule.left_s(), 7)
        clock.now += 30
        self.assertEqual(schedule.left_s(), 0)

    def test_durations(self):
        self.assertEqual([run.duration(some) for some in (0, 59.4, 59.6, 185)], ["0 s", "59 s", "1:00 min", "3:05 min"])

    def output(self, terminal):
        clock, out = Clock(), io.StringIO()
        out.isatty = lambda: terminal
        schedule = run.Schedule([[RUN]] * 3, 1, 60, clock)
        progress = run.Progress(schedule, out, clock)
        for turn, group in schedule:
            progress.show(turn, group[0]._replace(threads=2))
            clock.now += 6
        progress.end()
        return out.getvalue()

    def test_progress_in_a_file(self):
        self.assertEqual(self.output(False), "run.py: round 1 of 1: w, 2 threads, blitz; 0 s gone, about 1:00 min left\n"
                                            "run.py: round 1 of 1: w, 2 threads, blitz; 12 s gone, about 6 s left\n")

    def test_progress_on_a_terminal(self):
        text = self.output(True)
        self.assertEqual((text.count("\r"), text.count("\n")), (4, 0))
        self.assertTrue(text.endswith("\r\033[K"))

    def test_others(self):
        for text, count in (("0.1 0.2 0.3 3/100 7\n", 2), ("0.1 0.2 0.3 0/100 7\n", 0), ("nothing", None)):
            with mock.patch("builtins.open", mock.mock_open(read_data=text)):
                self.assertEqual(run.others_runnable(), count)


class Arguments(unittest.TestCase):
    def test_modes(self):
        self.assertIsNone(run.arguments([]).minutes)
        self.assertEqual(run.arguments(["--quick", "--ms", "7"]).ms, 7)
        self.assertEqual(run.arguments(["--threads", "1,8"]).threads, [1, 8])
        self.assertEqual([run.arguments(mode).large for mode in ([], ["--quick"], ["--no-large"])], [True, False, False])

    def test_time_for_misses(self):
        again = lambda *options: run.arguments(options).again
        self.assertEqual([again(), again("--minutes", "10"), again("--again", "0")], [5, 2.5, 0])
        self.assertEqual(again("--minutes", "3", "--again", "2"), 2)
        with open(os.devnull, "w", encoding="utf8") as nowhere, mock.patch("sys.stderr", nowhere):
            self.assertRaises(SystemExit, again, "--minutes", "2", "--again", "2")
            self.assertRaises(SystemExit, again, "--again", "-1")

    def test_compiler(self):
        self.assertIsNone(run.arguments([]).compiler)
        self.assertEqual(run.arguments(["--compiler", "clang"]).compiler, ["clang"])
        with open(os.devnull, "w", encoding="utf8") as nowhere, mock.patch("sys.stderr", nowhere):
            self.assertRaises(SystemExit, run.arguments, ["--compiler", "icc"])

    def test_bad_threads(self):
        with open(os.devnull, "w", encoding="utf8") as nowhere, mock.patch("sys.stderr", nowhere):
            for bad in ("0", "two", "1,"):
                self.assertRaises(SystemExit, run.arguments, ["--threads", bad])


class Scripts(unittest.TestCase):
    """Programs that are shell scripts, in a build folder of their own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = folder.name
        os.mkdir(self.build + "/bench")

    def script(self, name, body):
        path = f"{self.build}/bench/{name}"
        with open(path, "w", encoding="utf8") as file:
            file.write("#!/bin/sh\n" + body + "\n")
        os.chmod(path, 0o755)
        return path

    def measured(self, body, timeout=20, runtime="blitz"):
        result = {"samples": [], "failed": [], "peers_failed": []}
        run.measure(RUN._replace(command=[self.script("program", body), "5"], runtime=runtime), 3, timeout, result)
        return result

    def test_discover(self):
        for name in ("bench_fib_serial", "bench_fib_omp_clang", "bench_for_rayon", "bench_fib_other", "micro"):
            self.script(name, "exit 0")
        with open(self.build + "/bench/bench_fib_omp_clang.o", "w", encoding="utf8"):
            pass
        found = programs.discover(self.build)
        self.assertEqual({workload: list(variants) for workload, variants in found.items()},
                         {"fib": ["omp_clang", "serial"], "for": ["rayon"]})

    def test_nothing_built(self):
        self.assertRaises(SystemExit, programs.discover, self.build)

    def test_native_groups(self):
        for name in ("bench_fib_serial", "bench_fib_blitz", "bench_fib_rayon"):
            self.script(name, "exit 0")
        with mock.patch.dict(os.environ, {"OMP_PROC_BIND": "true", "LD_PRELOAD": "", "HOME": "/h"}):
            groups = programs.groups(programs.discover(self.build), {}, programs.Selection(ms=9))
        self.assertEqual([[(one.runtime, one.threads) for one in group] for group in groups],
                         [[("serial", 1), ("native", 1), ("rayon", 1)], [("native", 2), ("rayon", 2)]])
        env = groups[1][0].environment
        self.assertEqual([env.get(name) for name in ("OMP_NUM_THREADS", "BLITZ_WORKERS", "RAYON_NUM_THREADS", "HOME",
                                                     "OMP_PROC_BIND", "LD_PRELOAD")], ["2", "2", "2", "/h", None, None])
        self.assertEqual(groups[1][0].command[1:], ["9"])

    def test_launched_programs(self):
        for name in ("bench_mpi_serial", "bench_fib_serial"):
            self.script(name, "exit 0")
        with open(self.build + "/bench/mpi.launch", "w", encoding="utf8") as file:
            file.write("mpirun -np 2\n")
        groups = programs.groups(programs.discover(self.build), {}, programs.Selection(threads=[1], ms=9))
        self.assertEqual([group[0].command for group in groups],
                         [[self.build + "/bench/bench_fib_serial", "9"],
                          ["mpirun", "-np", "2", self.build + "/bench/bench_mpi_serial", "9"]])

    def test_selection(self):
        for name in ("bench_fib_serial", "bench_fib_blitz", "bench_for_blitz", "bench_sync_blitz"):
            self.script(name, "exit 0")
        found = programs.discover(self.build)
        chosen = lambda **wanted: [(one.workload, one.runtime, one.threads)
                                   for group in programs.groups(found, {}, programs.Selection(**wanted)) for one in group]
        self.assertEqual(chosen(workloads=["for"], threads=[4]), [("for", "native", 4)])
        self.assertEqual(chosen(runtimes=["serial"]), [("fib", "serial", 1)])
        self.assertEqual([threads for _, _, threads in chosen(workloads=["sync"])], programs.THREADS["sync"])

    def test_large_sizes_have_a_group_of_their_own(self):
        for name in ("bench_sort_blitz", "bench_fib_blitz"):
            self.script(name, "exit 0")
        found = programs.discover(self.build)
        chosen = lambda large: [(group[0].workload, group[0].command[2:], group[0].rounds) for group in
                                programs.groups(found, {}, programs.Selection(threads=[1], large=large))]
        usual = [("fib", [], None), ("sort", [], None)]
        self.assertEqual(chosen(False), usual)
        self.assertEqual(chosen(True), usual + [("sort", ["large"], programs.LARGE_ROUNDS)])

    def test_what_cannot_be_run_is_said(self):
        for name in ("bench_scan_omp_clang", "bench_fib_serial"):
            self.script(name, "exit 2")
        found = programs.discover(self.build)
        tables = {"gcc": {"libgomp": None, "libomp": "/l"}, "clang": {"libomp": None, "blitz": "/b"}}
        said = lambda **wanted: programs.left_out(found, tables, programs.Selection(**wanted))
        self.assertEqual(len(said()), 2)  # no bench_scan_omp
        self.assertTrue(said(runtimes=["libomp"])[0].startswith("scan under libomp-clang is left out: "))
        self.assertEqual(said(compilers=["gcc"]), [])
        self.assertEqual((said(workloads=["fib"]), said(runtimes=["libgomp"])), ([], []))
        groups = programs.groups(found, {}, programs.Selection(threads=[1]))
        self.assertEqual([group[0].workload for group in groups], ["fib"])

    def test_what_is_not_built_is_said(self):
        self.script("bench_fib_omp", "exit 2")
        self.script("bench_fib_tbb", "exit 2")
        found = programs.discover(self.build)
        said = lambda **wanted: programs.not_built(found, {"gcc": {"libgomp": None}}, programs.Selection(**wanted))
        self.assertEqual([line.split(" is left out: ")[0] for line in said()], ["libomp", "what clang builds", "Rayon"])
        self.assertEqual([line.split(" is left out: ")[0] for line in said(compilers=["gcc"])], ["libomp", "Rayon"])
        self.assertEqual((said(runtimes=["blitz"]), len(said(workloads=["fib"]))), ([], 1))

    def test_a_program_that_no_runtime_serves(self):
        path = self.script("bench_fib_omp", "exit 2")
        self.assertRaises(SystemExit, programs.check_served, path, "gcc", "libgomp", None)

    def test_who_serves_what_clang_built(self):
        calls = {"__kmpc_omp_task": "/l/libomp.so.5", "__kmpc_fork_call": "/l/libomp.so.5"}
        served = lambda runtime, preload, **more: programs.check_served("p", "clang", runtime, preload)
        with mock.patch.object(programs, "bindings", lambda path, preload: calls):
            self.assertEqual(served("libomp", None), calls)
            self.assertRaises(SystemExit, served, "blitz", "/b/blitz.so")
            self.assertRaises(SystemExit, served, "stub", "/b/stub.so")
            calls["__kmpc_omp_task"] = "/b/stub.so"
            self.assertEqual(served("stub", "/b/stub.so"), calls)
            self.assertRaises(SystemExit, served, "blitz", "/b/stub.so")

    def test_compilers(self):
        for name in ("bench_fib_omp", "bench_fib_omp_clang", "bench_for_omp_clang"):
            self.script(name, "exit 0")
        tables = {"gcc": {"libgomp": None, "blitz": "/b", "stub": "/s"},
                  "clang": {"libomp": None, "blitz": "/b", "stub": "/t"}}
        calls = lambda path, *_: ["__kmpc_omp_task", "GOMP_task"] if "fib" in path else ["__kmpc_fork_call"]
        with mock.patch.object(programs, "check_served", calls):
            chosen = lambda **wanted: [(one.workload, one.runtime, one.environment.get("LD_PRELOAD")) for group in
                                       programs.groups(programs.discover(self.build), tables,
                                                       programs.Selection(threads=[1], **wanted)) for one in group]
            clang = [("fib", "libomp-clang", None), ("fib", "blitz-clang", "/b"), ("fib", "stub-clang", "/t"),
                     ("for", "libomp-clang", None), ("for", "blitz-clang", "/b")]
            self.assertEqual(chosen(compilers=["clang"]), clang)
            gcc = [("fib", "libgomp", None), ("fib", "blitz", "/b"), ("fib", "stub", "/s")]
            self.assertEqual(chosen(), gcc + clang)
            self.assertEqual(chosen(runtimes=["blitz"]), [gcc[1], clang[1], clang[4]])

    def test_samples(self):
        result = self.measured("echo w.a 1.5e3 us; echo not a sample; echo peak 7 KiB")
        self.assertEqual(result["failed"], [])
        self.assertEqual([(one["name"], one["value"], one["unit"], one["round"], one["runtime"])
                          for one in result["samples"]],
                         [("w.a", 1500, "us", 3, "blitz"), ("w.peak", 7, "KiB", 3, "blitz")])

    def test_cores(self):
        result = self.measured("echo shared w.a; echo w.a 1 ns; echo w.a.cpu 1 ns; echo w.b 1 ns; echo core 600 ns")
        self.assertEqual([(one["name"], one["shared"]) for one in result["samples"]],
                         [("w.a", True), ("w.a.cpu", True), ("w.b", False)])
        self.assertEqual(result["core_ns"], 600)
        results = {**result, "samples": []}
        script = self.script("program", "echo w.a $HARNESS_CORE_NS ns; echo core 700 ns")
        run.measure(RUN._replace(command=[script]), 3, 20, results)
        self.assertEqual((results["samples"][0]["value"], results["core_ns"]), (600, 600))

    def test_wrong_results_do_not_count(self):
        result = self.measured("echo w.a 1 ns; echo wrong result >&2; exit 1")
        self.assertEqual((result["samples"], result["failed"]),
                         ([], ["w under blitz, 1 thread: exit status 1: wrong result"]))

    def test_no_samples_are_a_failure(self):
        self.assertEqual(self.measured("echo nothing of use")["failed"], ["w under blitz, 1 thread: exit status 0"])

    def test_what_came_before_a_crash_counts(self):
        result = self.measured("echo w.a 1 ns; kill -SEGV $$", runtime="libomp")
        self.assertEqual((len(result["samples"]), result["failed"], result["peers_failed"]),
                         (1, [], ["w under libomp, 1 thread: exit status -11"]))

    def test_no_end(self):
        for timeout in 0.3, 3, 30:  # on a busy machine it takes a while until the script begins
            result = self.measured("echo w.a 1 ns; sleep 100 & sleep 100", timeout=timeout)
            self.assertEqual(result["failed"], [f"w under blitz, 1 thread: no end after {timeout} s"])
            if result["samples"]:
                break
        self.assertEqual(len(result["samples"]), 1)

    def again(self, body, others=0, meanwhile=0, minutes=None):
        """What is made of rows that miss their goals, where ours prints what the script says and the stub 10 ns."""
        script = lambda name, body: [self.script(name, body)]
        runs = [RUN._replace(command=script("ours", body), threads=2), RUN._replace(
            command=script("stub", "echo fib.task 10 ns"), runtime="stub")]
        facts = {"cpus": 2, "load": [0, 0], "others": others, "seconds": 1, "shared_percent": 0}
        result = {"facts": facts, "failed": [], "peers_failed": [],
                  "samples": [*sample("fib.task", 2, "blitz", 9), *sample("fib.task", 1, "stub", 10)],
                  "runs": {("fib.task", one.threads, one.runtime): one for one in runs}}
        with open(os.devnull, "w", encoding="utf8") as nowhere, mock.patch("sys.stderr", nowhere), \
                mock.patch.object(run, "others_runnable", lambda: meanwhile), mock.patch.object(misses, "MOST", 5):
            run.measure_again(argparse.Namespace(again=1, minutes=minutes, timeout=20), result, 30)
        return result

    def test_misses_are_measured_again(self):
        result = self.again("echo $HARNESS_ONLY 5 ns; echo fib.other 5 ns")
        self.assertEqual([(one["name"], one["runtime"]) for one in result["again"]].count(("fib.task", "blitz")), 5)
        self.assertEqual((len(result["again"]), len(result["samples"])), (10, 2))
        self.assertIn("fib.task 0.9 x, again 0.5 x (5 rounds)", report.verdicts(result)[1].held)

    def test_misses_when_the_time_is_over(self):
        self.assertEqual(self.again("exit 1", minutes=0.5)["again"], [])

    def test_misses_on_a_busy_machine(self):
        self.assertNotIn("again", self.again("exit 1", others=3))
        self.assertEqual(self.again("echo fib.task 5 ns", meanwhile=3)["again"], [])


if __name__ == "__main__":
    unittest.main()
