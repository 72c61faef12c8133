// The canvas with the lanes, and the one above it with all of the time.

const LABEL = 96, AXIS = 22, ROW = 17, GAP = 9, FEW_ROWS = 10, ARROWS_MOST = 300;
const FONT = "11px system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif";

class View {
  constructor(trace, slices, paint) {
    this.trace = trace; this.slices = slices; this.paint = paint;
    this.canvas = document.getElementById("lanes");
    this.overview = document.getElementById("overview");
    this.begin = 0;
    this.end = trace.length;
    this.top = 0; // what is scrolled out above
    this.selected = null;
    this.matching = null; // by type: whether it is searched for; null: nothing is
    this.arrows = true;
    this.full = new Set(); // lanes that show all of their rows
    this.stretch = null; // two times, while one is marked
    this.pending = false;
    this.titles = trace.types.map((type, number) => this.titlesOf(number));
    this.arrange();
  }

  // Where the lanes are.
  arrange() {
    this.places = [];
    let top = 0;
    for (const lane of this.trace.lanes) {
      if (lane.rows.length === 0) continue;
      const rows = this.full.has(lane.index) ? lane.rows.length : Math.min(lane.rows.length, FEW_ROWS);
      this.places.push({lane, top, rows});
      top += rows * ROW + GAP;
    }
    this.height = top;
  }

  // Sizes as the browser has them, in CSS pixels; the canvases have the device's.
  measure() {
    for (const canvas of [this.canvas, this.overview]) {
      const scale = window.devicePixelRatio || 1;
      const width = Math.round(canvas.clientWidth * scale), height = Math.round(canvas.clientHeight * scale);
      if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
      canvas.getContext("2d").setTransform(scale, 0, 0, scale, 0, 0);
    }
    this.wide = this.canvas.clientWidth - LABEL;
    this.high = this.canvas.clientHeight - AXIS;
    this.top = Math.max(0, Math.min(this.top, this.height - this.high));
  }

  x(time) { return LABEL + (time - this.begin) / (this.end - this.begin) * this.wide; }
  time(x) { return this.begin + (x - LABEL) / this.wide * (this.end - this.begin); }
  y(place, row) { return AXIS + place.top - this.top + row * ROW; }
  placeOf(lane) { return this.places.find((place) => place.lane.index === lane); }

  // The slice at this point; null: none.
  at(x, y) {
    if (x < LABEL || y < AXIS) return null;
    const place = this.laneAt(y);
    if (!place) return null;
    const row = Math.floor((y - this.y(place, 0)) / ROW);
    if (row < 0 || row >= place.rows) return null;
    const time = this.time(x), pixel = (this.end - this.begin) / this.wide;
    const exact = this.slices.at(place.lane.index, row, time);
    if (exact) return exact;
    const {begin, end} = place.lane.rows[row]; // one that is narrower than the pixel
    const index = after(end, time - pixel);
    return index < begin.length && begin[index] <= time + pixel ? {lane: place.lane.index, row, index} : null;
  }

  laneAt(y) {
    return this.places.find((place) => y >= this.y(place, 0) - GAP / 2 && y < this.y(place, place.rows) + GAP / 2);
  }

  // ---- moving ----

  show(begin, end) {
    const least = 20, most = this.trace.length * 1.06;
    const length = Math.max(least, Math.min(end - begin, most));
    const middle = (begin + end) / 2;
    this.begin = Math.max(-0.03 * this.trace.length, Math.min(middle - length / 2, 1.03 * this.trace.length - length));
    this.end = this.begin + length;
    this.redraw();
  }

  // From the first slice to the last.
  all() {
    let first = this.trace.length, last = 0;
    for (const {lane} of this.places) {
      first = Math.min(first, lane.rows[0].begin[0]);
      last = Math.max(last, lane.rows[0].end[lane.rows[0].length - 1]);
    }
    if (first >= last) [first, last] = [0, this.trace.length];
    this.show(first - 0.015 * (last - first), last + 0.015 * (last - first));
  }

  zoom(factor, x = LABEL + this.wide / 2) {
    const time = this.time(x);
    this.show(time - (time - this.begin) * factor, time + (this.end - time) * factor);
  }

