"""The scripts of finished programs: what they make of what a program prints, and how they build."""
import argparse
import os
import tempfile
import unittest
from unittest import mock

import debian
import sources

ARGS = argparse.Namespace(threads=2, rounds=2, limit=20)


class Quiet(unittest.TestCase):
    """In a folder of its own, and without what goes to stderr."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        self.folder = folder.name
        os.chdir(self.folder)
        nowhere = open(os.devnull, "w", encoding="utf8")  # pylint: disable=consider-using-with
        self.addCleanup(nowhere.close)
        stderr = mock.patch("sys.stderr", nowhere)
        self.addCleanup(stderr.stop)
        stderr.start()


class Measures(Quiet):
    def same(self, command, **more):
        starts = {"libomp": "WHO=libomp; ", "blitz": "WHO=blitz; "}
        row = debian.measure("p", command, starts, argparse.Namespace(**{**vars(ARGS), **more}))
        self.assertEqual((row[0], len(row)), ("p", 4))
        return row[1:]

    def test_prints_the_same(self):
        self.assertEqual(self.same("echo $OMP_NUM_THREADS")[-1], "yes")
        self.assertEqual(self.same("echo $WHO")[-1], "NO")

    def test_what_fails_alike_is_not_the_same(self):
        self.assertEqual(self.same("echo 1; exit 3")[-1], "NO")

    def test_one_that_takes_too_long(self):
        for limit in 0.3, 3, 15:  # on a busy machine it takes a while until the other one has ended
            row = self.same("[ $WHO = blitz ] || sleep 20; echo 1", limit=limit, rounds=1)
            self.assertEqual(row[0], "-")
            if row[2] == "yes":
                break
        self.assertEqual(row[2], "yes")
        self.assertEqual(self.same("[ $WHO = libomp ] || sleep 20; echo 1", limit=0.3, rounds=1)[-1], "NO")

    def test_files_of_the_folder_are_there_and_stay_as_they_are(self):
        with open("input", "w", encoding="utf8") as file:
            file.write("x\n")
        self.assertEqual(self.same("cat input; rm input; touch new")[-1], "yes")
        self.assertEqual(os.listdir("."), ["input"])


class Builds(Quiet):
    def built(self, command):
        return sources.build("p", sources.Program("", command, "program", ""), self.folder, "clang-19")

    def test_with_the_compiler(self):
        tree = self.built("echo $CC $CXX > program")
        with open(tree + "/program", encoding="utf8") as file:
            self.assertEqual(file.read(), "clang-19 clang++-19\n")
        self.assertEqual(self.built("exit 1"), tree)  # it is there already

    def test_one_that_fails(self):
        self.assertIsNone(self.built("exit 1"))
        self.assertIsNone(self.built("true"))  # and makes no program
        self.assertIsNotNone(self.built("touch program"))

    def test_who_serves(self):
        os.mkdir("blitz")
        ours = self.folder + "/blitz"
        own, first = "/usr/lib/llvm-19/lib/libomp.so.5", ours + "/libgomp.so.1"
        files = lambda path, env: first if env["LD_LIBRARY_PATH"].startswith(ours) else own
        with mock.patch.object(sources, "served", files):
            sources.check_served("p", "/l", ours)
            first = own
            self.assertRaises(SystemExit, sources.check_served, "p", "/l", ours)


if __name__ == "__main__":
    unittest.main()
