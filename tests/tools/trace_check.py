#!/usr/bin/env python3
"""trace_check.py FILE.json FACT... [-- FILE.json FACT...]...: the files are traces as viewers want them, with these facts.

Always: slices of a thread nest strictly; each arrow has one begin and one end, in this order, each in a slice of its thread,
else viewers do not draw it; threads have names.
A fact is NAME=NUMBER, NAME>=NUMBER or NAME<=NUMBER of what count() counts; `name:TEXT` is the slices whose name has TEXT,
`name:^TEXT` those whose name begins so; `tasks:TEXT` the tasks of these."""
import bisect
import collections
import itertools
import json
import math
import re
import sys


class Wrong(Exception):
    """What is wrong with a trace."""


def fail(text):
    raise Wrong(text)


def ns(us):
    return round(us * 1000)


def check_nesting(slices):
    for lane, found in slices.items():
        inside = []
        for begin, end, name in sorted(found, key=lambda s: (s[0], -s[1])):
            while inside and inside[-1][1] <= begin:
                inside.pop()
            if inside and end > inside[-1][1]:
                fail(f"thread {lane}: {name} {begin}..{end} overlaps {inside[-1]}")
            inside.append((begin, end, name))


def check_arrows(events):
    ends = {phase: {} for phase in "sf"}
    for event in events:
        if event["ph"] in "sf":
            if event["id"] in ends[event["ph"]]:
                fail(f"arrow {event['id']} twice")
            ends[event["ph"]][event["id"]] = event
    if ends["s"].keys() != ends["f"].keys():
        fail(f"arrows without an end: {sorted(ends['s'].keys() ^ ends['f'].keys())[:5]}")
    for number, begin in ends["s"].items():
        end = ends["f"][number]
        if ns(begin["ts"]) > ns(end["ts"]):
            fail(f"arrow {number} goes back in time")
        if begin["cat"] != "dependence" and (begin["tid"] != end["tid"]) != (begin["cat"] == "steal"):
            fail(f"arrow {number} is no {begin['cat']}")
    return collections.Counter(begin["cat"] for begin in ends["s"].values())


def check_bound(slices, events):
    for lane, found in slices.items():
        whole = []  # what the slices cover, in order
        for begin, end, _ in sorted(found):
            if whole and begin <= whole[-1][1]:
                whole[-1][1] = max(end, whole[-1][1])
            else:
                whole.append([begin, end])
        for event in events:
            if event["ph"] in "sf" and event["tid"] == lane:
                at = bisect.bisect(whole, [ns(event["ts"]), math.inf]) - 1
                if at < 0 or ns(event["ts"]) > whole[at][1]:
                    fail(f"arrow {event['id']} is at no slice: {event}")
    lost = {event["tid"] for event in events if event["ph"] in "sf"} - slices.keys()
    if lost:
        fail(f"arrows of threads without slices: {lost}")


def check_counter(events):
    told = [event for event in events if event["ph"] == "C"]
    if [event["ts"] for event in told] != sorted(event["ts"] for event in told):
        fail("the counter goes back in time")
    if told and told[-1]["args"]["tasks"] < 0:
        fail("fewer tasks than none")
    return max((event["args"]["tasks"] for event in told), default=0), told[-1]["args"]["tasks"] if told else 0


def count(trace):
    events = trace["traceEvents"]
    slices = collections.defaultdict(list)
    for event in events:
        if event["ph"] == "X":
            slices[event["tid"]].append((ns(event["ts"]), ns(event["ts"]) + ns(event["dur"]), event["name"]))
    check_nesting(slices)
    arrows = check_arrows(events)
    check_bound(slices, events)
    named = {event["tid"] for event in events if event["ph"] == "M" and event["name"] == "thread_name"}
    if not slices.keys() <= named:
        fail(f"threads without names: {slices.keys() - named}")
    tasks = count_tasks(events)
    not_begun, left = check_counter(events)
    iterations = sum(event["args"].get("iterations", 0) for event in events if event["ph"] == "X")
    return {"threads": len(slices), "arrows": sum(arrows.values()), "steals": arrows["steal"], "tasks": tasks,
            "dependences": arrows["dependence"], "not begun": not_begun, "left": left, "iterations": iterations,
            "dropped": trace["otherData"]["dropped"]}


def count_tasks(events):
    return len({event["args"]["task"] for event in events if event["ph"] == "X" and event["cat"] == "task"})


def count_named(events, what, text):
    begins = text.startswith("^")
    named = [e for e in events if e["ph"] == "X" and (e["name"].startswith(text[1:]) if begins else text in e["name"])]
    return count_tasks(named) if what == "tasks" else len(named)


def check(path, facts):
    with open(path, encoding="utf-8") as file:
        trace = json.load(file)
    counts = count(trace)
    for fact in facts:
        name, how, number = re.fullmatch(r"(.*?)(>=|<=|=)(\d+)", fact).groups()
        if ":" in name:
            counts[name] = count_named(trace["traceEvents"], *name.split(":", 1))
        right = {"=": counts[name] == int(number), ">=": counts[name] >= int(number), "<=": counts[name] <= int(number)}
        if not right[how]:
            names = collections.Counter(e["name"] for e in trace["traceEvents"] if e["ph"] == "X")
            fail(f"{fact} is wrong: {counts[name]}; {counts}; {names.most_common(30)}")


def main():
    status, arguments = 0, iter(sys.argv[1:])
    for path in arguments:
        facts = list(itertools.takewhile(lambda argument: argument != "--", arguments))
        try:
            check(path, facts)
        except Wrong as wrong:
            print(f"{path}: {wrong}")
            status = 1
    sys.exit(status)


main()
