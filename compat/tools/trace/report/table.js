// What each construct and each thread took.

const KINDS = {[CLASS.TASK]: "task", [CLASS.SYNC]: "wait", [CLASS.WAIT]: "wait"};

function kindOf(type) { return type && KINDS[type.class] || "work"; }

function countTypes(trace) {
  const totals = trace.types.map((type, number) =>
    ({number, count: 0, total: 0, own: 0, longest: 0, queued: 0, waited: 0, stolen: 0}));
  for (const lane of trace.lanes)
    lane.rows.forEach((row, depth) => {
      for (let i = 0; i < row.length; i++) {
        const t = totals[row.type[i]], length = row.end[i] - row.begin[i];
        if (!(row.flags[i] & WENT_ON)) t.count++;
        t.total += length;
        t.own += row.own[i];
        const tasks = row.flags[i] & SEVERAL ? trace.numbers(lane.index, depth, i)[0] || 1 : 1;
        if (length > t.longest * tasks) t.longest = length / tasks;
      }
    });
  totals.forEach((t) => t.count += trace.together[t.number]);
  return totals;
}

// How long tasks were queued, by type.
function countQueued(trace, totals, slices) {
  const {created, creator, lane} = trace.tasks;
  for (let id = 1; id < created.array.length; id++) {
    if (created.array[id] < 0 || lane.get(id) === NO_LANE) continue;
    const slice = slices.ofTask(id), t = totals[slices.typeNumber(slice)];
    t.queued++;
    t.waited += slices.begin(slice) - created.array[id];
    if (creator.get(id) !== slice.lane) t.stolen++;
  }
}

function countThreads(trace) {
  return trace.lanes.map((lane) => {
    const sums = {lane: lane.index, task: 0, wait: 0, work: 0, inside: 0};
    lane.rows.forEach((row, depth) => {
      for (let i = 0; i < row.length; i++) {
        sums[kindOf(trace.types[row.type[i]])] += row.own[i];
        if (depth === 0) sums.inside += row.end[i] - row.begin[i];
      }
    });
    return sums;
  });
}

function element(name, text, kind) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

const COLUMNS = [
  ["name", "construct", "name"],
  ["count", "count", "how often it was begun, on all threads together"],
  ["own", "own", "time in it, without the slices inside of it"],
  ["mean", "mean total", "mean time from begin to end, with the slices inside of it; of short chunks that are shown together, each has a part of it"],
  ["longest", "longest total", "longest slice, with those inside of it"],
];

class Table {
  constructor(trace, totals, paint, choose) {
    this.trace = trace; this.totals = totals; this.paint = paint; this.choose = choose;
    this.sort = "own"; this.way = -1; this.chosen = 0;
  }

  value(t, key) {
    const type = this.trace.types[t.number];
    return key === "name" ? type.word + " " + type.place : key === "mean" ? t.total / t.count : t[key];
  }

  draw() {
    const table = element("table"), head = element("tr");
    for (const [key, text, title] of COLUMNS) {
      const cell = element("th", text, key === "name" ? "name" : "");
      cell.title = title;
      cell.onclick = () => {
        this.way = this.sort === key ? -this.way : key === "name" ? 1 : -1;
        this.sort = key;
        this.draw();
      };
      head.append(cell);
    }
    table.append(head);
    const rows = this.totals.filter((t) => t.number && t.count);
    rows.sort((a, b) => {
      const [x, y] = [this.value(a, this.sort), this.value(b, this.sort)];
      return this.way * (typeof x === "string" ? x.localeCompare(y) : x - y);
    });
    for (const t of rows.slice(0, 200)) table.append(this.line(t));
    document.getElementById("constructs").replaceChildren(table);
    if (rows.length > 200) document.getElementById("constructs").append(`and ${rows.length - 200} more`);
  }

  line(t) {
    const type = this.trace.types[t.number], line = element("tr", undefined, "type");
    const name = element("td", undefined, "name"), dot = element("i", undefined, "dot");
    dot.style.background = this.paint.colours[t.number];
    name.append(dot, type.word + " ", element("span", type.place, "faint"));
    if (t.queued) name.append(element("div", `${countText(t.queued)} queued, ${timeText(t.waited / t.queued)} each; ` +
      `${countText(t.stolen)} of these stolen`, "faint"));
    line.append(name, element("td", countText(t.count)), element("td", timeText(t.own)),
      element("td", timeText(t.total / t.count)), element("td", timeText(t.longest)));
    line.classList.toggle("chosen", this.chosen === t.number);
    line.onclick = () => {
      this.chosen = this.chosen === t.number ? 0 : t.number;
      this.choose(this.chosen);
      this.draw();
    };
    return line;
  }
}

function drawThreads(trace, paint, show) {
  const table = element("table"), p = paint.palette, head = element("tr");
  for (const text of ["thread", "", "tasks", "other work", "waits"]) head.append(element("th", text, text ? "" : "name"));
  table.append(head);
  for (const sums of countThreads(trace)) {
    if (trace.lanes[sums.lane].rows.length === 0) continue;
    const line = element("tr", undefined, "type"), cell = element("td"), bar = element("div", undefined, "bar");
    for (const [part, colour] of [[sums.task, p.tasks[0]], [sums.work, p.work[0]], [sums.wait, p.wait]]) {
      const piece = element("i");
      piece.style.width = 100 * part / trace.length + "%";
      piece.style.background = colour;
      bar.append(piece);
    }
    cell.append(bar);
    bar.title = `in regions ${timeText(sums.inside)} of ${timeText(trace.length)}`;
    const percent = (part) => Math.round(100 * part / trace.length) + " %";
    line.append(element("td", trace.lanes[sums.lane].name.replace("thread ", "")), cell, element("td", percent(sums.task)),
      element("td", percent(sums.work)), element("td", percent(sums.wait)));
    line.onclick = () => show(sums.lane);
    table.append(line);
  }
  document.getElementById("threads").replaceChildren(table);
}