  move(part) {
    const by = (this.end - this.begin) * part;
    this.show(this.begin + by, this.end + by);
  }

  scroll(pixels) {
    this.top += pixels;
    this.redraw();
  }

  // So that one sees it.
  reveal(slice, zooms) {
    const begin = this.slices.begin(slice), end = this.slices.end(slice);
    const place = this.placeOf(slice.lane);
    if (slice.row >= place.rows) {
      this.full.add(slice.lane);
      this.arrange();
    }
    const y = this.placeOf(slice.lane).top + slice.row * ROW;
    if (y < this.top || y + ROW > this.top + this.high) this.top = y - this.high / 2;
    const length = end - begin, seen = this.end - this.begin;
    if (zooms) this.show(begin - length, end + length);
    else if (begin > this.end || end < this.begin || length * 200 < seen)
      this.show((begin + end) / 2 - Math.min(seen, Math.max(length * 30, 1000)) / 2,
        (begin + end) / 2 + Math.min(seen, Math.max(length * 30, 1000)) / 2);
    else this.redraw();
  }

  revealLane(lane) {
    this.top = this.placeOf(lane).top - 10;
    this.redraw();
  }

  // ---- drawing ----

  redraw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.draw();
    });
  }

  draw() {
    this.measure();
    this.ink = this.readInk();
    const c = this.canvas.getContext("2d");
    c.fillStyle = this.ink.back;
    c.fillRect(0, 0, LABEL + this.wide, AXIS + this.high);
    c.font = FONT;
    c.textBaseline = "middle";
    this.drawGrid(c);
    c.save();
    c.beginPath();
    c.rect(LABEL, AXIS, this.wide, this.high);
    c.clip();
    for (const place of this.places) {
      if (this.y(place, place.rows) < AXIS || this.y(place, 0) > AXIS + this.high) continue;
      for (let row = 0; row < place.rows; row++) this.drawRow(c, place.lane.rows[row], this.y(place, row));
      this.drawMoments(c, place);
    }
    if (this.arrows) this.drawArrows(c);
    this.drawSelected(c);
    this.drawStretch(c);
    c.restore();
    this.drawLabels(c);
    this.drawScrollbar(c);
    this.drawOverview();
  }

  // The colours of the style sheet.
  readInk() {
    const style = getComputedStyle(document.documentElement), names = ["back", "plate", "line", "text", "faint", "mark", "shade"];
    return Object.fromEntries(names.map((name) => [name, style.getPropertyValue("--" + name).trim()]));
  }

  drawGrid(c) {
    const step = this.gridStep();
    c.fillStyle = this.ink.plate;
    c.fillRect(0, 0, LABEL + this.wide, AXIS);
    c.fillStyle = this.ink.faint;
    c.strokeStyle = this.ink.line;
    c.beginPath();
    for (let time = Math.ceil(this.begin / step) * step; time <= this.end; time += step) {
      const x = Math.round(this.x(time)) + 0.5;
      c.moveTo(x, AXIS - 6);
      c.lineTo(x, AXIS + this.high);
      const text = momentText(time, step);
      if (x + 4 + c.measureText(text).width < LABEL + this.wide) c.fillText(text, x + 4, AXIS / 2);
    }
    c.stroke();
  }

  gridStep() {
    const rough = (this.end - this.begin) / Math.max(1, this.wide / 110);
    const ten = 10 ** Math.floor(Math.log10(rough));
    return ten * (rough / ten <= 1 ? 1 : rough / ten <= 2 ? 2 : rough / ten <= 5 ? 5 : 10);
  }

  // Slices narrower than a pixel are merged: what they fill of it is how strong its colour is.
  drawRow(c, row, y) {
    const {begin, end, type, busy} = row, scale = this.wide / (this.end - this.begin);
    const right = LABEL + this.wide;
    let i = after(end, this.begin);
    let from = 0, to = 0, look = -1; // pixels that are alike and not drawn yet
    const flush = () => {
      if (look < 0) return;
      const number = look >> 3;
      c.fillStyle = this.paint.colours[number];
      c.globalAlpha = (this.isDim(number) ? 0.12 : 1) * ((look & 7) + 1) / 8;
      c.fillRect(from, y, to - from, ROW - 1);
      c.globalAlpha = 1;
      look = -1;
    };
    while (i < row.length && begin[i] < this.end) {
      const x = LABEL + (begin[i] - this.begin) * scale, width = (end[i] - begin[i]) * scale;
      if (width >= 1) {
        flush();
        this.drawSlice(c, Math.max(x, LABEL - 4), Math.min(x + width, right + 4), y, type[i]);
        i++;
        continue;
      }
      const pixel = Math.floor(x);
      const next = Math.max(i + 1, after(end, this.begin + (pixel + 1 - LABEL) / scale, i));
      let chosen = i; // the longest of some of them gives the colour
      for (let k = 1, step = Math.max(1, (next - i) >> 3); i + k * step < next && k < 8; k++)
        if (end[i + k * step] - begin[i + k * step] > end[chosen] - begin[chosen]) chosen = i + k * step;
      const filled = Math.min(1, (busy[next] - busy[i]) * scale);
      const now = type[chosen] << 3 | Math.min(7, Math.max(1, Math.floor(filled * 8)));
      if (now !== look || pixel > to) {
        flush();
        from = pixel;
        look = now;
      }
      to = pixel + 1;
      i = next;
    }
    flush();
  }

  isDim(number) { return this.matching !== null && !this.matching[number]; }

  drawSlice(c, left, right, y, number) {
    const dim = this.isDim(number), gap = right - left > 3 ? 0.6 : 0;
    c.globalAlpha = dim ? 0.12 : 1;
    c.fillStyle = this.paint.colours[number];
    c.fillRect(left, y, right - left - gap, ROW - 1);
    const seen = Math.max(left, LABEL), room = Math.min(right, LABEL + this.wide) - seen - 8;
    if (room > 24 && !dim) {
      c.fillStyle = this.paint.texts[number];
      c.fillText(this.fitting(c, this.titles[number], room), seen + 4, y + ROW / 2);
    }
    c.globalAlpha = 1;
  }

  // What a slice is called, in the first of these forms for which there is room.
  titlesOf(number) {
    const type = this.trace.types[number];
    if (!type) return ["other"];
    if (!type.place) return [type.word];
    return [type.word + " " + type.place, type.place, type.place.replace(/ \(.*/, ""), type.word];
  }

  // As much of the shortest text as there is room for.
  fitting(c, texts, room) {
    const fits = texts.find((text) => c.measureText(text).width <= room);
    if (fits) return fits;
    const text = texts[texts.length - 1];
    let length = Math.min(text.length, Math.ceil(room / 5));
    while (length > 1 && c.measureText(text.slice(0, length) + "\u2026").width > room) length--;
    return length > 2 ? text.slice(0, length) + "\u2026" : "";
  }

  drawMoments(c, place) {
    c.fillStyle = this.ink.text;
    for (const moment of place.lane.moments) {
      const x = this.x(moment.time);
      if (x < LABEL || x > LABEL + this.wide) continue;
      c.beginPath();
      c.moveTo(x, this.y(place, 0) - 1);
      c.lineTo(x - 4, this.y(place, 0) - 8);
      c.lineTo(x + 4, this.y(place, 0) - 8);
      c.fill();
    }
  }

  // From the creation of a task to its beginning.
  drawArrow(c, id, colour, strength) {
    const from = this.slices.creation(id), to = this.slices.ofTask(id);
    if (from && to) this.drawCurve(c, from.lane, this.rowAt(from), from.time, to, colour, strength);
  }

  // From the end of a task to the beginning of one that has waited for it.
  drawEdge(c, [first, second], colour, strength) {
    const from = this.slices.parts(this.slices.ofTask(first)).pop();
    this.drawCurve(c, from.lane, from.row, this.slices.end(from), this.slices.ofTask(second), colour, strength);
  }

  // From a point of a lane to the beginning of a slice.
  drawCurve(c, lane, row, time, to, colour, strength) {
    const low = this.placeOf(lane), high = this.placeOf(to.lane);
    if (!low || !high) return;
    const x0 = this.x(time), x1 = this.x(this.slices.begin(to));
    const y0 = this.y(low, Math.min(row, low.rows - 1)) + ROW / 2;
    const y1 = this.y(high, Math.min(to.row, high.rows - 1)) + ROW / 2;
    const bend = Math.max(12, Math.min(80, Math.abs(x1 - x0) / 2));
    c.strokeStyle = c.fillStyle = colour;
    c.globalAlpha = strength;
    c.lineWidth = 1;
    c.beginPath();
    c.moveTo(x0, y0);
    c.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1 - 3, y1);
    c.stroke();
    c.beginPath();
    c.arc(x0, y0, 2.2, 0, 7);
    c.moveTo(x1 + 1, y1);
    c.lineTo(x1 - 5, y1 - 3.5);
    c.lineTo(x1 - 5, y1 + 3.5);
    c.fill();
    c.globalAlpha = 1;
  }

  // The row of the task that creates another one at that time.
  rowAt({lane, time}) {
    const rows = this.trace.lanes[lane].rows;
    let row = 0;
    while (row + 1 < rows.length && this.slices.at(lane, row + 1, time)) row++;
    return row;
  }

  // Of those in view, by the times at which they end; where there are too many, some of them.
  drawSome(times, draw) {
    const from = after(times, this.begin), to = after(times, this.end);
    const step = Math.max(1, Math.ceil((to - from) / ARROWS_MOST));
    const strength = Math.max(0.07, Math.min(0.6, 12 / Math.max(1, (to - from) / step)));
    for (let i = from; i < to; i += step) draw(i, strength);
  }

  drawArrows(c) {
    const {stolen, stolenAt, edges, edgesAt} = this.trace;
    this.drawSome(edgesAt, (i, strength) => this.drawEdge(c, edges[i], this.paint.palette.depend, strength));
    this.drawSome(stolenAt, (i, strength) => this.drawArrow(c, stolen[i], this.ink.text, strength));
  }

  drawSelected(c) {
    if (!this.selected) return;
    c.lineWidth = 2;
    for (const part of this.slices.parts(this.selected)) {
      const place = this.placeOf(part.lane);
      if (part.row >= place.rows) continue;
      const left = Math.max(this.x(this.slices.begin(part)), LABEL - 4);
      const right = Math.min(this.x(this.slices.end(part)), LABEL + this.wide + 4);
      c.strokeStyle = this.ink.mark;
      if (right >= LABEL - 4 && left <= LABEL + this.wide + 4)
        c.strokeRect(left, this.y(place, part.row), Math.max(right - left, 2), ROW - 1);
    }
    if (!this.slices.isTask(this.selected)) return;
    const id = this.slices.id(this.selected);
    if (this.children === undefined || this.childrenOf !== id) {
      this.childrenOf = id;
      this.children = this.slices.children(id);
      this.neighbours = this.slices.neighbours(id);
    }
    const step = Math.max(1, Math.ceil(this.children.length / ARROWS_MOST));
    for (let i = 0; i < this.children.length; i += step) this.drawArrow(c, this.children[i], this.ink.mark, 0.45);
    const edges = [...this.neighbours[0].map((first) => [first, id]), ...this.neighbours[1].map((second) => [id, second])];
    for (const edge of edges.slice(0, ARROWS_MOST)) this.drawEdge(c, edge, this.paint.palette.depend, 1);
    this.drawArrow(c, id, this.ink.mark, 1);
  }

  drawStretch(c) {
    if (!this.stretch) return;
    const [x0, x1] = this.stretch.map((time) => this.x(time)).sort((a, b) => a - b);
    c.fillStyle = this.ink.mark;
    c.globalAlpha = 0.18;
    c.fillRect(x0, AXIS, x1 - x0, this.high);
    c.globalAlpha = 1;
    c.fillText(timeText(Math.abs(this.stretch[1] - this.stretch[0])), x0 + 4, AXIS + 12);
  }

  drawLabels(c) {
    c.fillStyle = this.ink.plate;
    c.fillRect(0, AXIS, LABEL, this.high);
    c.save();
    c.beginPath();
    c.rect(0, AXIS, LABEL, this.high);
    c.clip();
    for (const place of this.places) {
      const y = this.y(place, 0), more = place.lane.rows.length - place.rows;
      c.fillStyle = this.ink.text;
      c.fillText(place.lane.name, 8, y + ROW / 2);
      c.fillStyle = this.ink.faint;
      if (more > 0) c.fillText(`+ ${more} rows`, 8, y + ROW * 1.5);
      c.fillStyle = this.ink.line;
      c.fillRect(0, Math.round(this.y(place, place.rows) + GAP / 2 - 1), LABEL + this.wide, 1);
    }
    c.restore();
    c.fillStyle = this.ink.line;
    c.fillRect(LABEL - 1, 0, 1, AXIS + this.high);
  }

  drawScrollbar(c) {
    if (this.height <= this.high) return;
    const length = Math.max(24, this.high * this.high / this.height);
    c.fillStyle = this.ink.faint;
    c.globalAlpha = 0.5;
    c.fillRect(LABEL + this.wide - 6, AXIS + (this.high - length) * this.top / (this.height - this.high), 4, length);
    c.globalAlpha = 1;
  }

  // How much of each pixel's time the threads are in tasks, in other work, and in waits.
  drawOverview() {
    const c = this.overview.getContext("2d"), width = this.overview.clientWidth, high = this.overview.clientHeight;
    c.fillStyle = this.ink.plate;
    c.fillRect(0, 0, width, high);
    this.load = this.load || this.measureLoad(400);
    const step = (width - LABEL) / 400, room = high - 6, p = this.paint.palette;
    for (let i = 0; i < 400; i++) {
      let top = high;
      for (const [kind, colour] of [["task", p.tasks[0]], ["work", p.work[0]], ["wait", p.wait]]) {
        const part = Math.max(0, this.load[kind][i]) * room;
        c.fillStyle = colour;
        c.fillRect(LABEL + i * step, top - part, step + 0.4, part);
        top -= part;
      }
    }
    c.fillStyle = this.ink.faint;
    c.font = FONT;
    c.textBaseline = "middle";
    c.fillText("all threads", 8, high / 2);
    const x = (time) => LABEL + Math.max(0, Math.min(1, time / this.trace.length)) * (width - LABEL);
    c.fillStyle = this.ink.shade;
    c.fillRect(LABEL, 0, x(this.begin) - LABEL, high);
    c.fillRect(x(this.end), 0, width - x(this.end), high);
    c.strokeStyle = this.ink.mark;
    c.lineWidth = 1.5;
    c.strokeRect(x(this.begin) + 0.75, 0.75, Math.max(2, x(this.end) - x(this.begin) - 1.5), high - 1.5);
  }

  // By kind, each slice without those inside of it.
  measureLoad(count) {
    const load = {task: new Float64Array(count), work: new Float64Array(count), wait: new Float64Array(count)};
    const unit = this.trace.length / count, lanes = Math.max(1, this.places.length);
    const add = (sums, begin, end, sign) => {
      const last = Math.min(count - 1, Math.floor(end / unit));
      for (let at = Math.max(0, Math.floor(begin / unit)); at <= last; at++)
        sums[at] += sign * (Math.min(end, (at + 1) * unit) - Math.max(begin, at * unit)) / unit / lanes;
    };
    const kinds = this.trace.types.map(kindOf);
    for (const {lane} of this.places)
      lane.rows.forEach((row, depth) => {
        for (let i = 0; i < row.length; i++) {
          const kind = kinds[row.type[i]], outer = depth > 0 ? after(lane.rows[depth - 1].begin, row.begin[i]) - 1 : -1;
          const around = outer >= 0 ? kinds[lane.rows[depth - 1].type[outer]] : null;
          if (kind === around) continue;
          add(load[kind], row.begin[i], row.end[i], 1);
          if (around) add(load[around], row.begin[i], row.end[i], -1);
        }
      });
    return load;
  }
}
