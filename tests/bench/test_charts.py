"""Charts: well-formed, complete, and nothing outside of the paper or on top of each other."""
import tempfile
import unittest
from xml.etree import ElementTree

import charts
from figures import Figures
from samples import result, sample
from svg import Log, Places, text_width

SVG = "{http://www.w3.org/2000/svg}"
RUNTIMES = ["libgomp", "libomp", "old", "blitz"]


def rows(prefix, values, unit, sizes):
    """Three rounds of every runtime over a row of grains or gaps."""
    return [sample(f"{prefix}.{value}{unit}{cpu}", threads, runtime, *(float(value or 1) * (100 + i + k) for k in range(3)))
            for value in values for cpu in ("", ".cpu") for threads in sizes for i, runtime in enumerate(RUNTIMES)]


SAMPLES = [one for some in [
    *rows("producer", ["0.1", "1", "10", "100"], "us", [1, 2]), *rows("taskloop", ["1", "10", "1000"], "", [1, 2]),
    *rows("regions", ["0", "10", "100", "10000"], "us", [1, 2]), *rows("sync", ["1"], "<&>", [1, 2, 8]),
    sample("loops.static", 2, "blitz", 0.5), sample("producer.1us", 1, "stub", 90),
    sample("for.x", 1, "serial", 20), sample("for.x", 2, "native", 10), sample("for.x", 2, "tbb", 30),
    sample("for.x.by_static", 2, "libgomp", 8), sample("for.y", 2, "native", 2000), sample("for.y", 2, "tbb", 3000),
    sample("idle.zero", 2, "blitz", 0), sample("idle.zero", 2, "libgomp", 0),
    *(sample("fib.task", threads, runtime, *times) for threads in (1, 2)
      for runtime, times in (("blitz", (10, 10, 11)), ("libgomp", (900, 1000, 1100)), ("libomp", (5, 6, 7))))]
           for one in some]


CLANG = [one for runtime in ("libomp-clang", "blitz-clang") for one in sample("fib.task", 2, runtime, 30, 30, 30)]


def drawn(canvas):
    return ElementTree.fromstring(str(canvas))


def texts(root):
    """(left, right, y, text) of all that is not turned."""
    for node in root.iter(f"{SVG}text"):
        if node.get("transform"):
            continue
        size = 15 if node.get("class") == "title" else 11
        width, x = text_width(node.text, size) * 0.9, float(node.get("x"))
        left = {"start": x, "middle": x - width / 2, "end": x - width}[node.get("text-anchor")]
        yield left, left + width, float(node.get("y")), node.text


