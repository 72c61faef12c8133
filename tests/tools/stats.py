"""stats.py PROGRAM SOURCE COMPILER: runs PROGRAM, built of SOURCE, with BLITZ_STATS and looks whether what is reported is
what it does. The environment says how the library gets under it."""

import json
import os
import re
import subprocess
import sys
import tempfile

program, source, compiler = sys.argv[1:4]
failed = []
lines = {}
with open(source, encoding="utf-8") as text:
    for number, line in enumerate(text, 1):
        if mark := re.search(r"/\* mark: (.*) \*/", line):
            lines[mark[1]] = number


def fail(what):
    failed.append(what)
    print(what)


def run(part, threads, value, status=0, folder=None):
    env = dict(os.environ, OMP_NUM_THREADS=str(threads), BLITZ_STATS=value, OMP_DYNAMIC="false")
    done = subprocess.run([program, part], env=env, capture_output=True, text=True, timeout=60, check=False,
                          cwd=folder)
    if done.returncode != status:
        fail(f"{part}, {threads} threads: status {done.returncode}\n{done.stderr}")
    return done


def stats(part, threads, status=0):
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "x.json")
        done = run(part, threads, name, status)
        said = [line for line in done.stderr.splitlines() if "BLITZ_TRACE: written to" not in line]
        if said != [f"libblitz-omp: BLITZ_STATS: written to {name}"]:
            fail(f"{part}, {threads} threads: not silent: {done.stderr}")
        with open(name, encoding="utf-8") as text:
            return json.load(text)


class Row(dict):
    """ Rows of a table; missing counts are 0."""

    def __missing__(self, key):
        return 0


def near(mark):
    return [lines[mark]] + ([lines[mark] + 1, lines[mark] - 1] if compiler == "gcc" else [])


def is_at(found, line):
    return f"{found['place']} ".startswith(f"{os.path.basename(source)}:{line} ")


def row(report, table, mark, **more):
    """The one row of the construct with that mark: at the line of the pragma, or as gcc has it, of a statement beside it."""
    here = [r for r in report[table] if all(r[key] == value for key, value in more.items())]
    found = []
    for line in near(mark):
        found = found or [r for r in here if is_at(r, line)]
    if len(found) != 1:
        places = [r["place"] for r in report[table]]
        fail(f"{table}: {len(found)} rows of {mark} (line {lines[mark]}): {places}")
        return Row()
    return Row(found[0])


def expect(what, got, want):
    if got != want:
        fail(f"{what}: {got} instead of {want}")


def between(what, least, got, most):
    if not least <= got <= most:
        fail(f"{what}: {got} is not in [{least}, {most}]")


def counted(threads):
    report = stats("counted", threads)
    region = row(report, "regions", "counted region")
    what = f"counted, {threads} threads"
    expect(f"{what}: calls", region["calls"], 5)
    expect(f"{what}: threads", region["threads"], 5 * threads)
    expect(f"{what}: largest team", region["largest_team"], threads)
    expect(f"{what}: tasks of the region", region["tasks"], 5 * (200 + threads))
    task = row(report, "tasks", "counted task")
    expect(f"{what}: tasks", task["created"], 1000)
    expect(f"{what}: ended", task["ended"], 1000)
    expect(f"{what}: cancelled", task["cancelled"], 0)
    between(f"{what}: at once", 0, task["at_once"], 1000)
    between(f"{what}: stolen", 0, task["stolen"], 1000 - task["at_once"])
    undeferred = row(report, "tasks", "undeferred task")
    expect(f"{what}: undeferred", undeferred["created"], 5 * threads)
    expect(f"{what}: undeferred at once", undeferred["at_once"], 5 * threads)
    loop = row(report, "work", "counted loop")
    expect(f"{what}: loop entered", loop["entered"], 5 * threads)
    if threads > 1:  # a team of one may take all of it at once
        expect(f"{what}: chunks", loop["chunks"], 500)
    expect(f"{what}: kind", loop["kind"], "dynamic loop")
    single = [r for r in report["work"] if r["kind"] == "single"]
    expect(f"{what}: singles", [(r["entered"], r["chunks"]) for r in single], [(5 * threads, 5)])
    critical = [r for r in report["mutexes"] if r["kind"] == "critical"]
    expect(f"{what}: criticals", [r["acquired"] for r in critical], [50 * threads])
    expect(f"{what}: the critical's name", critical[0]["place"] if critical else "", "counter")
    locks = [r for r in report["mutexes"] if r["kind"] == "lock"]
    expect(f"{what}: locks", [r["acquired"] for r in locks], [15 * threads])
    waits = {r["kind"]: r["count"] for r in report["waits"]}
    # In a team of one, clang's tasks have ended before it.
    expect(f"{what}: taskwaits", waits.get("taskwait", 0), 0 if compiler == "clang" and threads == 1 else 5)
    expect(f"{what}: taskgroups", waits.get("taskgroup"), 5 * threads)
    expect(f"{what}: barriers", waits.get("barrier"), 5 * 4 * threads)  # single, loop, explicit, end
    spent = sum(region[f"{state}_ns"] for state in
                ("busy", "barrier", "taskwait", "taskgroup", "critical", "lock", "ordered", "depend", "opening"))
    between(f"{what}: time", 0, spent, 1.05 * region["thread_time_ns"] + 100000)
    between(f"{what}: wall", region["wall_ns"], report["wall_ns"], 60e9)
    between(f"{what}: CPU time", 1, report["cpu_ns"], 1.05 * threads * report["wall_ns"])
    expect(f"{what}: left out", set(report["left_out"].values()), {0})


