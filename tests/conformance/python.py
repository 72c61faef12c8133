#!/usr/bin/env python3
"""The test suites that Debian's numpy, scipy, scikit-learn, scikit-image and joblib install, run on Blitz, and on libgomp
where a test fails on Blitz. A test that fails on Blitz alone is a failure. The table covers all logs in WORK: runs of some
folders each add up. Needs python3-numpy, -scipy, -sklearn, -skimage, -joblib, -threadpoolctl, -pytest, -hypothesis and
libopenblas0-openmp."""
import argparse
import collections
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SITE = Path("/usr/lib/python3/dist-packages")
PYTHON = "/usr/bin/python3"
SUITES = {"joblib": "joblib", "sklearn": "scikit-learn", "skimage": "scikit-image", "scipy": "scipy", "numpy": "numpy"}
BAD = {"FAILED", "ERROR", "unfinished"}
OUTCOME = re.compile(r"(?:(\S+::.*?) )?(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\b")


def folders(names):
    """The folders with tests below each name, such as sklearn/cluster; a file stands for itself."""
    for name in names:
        if (SITE / name).is_file():
            yield name
        else:
            yield from sorted({str(file.parent.relative_to(SITE)) for file in (SITE / name).rglob("test_*.py")})


def run(args, name, runtime):
    """Runs one folder's tests; the log of pytest is what is kept."""
    log = args.work / runtime / (name.replace("/", ".") + ".log")
    log.parent.mkdir(parents=True, exist_ok=True)
    environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1", LC_ALL="C.UTF-8")
    if args.threads:
        environment["OMP_NUM_THREADS"] = str(args.threads)
    runner = [args.build / "bin/blitz-run"] if runtime == "blitz" else []
    command = [*runner, PYTHON, "-m", "pytest", "-v", "-rN", "--tb=short", "--color=no", "--disable-warnings",
               "-p", "no:cacheprovider", "-o", "faulthandler_timeout={}".format(args.limit // 2), SITE / name]
    with open(log, "w") as file, subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=file, stderr=file,
                                                  cwd=args.work, env=environment, start_new_session=True) as process:
        try:
            while process.poll() is None:
                time.sleep(0.5)
                if time.time() - log.stat().st_mtime > args.limit:
                    print("{}: stopped on {}: no test ended for {} s".format(name, runtime, args.limit))
                    break
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    return outcomes(log)


def outcomes(log):
    """The outcome of each test in a log; where the log has no end, the last test is "unfinished": it hung or crashed."""
    found, last, ended = {}, log.stem, False
    for line in log.read_text(errors="replace").splitlines():
        line = line.rpartition(str(SITE) + "/")[2]  # names are relative to the current folder
        match = OUTCOME.match(line)
        if match:
            test, outcome = match[1] or last, match[2]  # a line of its own, if the test printed something
            if found.get(test) not in BAD:  # a test that passes may fail afterwards, in its teardown
                found[test] = outcome
            last = log.stem
        elif line.startswith("_") and "ERROR collecting" in line:
            found[line.strip("_ ")] = "ERROR"
        elif re.match(r"\S+\.py::", line):
            last = line.split(" Timeout (")[0].strip()
        ended = ended or re.match(r"=+ .* in \d+", line)
    if not ended:
        found[last] = "unfinished"
    return found


def version(package):
    command = "from importlib.metadata import version; print(version('{}'))".format(package)
    return subprocess.run([PYTHON, "-c", command], stdout=subprocess.PIPE, universal_newlines=True).stdout.strip()


def report(work):
    """Prints the table and the tests that fail on Blitz alone; how many these are."""
    rows, worse = collections.defaultdict(collections.Counter), []
    for log in sorted((work / "blitz").glob("*.log")):
        peer = work / "libgomp" / log.name
        theirs = outcomes(peer) if peer.exists() else {}
        row = rows[log.name.split(".")[0]]
        for test, outcome in outcomes(log).items():
            if outcome not in BAD:
                row["skipped" if outcome == "SKIPPED" else "passed"] += 1
            elif theirs.get(test) in BAD:
                row["both"] += 1
            else:
                row["blitz"] += 1
                worse.append("{}: {} on Blitz, {} on libgomp".format(test, outcome, theirs.get(test, "not run")))
    print("| suite | passed | skipped | fail with both | fail with Blitz alone |\n|---|---|---|---|---|")
    for suite, row in rows.items():
        print("| {} {} | {passed} | {skipped} | {both} | {blitz} |".format(
            SUITES[suite], version(SUITES[suite]), **{key: row[key] for key in ("passed", "skipped", "both", "blitz")}))
    print(*worse, sep="\n")
    return len(worse)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=SUITES, help="folders or files of tests, such as sklearn/cluster")
    parser.add_argument("--build", type=Path, default=ROOT / "build/ci")
    parser.add_argument("--work", type=Path, default=ROOT / "build/python", help="logs of pytest")
    parser.add_argument("--threads", type=int, help="OMP_NUM_THREADS; some tests of limits fail with any")
    parser.add_argument("--limit", type=int, default=300, help="seconds that a test may take")
    args = parser.parse_args()
    args.build, args.work = args.build.resolve(), args.work.resolve()
    for name in folders(args.names):
        bad = sum(outcome in BAD for outcome in run(args, name, "blitz").values())
        print("{}: {} fail on Blitz".format(name, bad), flush=True)
        if bad:
            run(args, name, "libgomp")
    return 1 if report(args.work) else 0


sys.exit(main())
