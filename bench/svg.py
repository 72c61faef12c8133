"""Just enough SVG for charts.py: a canvas that takes shapes and text, scales, and a panel with two axes. Colours are
classes, so that one file suits light and dark pages."""
import math
from xml.sax.saxutils import escape

# Series by their place: (on white, on black). Chosen to differ for the colour-blind, too (after Okabe and Ito).
COLOURS = [("#00855f", "#2bc99a"), ("#c8500a", "#f08a4b"), ("#0a6ab0", "#62b6f0"), ("#8a3fa0", "#cf8fe0"),
           ("#7a7a7a", "#9a9a9a"), ("#a07800", "#e6b422"), ("#b02050", "#ff7fa5")]


def style():
    light, dark = ([f".c{i}{{stroke:{pair[k]};fill:{pair[k]}}}" for i, pair in enumerate(COLOURS)] for k in (0, 1))
    return ("text{font:11px sans-serif;fill:#222}.title{font-size:15px;font-weight:bold}.head{font-weight:bold}"
            ".soft{fill:#666}.paper{fill:#fff}.grid{stroke:#ddd}.axis{stroke:#666;fill:none}.band{fill:#f4f4f4}"
            ".line{fill:none;stroke-width:1.8}.dash{stroke-dasharray:5 3}" + "".join(light) +
            "@media(prefers-color-scheme:dark){text{fill:#ddd}.soft{fill:#999}.paper{fill:#161616}.grid{stroke:#383838}"
            ".axis{stroke:#999}.band{fill:#202020}" + "".join(dark) + ".line{fill:none}}" + ".line{fill:none}")


def text_width(text, size=11):
    """About as wide as a sans-serif font sets it; rather too much than too little."""
    return len(text) * size * 0.6


class Canvas:
    """ Shapes in the order of their addition."""

    def __init__(self, width, height, title):
        self.width, self.height, self.shapes = width, height, []
        self.title = title
        self.rect(0, 0, width, height, "paper")
        self.text(12, 22, title, css="title")

    def rect(self, x, y, width, height, css, hint=None):
        inside = f"<title>{escape(hint)}</title>" if hint else ""
        self.shapes.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" class="{css}">'
                           f'{inside}</rect>')

    def line(self, x1, y1, x2, y2, css):
        self.shapes.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{css}"/>')

    def path(self, points, css):
        self.shapes.append(f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}" class="{css}"/>')

    def dot(self, x, y, css, hint, radius=3):
        self.shapes.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" class="{css}"><title>{escape(hint)}</title>'
                           '</circle>')

    def text(self, x, y, text, anchor="start", css="", turned=False):
        turn = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if turned else ""
        self.shapes.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{css}"{turn}>{escape(text)}'
                           '</text>')

    def legend(self, x, y, entries):
        """A row of (colour, text) from (x, y); wraps at the canvas' edge. Returns the y below it."""
        left = x
        for colour, text in entries:
            width = 24 + text_width(text)
            if left + width > self.width and left > x:
                left, y = x, y + 16
            self.rect(left, y - 8, 10, 8, colour)
            self.text(left + 15, y, text)
            left += width
        return y + 16

    def __str__(self):
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height:.0f}" '
                f'viewBox="0 0 {self.width} {self.height:.0f}"><title>{escape(self.title)}</title>'
                f'<style>{style()}</style>\n' + "\n".join(self.shapes) + "\n</svg>\n")


class Log:
    """Maps positive numbers to pixels from `start` to `end`; whole decades, or with `tight` the values' own range."""

    def __init__(self, values, start, end, tight=False):
        values = [value for value in values if value > 0] or [1.0]
        self.low, self.high = math.log10(min(values)), math.log10(max(values))
        if not tight:
            self.low, self.high = math.floor(self.low + 1e-9), math.ceil(self.high - 1e-9)
        if self.high - self.low < 0.3:
            self.low, self.high = self.low - 0.15, self.high + 0.15
        self.start, self.end = start, end

    def __call__(self, value):
        share = (math.log10(max(value, 1e-12)) - self.low) / (self.high - self.low)
        return self.start + min(max(share, 0.0), 1.0) * (self.end - self.start)

    def ticks(self):
        """1, 2 and 5 of each decade if their texts have room, else powers of ten, or every second, third, ... of these."""
        room = 50 if self.end > self.start else 14
        decades = range(math.floor(self.low) - 1, math.ceil(self.high) + 1)
        for steps, stride in [((1, 2, 5), 1), *(((1,), stride) for stride in range(1, 99))]:
            marks = [step * 10.0**decade for decade in decades for step in steps if decade % stride == 0]
            marks = [mark for mark in marks if self.low - 1e-9 <= math.log10(mark) <= self.high + 1e-9]
            places = [self(mark) for mark in marks]
            if all(abs(after - before) >= room for before, after in zip(places, places[1:])):
                return marks
        return []


class Places:
    """Values at equal distances, in their order: for rows that hold 0 or what no other scale can show."""

    def __init__(self, values, start, end):
        self.values, self.start, self.end = sorted(set(values)), start, end

    def __call__(self, value):
        return self.start + (self.values.index(value) + 0.5) / len(self.values) * (self.end - self.start)

    def ticks(self):
        return self.values


class Panel:
    """A plot with a frame, two scales and their labels, whose inside is (left, top) to (right, bottom)."""

    def __init__(self, canvas, box, x_scale, y_scale):
        self.canvas, self.box, self.x, self.y = canvas, box, x_scale, y_scale

    def frame(self, heading, x_label, y_label, x_text, y_text):
        left, top, right, bottom = self.box
        widest = 0.0
        for tick in self.y.ticks():
            self.canvas.line(left, self.y(tick), right, self.y(tick), "grid")
            self.canvas.text(left - 5, self.y(tick) + 4, y_text(tick), "end", "soft")
            widest = max(widest, text_width(y_text(tick)))
        for tick in self.x.ticks():
            self.canvas.line(self.x(tick), top, self.x(tick), bottom, "grid")
            self.canvas.text(self.x(tick), bottom + 15, x_text(tick), "middle", "soft")
        self.canvas.path([(left, top), (left, bottom), (right, bottom)], "axis")
        self.canvas.text(left, top - 8, heading, css="head")
        self.canvas.text((left + right) / 2, bottom + 31, x_label, "middle")
        self.canvas.text(left - widest - 12, (top + bottom) / 2, y_label, "middle", turned=True)

    def series(self, points, colour, name, text_of):
        """A line through (x, Figure) with whiskers over the middle half of the samples."""
        self.canvas.path([(self.x(x), self.y(figure.median)) for x, figure in points], f"line {colour}")
        for x, figure in points:
            self.canvas.line(self.x(x), self.y(figure.low), self.x(x), self.y(figure.high), colour)
            self.canvas.dot(self.x(x), self.y(figure.median), colour, f"{name}: {text_of(figure)}")
