#!/usr/bin/env python3
"""trace_page.py FOLDER COMPILER [PICTURE]: the report of a timeline in a browser: it loads without errors, lanes are drawn,
a click on a task says what it is, a search finds, the wheel zooms. Skipped where there is no Chromium."""
import os
import re
import subprocess
import sys
import tempfile

import browser

HERE = os.path.dirname(os.path.abspath(__file__))

# In the page: the middle of the first stolen task, as the mouse would be there.
FIND_TASK = """(() => {
  const {trace, slices, view} = report, ids = trace.stolen, canvas = view.canvas.getBoundingClientRect();
  const slice = slices.ofTask(ids[Math.floor(ids.length / 2)]), place = view.placeOf(slice.lane);
  view.reveal(slice, true);
  view.draw();
  const time = (slices.begin(slice) + slices.end(slice)) / 2;
  return [canvas.left + view.x(time), canvas.top + view.y(place, slice.row) + 8, slices.id(slice),
          trace.lanes[slice.lane].name, place.lane.rows.length];
})()"""

# Colours that the canvas has between the names and its right edge.
COLOURS = """(() => {
  const canvas = report.view.canvas, seen = new Set();
  const data = canvas.getContext("2d").getImageData(100, 0, canvas.width - 100, canvas.height).data;
  for (let i = 0; i < data.length; i += 4) seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
  return report.paint.colours.filter((colour) => seen.has(parseInt(colour.slice(1), 16))).length;
})()"""


def expect(what, right):
    if not right:
        raise AssertionError(what)


# More constructs than a page has types for.
MANY = """#define G _Pragma("omp taskgroup") {}
#define A G G G G
#define B A A A A A A A A
#define C B B B B B B B B
#define D C C C C C C C C
int main(void) {
_Pragma("omp parallel num_threads(2)")
{ D D B }
}
"""

# What is wrong with the page of MANY: each thread begins once, nothing else but taskgroups and the region.
WRONG = """(() => {
  const {trace} = report, found = trace.lanes.map((lane) => [lane.threads.length, lane.moments.length]);
  const others = trace.lanes.reduce((sum, lane) => sum + lane.rows.reduce(
    (rows, row) => rows + row.type.filter((type) => type === 0).length, 0), 0);
  const whole = trace.types.length === 4096 && trace.tasks.created.array.every((time) => time < 0);
  return whole && others > 0 && found.join(";") === "1,0;1,0" ? "" : [trace.types.length, others, whole, found].join(" ");
})()"""


def check_many(page):
    page.drawn()
    wrong = page.run(WRONG)
    expect(f"more types than there is room for: {wrong}", not wrong)
    expect(page.errors(), not page.errors())


# In a narrow window: what does not fit into it, and colours that are not in the legend, or twice.
NARROW = """(() => {
  const legend = report.paint.legend(report.view.readInk()).flatMap(([, , ...colours]) => colours);
  const slices = legend.filter((colour) => report.paint.colours.includes(colour));
  const types = report.trace.types, without = report.paint.colours.filter((colour, i) =>
    types[i] && ![CLASS.OTHER, CLASS.INITIAL].includes(types[i].class) && !legend.includes(colour));
  const boxes = [...document.querySelectorAll("header > *, #legend > *, #lanes, aside, aside table")];
  const wide = boxes.filter((box) => !box.hidden && box.getBoundingClientRect().right > innerWidth).map((box) => box.id);
  return JSON.stringify([innerWidth, document.documentElement.scrollWidth - innerWidth, wide, without,
    slices.length - new Set(slices).size, report.view.wide > 300, legend.length > 4]);
})()"""


def check_narrow(page):
    page.call("Emulation.setDeviceMetricsOverride", width=500, height=1200, deviceScaleFactor=1, mobile=False)
    while page.run("innerWidth") != 500:
        page.drawn()
    page.run("report.view.draw()")
    found = page.run(NARROW)
    expect(f"in a window of 500 pixels: {found}", found == "[500,0,[],[],0,true,true]")
    expect(page.errors(), not page.errors())


