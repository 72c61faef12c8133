#!/usr/bin/env python3
"""trace_page.py FOLDER COMPILER [PICTURE]: the report of a timeline in a browser: it loads without errors, lanes are drawn,
a click on a task says what it is, a search finds, the wheel zooms. Skipped where there is no Chromium."""
import os
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
MANY = """#define A _Pragma("omp taskwait") _Pragma("omp taskwait") _Pragma("omp taskwait") _Pragma("omp taskwait")
#define B A A A A A A A A
#define C B B B B B B B B
#define D C C C C C C C C
int main(void) {
_Pragma("omp parallel num_threads(2)")
{ D D B }
}
"""

# What is wrong with the page of MANY: each thread begins once, nothing else but taskwaits and the region.
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


def check(page):
    page.drawn()
    expect("no slices are drawn", page.run(COLOURS) >= 2)
    expect("four lanes", page.run("report.view.places.length") == 4)
    about = page.run("document.getElementById('about').textContent")
    expect(about, "4 threads, 162 tasks" in about)

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
    expect(f"a search for taskwait: {found}", found.split()[0].isdigit() and int(found.split()[0]) >= 31)
    page.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", code="Enter", windowsVirtualKeyCode=13)
    said = page.run("document.getElementById('selected').innerText")
    expect(f"Enter does not go to one: {said!r}", said.startswith("taskwait"))
    rows = page.run("document.querySelectorAll('#constructs tr.type').length")
    expect("the table is empty", rows >= 5)
    theme = page.run("document.documentElement.dataset.theme")
    page.run("document.getElementById('theme').click()")
    expect("the theme stays", page.run("document.documentElement.dataset.theme") != theme)
    page.run("report.clear(); report.view.all()")
    page.drawn()
    expect("nothing is drawn in the other theme", page.run(COLOURS) >= 2)
    expect(page.errors(), not page.errors())


def make_report(scratch, source):
    folder, compiler = sys.argv[1:3]
    program, report = os.path.join(scratch, "program"), os.path.join(scratch, "t.html")
    subprocess.run([compiler, "-O1", "-g", "-w", "-fopenmp", source, "-o", program], check=True)
    subprocess.run([program, "tasks"], check=True, timeout=60,
                   env=dict(os.environ, LD_LIBRARY_PATH=folder, BLITZ_TRACE=report, OMP_NUM_THREADS="4"))
    return report


def main():
    if not browser.find():
        print("no Chromium: the report is not looked at")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as scratch:
        report = make_report(scratch, os.path.join(HERE, "trace_program.c"))
        page = browser.Page()
        try:
            page.load(report)
            check(page)
            if len(sys.argv) > 3:
                page.picture(sys.argv[3])
            source = os.path.join(scratch, "many.c")
            with open(source, "w", encoding="utf-8") as file:
                file.write(MANY)
            page.events.clear()
            page.load(make_report(scratch, source))
            check_many(page)
        finally:
            page.close()


main()