def undisturbed(part, threads, share, most):
    """ A report with a share as small as on a quiet machine: a thread that is off its CPU for a while, where it does
    nearly nothing, counts as busy for all of that. One run in ten is enough."""
    for _ in range(10):
        report = stats(part, threads)
        if share(report) <= most:
            break
    return report


def shut_out(report):
    """An outer region is not busy with what the inner ones do, which would be half of what those are."""
    return row(report, "regions", "outer region")["busy_ns"] / max(row(report, "regions", "inner region")["busy_ns"], 1)


def tree_rows(report):
    return [r for r in report["tasks"] if is_at(r, lines["tree task"])]  # inlined: in several functions


def deep(report):
    """Each leaf counts once among bodies, and six times among inclusive times."""
    return sum(r["body_ns"] for r in tree_rows(report)) / max(sum(r["inclusive_ns"] for r in tree_rows(report)), 1)


def shapes(threads):
    what = f"{threads} threads"
    nested = undisturbed("nested", threads, shut_out, 0.25)
    expect(f"{what}: outer calls", row(nested, "regions", "outer region")["calls"], 1)
    expect(f"{what}: inner calls", row(nested, "regions", "inner region")["calls"], 6)
    between(f"{what}: outer busy, share of the inner", 0, shut_out(nested), 0.25)
    trees = undisturbed("trees", threads, deep, 0.5)
    found = tree_rows(trees)
    expect(f"{what}: tree", sum(r["created"] for r in found), 126)
    expect(f"{what}: tree ended", sum(r["ended"] for r in found), 126)
    # 64 leaves of 100 us
    between(f"{what}: tree bodies", 6.4e6, sum(r["body_ns"] for r in found), 60e9)
    between(f"{what}: tree bodies, share of the inclusive", 0, deep(trees), 0.5)
    between(f"{what}: tree's longest body", 1e5, max([r["longest_body_ns"] for r in found], default=0), 60e9)
    last = stats("exit", threads, 3)
    region = row(last, "regions", "last region")
    expect(f"{what}: last calls", region["calls"], 1)
    between(f"{what}: last wall", 2e7, region["wall_ns"], 60e9)
    between(f"{what}: last busy", 1.5e7 * threads, region["busy_ns"], 60e9)


def unaccounted(report):
    """ Time of the process with an open region, and without one, as reported: both twice, or neither."""
    regions = sum(r["wall_ns"] for r in report["regions"])
    return abs(1 - (report["serial_ns"] + regions) / report["wall_ns"])


def hosts():
    report = undisturbed("hosts", 2, unaccounted, 0.03)
    expect("hosts: calls", row(report, "regions", "other host's region")["calls"], 20)
    between("hosts: time that is not in and not outside of regions", 0, unaccounted(report), 0.03)