def check(page):
    page.drawn()
    expect("no slices are drawn", page.run(COLOURS) >= 2)
    expect("four lanes", page.run("report.view.places.length") == 4)
    about = page.run("document.getElementById('about').textContent")
    expect(about, " from the first use of OpenMP on, 4 threads, 162 tasks" in about)
    said = page.run("document.getElementById('constructs').innerText")
    stolen = sum(map(int, re.findall(r"(\d+) of these stolen", said)))
    expect(f"the number of steals: {said!r}", stolen == page.run("report.trace.stolen.length"))

    x, y, number, lane, _ = page.run(FIND_TASK)
    page.click(x, y)
    page.drawn()
    said = page.run("document.getElementById('selected').innerText")
    for text in (f"task {number}\n", "trace_program.c:", lane + "\n", "takes", "queued for", "stolen\nfrom thread "):
        expect(f"{text!r} is not in {said!r}", text in said)

    before = page.run("report.view.end - report.view.begin")
    page.mouse("mouseWheel", x, y, deltaX=0, deltaY=-200)
    page.drawn()
    expect("the wheel does not zoom", page.run("report.view.end - report.view.begin") < before)
    page.run("report.view.all()")

    page.run("document.getElementById('search').focus()")
    page.type("taskwait")
    page.drawn()
    found = page.run("document.getElementById('found').textContent")
    expect(f"a search for taskwait: {found}", found.split()[0].isdigit() and int(found.split()[0]) >= 1)
    page.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", code="Enter", windowsVirtualKeyCode=13)
    said = page.run("document.getElementById('selected').innerText")
    expect(f"Enter does not go to one: {said!r}", said.startswith("taskwait"))
    chunks = page.run("report.totals.find((t) => report.trace.types[t.number]?.word === 'chunk').count")
    expect(f"{chunks} chunks of the loop", chunks == 40)
    page.run("document.getElementById('statistics').click()")
    said = page.run("document.getElementById('figures').innerText")
    expect(f"the statistics: {said!r}", "parallel regions" in said and "trace_program.c:" in said)
    rows = page.run("document.querySelectorAll('#constructs tr.type').length")
    expect("the table is empty", rows >= 5)
    said = page.run("document.querySelector('#constructs tr').innerText").split("\t")
    expect(f"the table's columns: {said}", said == ["construct", "count", "own", "mean total", "longest total"])
    theme = page.run("document.documentElement.dataset.theme")
    page.run("document.getElementById('theme').click()")
    expect("the theme stays", page.run("document.documentElement.dataset.theme") != theme)
    page.run("report.clear(); report.view.all()")
    page.drawn()
    expect("nothing is drawn in the other theme", page.run(COLOURS) >= 2)
    expect(page.errors(), not page.errors())


# The text about the tenth task of a chain of twenty.
TENTH = """(() => {
  const {trace, slices} = report, [first, second] = trace.edges[9];
  report.goTo(slices.ofTask(second), true);
  return [trace.edges.length, first, document.getElementById("selected").innerText];
})()"""


def check_chain(page):
    page.drawn()
    count, first, said = page.run(TENTH)
    page.drawn()
    expect(f"{count} dependences", count == 19)
    expect(f"it does not say what came first: {said!r}", f"has waited for\ntask {first}\n" in said)
    expect(page.errors(), not page.errors())


def make_report(scratch, source, how="tasks", statistics="0"):
    folder, compiler = sys.argv[1:3]
    program, report = os.path.join(scratch, "program"), os.path.join(scratch, "t.html")
    subprocess.run([compiler, "-O1", "-g", "-w", "-fopenmp", source, "-o", program], check=True)
    env = dict(os.environ, LD_LIBRARY_PATH=folder, BLITZ_TRACE=report, BLITZ_STATS=statistics, OMP_NUM_THREADS="4")
    subprocess.run([program, how], check=True, timeout=60, stderr=subprocess.DEVNULL, env=env)
    return report


def main():
    if not browser.find():
        print("no Chromium: the report is not looked at")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as scratch:
        page = browser.Page()
        try:
            for _ in range(5):  # on a busy machine perhaps no task is stolen
                page.load(make_report(scratch, os.path.join(HERE, "trace_program.c"), statistics="1"))
                if page.run("report.trace.stolen.length") > 0:
                    break
            check(page)
            if len(sys.argv) > 3:
                page.picture(sys.argv[3])
            page.events.clear()
            page.load(make_report(scratch, os.path.join(HERE, "trace_program.c"), "chain"))
            check_chain(page)
            source = os.path.join(scratch, "many.c")
            with open(source, "w", encoding="utf-8") as file:
                file.write(MANY)
            page.events.clear()
            page.load(make_report(scratch, source))
            check_many(page)
            page.load(make_report(scratch, os.path.join(HERE, "trace_program.c")))
            page.drawn()
            check_narrow(page)
        finally:
            page.close()


main()