class AllCharts(unittest.TestCase):
    def setUp(self):
        found = Figures(SAMPLES)
        self.charts = {
            "ratios": charts.ratio_chart(charts.openmp_comparison(found, 2), "Ratios"),
            "native": charts.ratio_chart(charts.native_comparison(found, 2), "Native"),
            "overview": charts.overview_chart(found, "Nothing is judged: there were others."),
            "grain": charts.grain_chart(found),
            "gap": charts.gap_chart(found),
            "scaling": charts.scaling_chart(found),
        }

    def test_well_formed_and_light_and_dark(self):
        for name, canvas in self.charts.items():
            root = drawn(canvas)
            self.assertEqual(root.tag, f"{SVG}svg", name)
            self.assertIn("prefers-color-scheme:dark", root.find(f"{SVG}style").text)

    def test_inside_the_paper(self):
        for name, canvas in self.charts.items():
            root = drawn(canvas)
            for node in root.iter():
                for key in ("x", "x1", "x2", "cx"):
                    self.assertTrue(0 <= float(node.get(key, 0)) <= canvas.width, f"{name}: {node.attrib}")
                for key in ("y", "y1", "y2", "cy"):
                    self.assertTrue(0 <= float(node.get(key, 0)) <= canvas.height, f"{name}: {node.attrib}")
            for left, right, _, text in texts(root):
                self.assertTrue(0 <= left and right <= canvas.width, f"{name}: {text} is cut off")

    def test_no_text_on_text(self):
        for name, canvas in self.charts.items():
            placed = list(texts(drawn(canvas)))
            for i, (left, right, y, text) in enumerate(placed):
                for other_left, other_right, other_y, other in placed[:i]:
                    apart = right <= other_left or other_right <= left or abs(y - other_y) >= 9
                    self.assertTrue(apart, f"{name}: '{text}' and '{other}' overlap")

    def test_every_series_is_there(self):
        hints = [node.text for node in drawn(self.charts["grain"]).iter(f"{SVG}title")]
        for title in ("Blitz", "libgomp", "libomp", "old"):  # 4 + 3 grains, 2 sizes, 2 panels
            self.assertEqual(sum(hint.startswith(title + ":") for hint in hints), 28, title)
        hints = [node.text for node in drawn(self.charts["gap"]).iter(f"{SVG}title")]
        self.assertEqual(sum(hint.startswith("Blitz:") for hint in hints), 16)

    def test_native_compares_the_best_way(self):
        hints = [node.text for node in drawn(self.charts["native"]).iter(f"{SVG}title")]
        self.assertIn("for.x, best OpenMP / Blitz: 0.800", hints)
        self.assertIn("for.x, oneTBB / Blitz: 3.00", hints)

    def test_overview_shows_the_largest_team(self):
        root = drawn(self.charts["overview"])
        hints = [node.text for node in root.iter(f"{SVG}title")]
        self.assertIn("OpenMP programs on Blitz, 2 threads", hints)
        self.assertEqual(sum("fib.task, " in hint for hint in hints), 2)
        self.assertEqual(sum("regions.10000us, " in hint for hint in hints), 2)
        words = [text for _, _, _, text in texts(root)]
        self.assertIn("a region after 10 ms of serial work", words)
        self.assertNotIn("barrier", words)  # not measured here

    def test_overview_of_a_busy_machine(self):
        for samples, warned in ((result(SAMPLES), False), (result(SAMPLES, others=1.5), True)):
            with tempfile.TemporaryDirectory() as folder:
                charts.write_all(samples, folder + "/r")
                text = " ".join(ElementTree.parse(folder + "/r-overview.svg").getroot().itertext())
            self.assertEqual("Nothing is judged" in text, warned)

    def test_labels(self):
        words = [text for _, _, _, text in texts(drawn(self.charts["grain"]))]
        self.assertIn("body of a task, us", words)
        self.assertIn("iterations per task", words)
        self.assertIn("serial work before it, us", [text for *_, text in texts(drawn(self.charts["gap"]))])
        self.assertIn("sync.1<&>", [text for *_, text in texts(drawn(self.charts["scaling"]))])

    def test_no_colour_twice_nor_that_of_strokes(self):
        runtimes = ("blitz", "stub", "libomp", "old", "older")
        found = Figures([one for runtime in runtimes for one in sample("a.b", 1, runtime, 1)])
        colours = [charts.colour(found, runtime) for runtime in ("blitz", "libgomp", "libomp", "old", "older")]
        self.assertEqual(colours, ["c0", "c1", "c2", "c3", "c5"])

    def test_what_clang_built_has_charts_of_its_own(self):
        with tempfile.TemporaryDirectory() as folder:
            written = charts.write_all(result(SAMPLES, CLANG), folder + "/r")
            self.assertEqual([name.removeprefix(folder) for name in written if "clang" in name],
                             ["/r-ratios-clang-2.svg", "/r-overview-clang.svg"])
            words = ElementTree.parse(folder + "/r-ratios-clang-2.svg").getroot().itertext()
            text = " ".join(words)
        self.assertIn("built by clang", text)
        self.assertIn("fib.task, libomp / Blitz: 1.00", text)
        self.assertNotIn("libgomp", text)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            written = charts.write_all(result(SAMPLES), folder + "/r")
            self.assertEqual([name.removeprefix(folder) for name in written],
                             ["/r-ratios-1.svg", "/r-ratios-2.svg", "/r-native-2.svg", "/r-ratios-8.svg", "/r-overview.svg",
                              "/r-grain.svg", "/r-gap.svg", "/r-scaling.svg"])
            for name in written:
                ElementTree.parse(name)

    def test_nothing_measured(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(charts.write_all(result(), folder + "/r"), [])
            self.assertEqual(charts.write_all(result(sample("a.b", 1, "blitz", 1)), folder + "/r"), [])


class Scales(unittest.TestCase):
    def test_log(self):
        scale = Log([2, 300], 0, 300)
        self.assertEqual([scale(1), scale(10), scale(1000), scale(0)], [0, 100, 300, 0])

    def test_ticks_have_room(self):
        self.assertEqual(Log([2, 300], 0, 300).ticks(), [1, 10, 100, 1000])
        self.assertEqual(Log([2, 300], 0, 600).ticks(), [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000])
        self.assertEqual(Log([2, 300], 200, 0).ticks(), [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000])
        self.assertEqual(Log([1, 1e8], 0, 200).ticks(), [1, 1e2, 1e4, 1e6, 1e8])

    def test_places(self):
        scale = Places([100, 0, 10], 0, 30)
        self.assertEqual([scale(0), scale(10), scale(100)], [5, 15, 25])


if __name__ == "__main__":
    unittest.main()