def traced(part):
    """A report, and the events of a trace, of one run."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["BLITZ_TRACE"] = os.path.join(folder, "t.json")
        report = stats(part, 2)
        with open(os.environ.pop("BLITZ_TRACE"), encoding="utf-8") as text:
            return report, json.load(text)["traceEvents"]


def equals():
    """ Both report the same counts, even for short slices that a trace merges into one."""
    report, events = traced("chunks")
    slices = [e["args"] for e in events if e.get("cat") == "chunk"]
    expect("chunks in statistics", row(report, "work", "fine loop")["chunks"], 200000)
    expect("chunks in slices", sum(s["chunks"] for s in slices), 200000)
    expect("iterations in slices", sum(s["iterations"] for s in slices), 200000)
    between("slices of chunks", 1, len(slices), 199999)
    for part in "counted", "fine":
        report, events = traced(part)
        tasks = {e["args"]["task"]: e["args"].get("tasks", 1) for e in events if e.get("cat") == "task" and e["ph"] == "X"}
        stolen = [e for e in events if e.get("cat") == "steal" and e["ph"] == "s"]
        expect(f"{part}: tasks in slices", sum(tasks.values()), sum(r["created"] for r in report["tasks"]))
        expect(f"{part}: steals", len(stolen), sum(r["stolen"] for r in report["tasks"]))


def names(text, mark):
    return any(f"{os.path.basename(source)}:{line} " in text for line in near(mark))


def hint(part, about, mark, *words):
    """On a machine that is busy with other things, times may have another shape: one run in ten is enough, and none if in
    each of them threads waited for CPUs for a tenth of what they waited for each other (None). So this shows that the hint
    can come, and what it says then, but not how often it comes; its thresholds are for test_stats_report.c."""
    quiet = 0
    for _ in range(10):
        report = stats(part, 2)
        found = [h["text"] for h in report["hints"] if h["about"] == about]
        if len(found) == 1 and all(word in found[0] for word in words) and names(found[0], mark):
            return report
        region = row(report, "regions", f"{part} region")
        quiet += report["delayed_ns"] is not None and report["delayed_ns"] < region["barrier_ns"] / 10
    if quiet > 0:
        fail(f"no hint {about} at {mark} with {words}: {report['hints']}")
    return None


def hints():
    how = "uneven static loop" if compiler == "clang" else "if that is a static loop"  # which gcc divides itself
    uneven = hint("uneven", "imbalance", "uneven region", how, "try schedule(dynamic)")
    if uneven:
        region = row(uneven, "regions", "uneven region")
        between("uneven: imbalance", 1.2, region["busiest_ns"] / max(region["mean_ns"], 1), 2)
    hint("fine", "fine_tasks", "fine task", "too fine")
    hint("alone", "alone", "alone region", "in the single", "divide it into tasks")


def forks():
    with tempfile.TemporaryDirectory() as folder:
        done = run("forks", 2, "x.json", folder=folder)  # the program goes to another folder meanwhile
        expect("files", sorted(os.listdir(folder)), sorted(["x.json", f"x.{done.stdout.strip()}.json"]))
        for name, mark, calls in ("x.json", "forked region", 2), (f"x.{done.stdout.strip()}.json", "child's region", 3):
            if os.path.exists(os.path.join(folder, name)):
                with open(os.path.join(folder, name), encoding="utf-8") as text:
                    report = json.load(text)
                expect(f"{name}: regions", len(report["regions"]), 1)
                expect(f"{name}: calls", row(report, "regions", mark)["calls"], calls)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PMI_RANK"] = "2"
        run("alone", 2, os.path.join(folder, "x.json"))
        del os.environ["PMI_RANK"]
        expect("a rank's file", os.listdir(folder), ["x.2.json"])


def table():
    said = run("counted", 2, "1").stderr
    for word in ("wall time", "parallel regions", "tasks", "waiting", "critical at"):
        if word not in said:
            fail(f"\"{word}\" is not in the table:\n{said}")
    if not names(said, "counted region"):
        fail(f"the region is not in the table:\n{said}")
    expect("silent if off", run("counted", 2, "0").stderr, "")
    bad = run("counted", 2, "perhaps").stderr
    if bad.count("\n") != 1 or "BLITZ_STATS=perhaps: invalid value; using false; a file's name must end in .json" not in bad:
        fail(f"a bad value: {bad}")
    expect("an empty value is silent", run("counted", 2, "").stderr, "")
    nowhere = run("counted", 2, "/no/such/folder/x.json", 125).stderr
    if nowhere.count("\n") != 1 or "BLITZ_STATS=/no/such/folder/x.json: No such file" not in nowhere:
        fail(f"a bad file: {nowhere}")


for number in (1, 2, 8):
    counted(number)
    shapes(number)
hosts()
equals()
hints()
forks()
table()
sys.exit(1 if failed else 0)
