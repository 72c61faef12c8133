// Puts it together: what is selected, searched and pressed.

class Report {
  constructor() {
    this.trace = new Trace();
    this.slices = new Slices(this.trace);
    this.totals = countTypes(this.trace);
    countQueued(this.trace, this.totals, this.slices);
    this.paint = new Paint(this.trace, this.totals);
    this.view = new View(this.trace, this.slices, this.paint);
    this.table = new Table(this.trace, this.totals, this.paint, (number) => this.chooseType(number));
    this.search = document.getElementById("search");
    this.setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    this.showHead();
    this.listen();
    this.view.measure();
    this.view.all();
    const id = /^#task=(\d+)$/.exec(location.hash);
    if (id) this.goTo(this.slices.ofTask(+id[1]), true);
  }

  showHead() {
    const {facts, trace} = this, name = facts => facts.program.replace(/.*\//, "") || "program";
    const began = new Date(trace.facts.began * 1000);
    document.title = name(trace.facts) + " \u2013 Blitz timeline";
    document.getElementById("title").textContent = name(trace.facts);
    const count = trace.lanes.filter((lane) => lane.rows.length > 0).length;
    const what = trace.facts.runtime.startsWith("libblitz ") ? "blitz.h" : "OpenMP";
    const about = `${timeText(trace.length)} from the first use of ${what} on, ${count} thread${count === 1 ? "" : "s"}, ` +
      `${countText(trace.tasks.count)} task${trace.tasks.count === 1 ? "" : "s"}`;
    document.getElementById("about").textContent = about;
    document.getElementById("about").title = `${trace.facts.program} (process ${trace.facts.process}) on ` +
      `${trace.facts.host}, ${began.toLocaleString()}; ${trace.facts.runtime}`;
    const warning = document.getElementById("warning");
    const {dropped, hidden} = trace.facts, lines = [];
    if (dropped) lines.push(`The memory for the trace was used up: the last ${countText(dropped)} events are missing. ` +
      "BLITZ_TRACE_SIZE says how much it may take.");
    if (hidden) lines.push(`${countText(hidden)} slices are nested more than 2000 deep, and not shown.`);
    document.getElementById("figures").textContent = trace.facts.statistics ?? "";
    document.getElementById("statistics").hidden = !trace.facts.statistics;
    warning.hidden = lines.length === 0;
    warning.textContent = lines.join(" ");
  }

  setTheme(name) {
    this.theme = name;
    document.documentElement.dataset.theme = name;
    this.paint.setTheme(name);
    this.table.draw();
    drawThreads(this.trace, this.paint, (lane) => this.view.revealLane(lane));
    document.getElementById("legend").replaceChildren(...this.paint.legend(this.view.readInk()).map(([text, sign, ...colours]) => {
      const entry = element("span");
      for (const colour of colours) {
        const dot = sign ? element("b", sign) : element("i", undefined, "dot");
        dot.style[sign ? "color" : "background"] = colour;
        entry.append(dot);
      }
      entry.append(" " + text);
      return entry;
    }));
    if (this.selected) this.describe();
    this.view.redraw();
  }

  // ---- selecting ----

  select(slice) {
    this.selected = this.view.selected = slice;
    this.describe();
    this.view.redraw();
  }

  goTo(slice, zooms) {
    if (!slice) return;
    this.select(slice);
    this.view.reveal(slice, zooms);
  }

  link(text, slice) {
    const link = element("a", text);
    link.href = "#";
    link.onclick = (event) => {
      event.preventDefault();
      this.goTo(slice, false);
    };
    return slice ? link : element("span", text);
  }

  // To some tasks, and how many more there are.
  links(ids) {
    const links = ids.slice(0, 8).flatMap((id, i) => [i ? ", " : "", this.link("task " + id, this.slices.ofTask(id))]);
    return ids.length > 8 ? [...links, ` and ${ids.length - 8} more`] : links;
  }

  describe() {
    const box = document.getElementById("selected"), slice = this.selected;
    if (!slice) {
      box.replaceChildren(element("p", "Click on a slice to see what it is.", "faint"));
      return;
    }
    const s = this.slices, type = s.type(slice), title = element("h3"), dot = element("i", undefined, "dot");
    dot.style.background = this.paint.colours[s.typeNumber(slice)];
    title.append(dot, type.word + (s.isTask(slice) ? " " + s.id(slice) : ""));
    const list = element("dl");
    for (const [name, ...values] of this.facts(slice)) {
      const value = element("dd");
      value.append(...values);
      list.append(element("dt", name), value);
    }
    const place = element("div", type.place || "place not known", "place");
    if (type.path) place.title = type.path + ":" + type.line;
    const zoom = element("a", "zoom to it");
    zoom.href = "#";
    zoom.onclick = (event) => {
      event.preventDefault();
      this.view.reveal(slice, true);
    };
    box.replaceChildren(title, place, list, zoom);
  }

  facts(slice) {
    const s = this.slices, type = s.type(slice), begin = s.begin(slice), end = s.end(slice), flags = s.flags(slice);
    const rows = [["thread", this.trace.lanes[slice.lane].name],
      ["begins", momentText(begin, Math.max(1, (end - begin) / 100))], ["takes", timeText(end - begin)]];
    if (Math.abs(s.own(slice) - (end - begin)) >= 1) rows.push(["of these itself", timeText(s.own(slice))]);
    if (flags & UNFINISHED) rows.push(["", "has not ended when the trace was written"]);
    const extra = s.extra(slice);
    if (type.class === CLASS.CHUNK && extra[0] > 1)
      rows.push(["chunks", `${countText(extra[0])}, ${timeText((end - begin) / extra[0])} each, too short to be shown one by one`]);
    if (s.isTask(slice)) rows.push(...this.taskFacts(slice));
    if (type.class === CLASS.MEMBER && extra.length) rows.push(["thread number", `${extra[0]} of ${extra[1]}`]);
    if (type.class === CLASS.REGION && extra[0]) rows.push(["threads asked for", String(extra[0])]);
    if (type.class === CLASS.CHUNK) rows.push(["from iteration", countText(s.id(slice))]);
    if (type.class === CLASS.WORK && extra[0]) rows.push(["count", countText(extra[0])]);
    const around = s.around(slice);
    if (around) rows.push(["inside of", this.link(s.type(around).word + " " + s.type(around).place, around)]);
    return rows;
  }

  taskFacts(slice) {
    const s = this.slices, id = s.id(slice), creation = s.creation(id), rows = [], parts = s.parts(slice);
    if (creation) {
      const by = s.ofTask(creation.by), queued = s.begin(parts[0]) - creation.time;
      rows.push(["created", "by ", this.link(by ? `task ${creation.by}` : "its implicit task", by),
        ` on ${this.trace.lanes[creation.lane].name}, at ${momentText(creation.time, Math.max(1, queued / 100))}`]);
      rows.push(["queued for", timeText(queued)]);
      rows.push(["stolen", creation.lane === slice.lane ? "no" : `from ${this.trace.lanes[creation.lane].name}`]);
      const words = TASK_WORDS.filter((word, bit) => this.trace.tasks.detail.get(id) & (1 << bit));
      if (words.length) rows.push(["kind", words.join(", ")]);
    } else if (s.flags(parts[0]) & AT_ONCE) {
      rows.push(["created", "here, and run at once"]);
    } else {
      rows.push(["created", "before the trace began"]);
    }
    if (parts.length > 1) {
      const at = parts.findIndex((part) => part.lane === slice.lane && part.row === slice.row && part.index === slice.index);
      rows.push(["part", `${at + 1} of ${parts.length} `, this.link("before", parts[at - 1]), " ", this.link("after", parts[at + 1])]);
      rows.push(["all parts", timeText(parts.reduce((sum, part) => sum + s.end(part) - s.begin(part), 0))]);
    }
    const [before, behind] = s.neighbours(id);
    if (before.length) rows.push(["has waited for", ...this.links(before)]);
    if (behind.length) rows.push(["was waited for by", ...this.links(behind)]);
    const children = s.children(id);
    if (children.length)
      rows.push(["queued children", countText(children.length) + ", ", this.link("the first", s.ofTask(children[0]))]);
    return rows;
  }

  // ---- searching ----

  chooseType(number) {
    this.search.value = "";
    this.match(number ? (type, at) => at === number : null);
  }

  match(isOne) {
    this.view.matching = isOne ? this.trace.types.map((type, number) => type !== null && isOne(type, number)) : null;
    const count = isOne ? this.totals.reduce((sum, t) => sum + (this.view.matching[t.number] ? t.count : 0), 0) : 0;
    document.getElementById("found").textContent = isOne ? countText(count) + " found" : "";
    this.view.redraw();
  }

  find(text) {
    const words = text.toLowerCase().split(/\s+/).filter((word) => word);
    this.table.chosen = 0;
    this.table.draw();
    this.match(words.length === 0 ? null : (type) => {
      const all = `${type.word} ${type.place} ${type.path}:${type.line}`.toLowerCase();
      return words.every((word) => all.includes(word));
    });
  }

  goToMatch(step) {
    const {matching} = this.view;
    if (!matching) return;
    const from = this.selected ? this.slices.begin(this.selected) : step > 0 ? this.view.begin : this.view.end;
    this.goTo(this.slices.next(from, step, (number) => matching[number]), false);
  }

  // ---- what the user does ----

  listen() {
    const on = (id, action) => document.getElementById(id).addEventListener("click", action);
    on("fit", () => this.view.all());
    on("closer", () => this.view.zoom(0.5));
    on("farther", () => this.view.zoom(2));
    on("arrows", () => this.toggleArrows());
    on("theme", () => this.setTheme(this.theme === "dark" ? "light" : "dark"));
    on("panel", () => this.togglePanel());
    on("statistics", () => this.toggleStatistics());
    on("help", () => this.toggleHelp());
    document.getElementById("arrows").setAttribute("aria-pressed", "true");
    this.search.addEventListener("input", () => this.find(this.search.value));
    this.search.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.goToMatch(event.shiftKey ? -1 : 1);
      if (event.key === "Escape") this.clear();
      event.stopPropagation();
    });
    addEventListener("keydown", (event) => this.press(event));
    new ResizeObserver(() => this.view.redraw()).observe(this.view.canvas);
    this.listenLanes();
    this.listenOverview();
  }

  toggleArrows() {
    this.view.arrows = !this.view.arrows;
    document.getElementById("arrows").setAttribute("aria-pressed", String(this.view.arrows));
    this.view.redraw();
  }

  togglePanel() {
    const panel = document.querySelector("aside");
    panel.hidden = !panel.hidden;
  }

  toggleStatistics() {
    const figures = document.getElementById("figures");
    figures.hidden = !figures.hidden || !this.trace.facts.statistics;
  }

  toggleHelp() {
    const keys = document.getElementById("keys");
    keys.hidden = !keys.hidden;
  }

  clear() {
    document.getElementById("keys").hidden = document.getElementById("figures").hidden = true;
    this.search.value = "";
    this.search.blur();
    this.find("");
    this.select(null);
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const v = this.view;
    const actions = {
      w: () => v.zoom(0.7), s: () => v.zoom(1.4), "+": () => v.zoom(0.7), "-": () => v.zoom(1.4),
      a: () => v.move(-0.15), d: () => v.move(0.15), ArrowLeft: () => v.move(-0.15), ArrowRight: () => v.move(0.15),
      ArrowUp: () => v.scroll(-40), ArrowDown: () => v.scroll(40),
      PageUp: () => v.scroll(-v.high * 0.8), PageDown: () => v.scroll(v.high * 0.8),
      f: () => this.selected && v.reveal(this.selected, true), 0: () => v.all(), Home: () => v.all(),
      "/": () => this.search.focus(), n: () => this.goToMatch(1), N: () => this.goToMatch(-1),
      r: () => this.toggleArrows(), t: () => this.setTheme(this.theme === "dark" ? "light" : "dark"),
      p: () => this.togglePanel(), i: () => this.toggleStatistics(), "?": () => this.toggleHelp(), Escape: () => this.clear(),
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  }

  listenLanes() {
    const v = this.view, canvas = v.canvas;
    let drag = null;
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const amount = event.deltaMode === 1 ? event.deltaY * 30 : event.deltaY || event.deltaX;
      if (event.offsetX < LABEL || event.altKey) v.scroll(amount);
      else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) v.move((event.deltaX || amount) / v.wide);
      else v.zoom(Math.exp(Math.max(-400, Math.min(400, amount)) * 0.0022), event.offsetX);
    }, {passive: false});
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      drag = {x: event.offsetX, y: event.offsetY, begin: v.begin, end: v.end, top: v.top, moved: false, marks: event.shiftKey};
      document.getElementById("tip").hidden = true;
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!drag) { this.hover(event); return; }
      const dx = event.offsetX - drag.x, dy = event.offsetY - drag.y;
      drag.moved = drag.moved || Math.abs(dx) + Math.abs(dy) > 4;
      if (!drag.moved) return;
      if (drag.marks) {
        v.stretch = [v.time(drag.x), v.time(event.offsetX)];
        v.redraw();
        return;
      }
      const by = dx / v.wide * (drag.end - drag.begin);
      v.top = drag.top - dy;
      v.show(drag.begin - by, drag.end - by);
    });
    canvas.addEventListener("pointerup", (event) => {
      const was = drag;
      drag = null;
      if (!was) return;
      if (v.stretch) {
        const [begin, end] = v.stretch.slice().sort((a, b) => a - b);
        v.stretch = null;
        v.show(begin, end);
      } else if (!was.moved) this.click(event);
    });
    canvas.addEventListener("pointerleave", () => { document.getElementById("tip").hidden = true; });
    canvas.addEventListener("dblclick", (event) => {
      const slice = v.at(event.offsetX, event.offsetY);
      if (slice) this.goTo(slice, true);
    });
  }

  click(event) {
    const v = this.view;
    if (event.offsetX < LABEL) {
      const place = v.laneAt(event.offsetY);
      if (!place) return;
      if (!v.full.delete(place.lane.index)) v.full.add(place.lane.index);
      v.arrange();
      v.redraw();
      return;
    }
    this.select(v.at(event.offsetX, event.offsetY));
  }

  hover(event) {
    const tip = document.getElementById("tip"), slice = this.view.at(event.offsetX, event.offsetY);
    this.view.canvas.style.cursor = slice ? "pointer" : "default";
    tip.hidden = !slice;
    if (!slice) return;
    const s = this.slices, type = s.type(slice);
    tip.replaceChildren(element("div", type.word + (s.isTask(slice) ? " " + s.id(slice) : "") + ", " +
      timeText(s.end(slice) - s.begin(slice))), element("div", type.place, "faint"));
    const stage = document.getElementById("stage"), x = event.offsetX + 14;
    const y = event.offsetY + this.view.overview.clientHeight + 16;
    tip.style.left = Math.min(x, stage.clientWidth - tip.offsetWidth - 6) + "px";
    tip.style.top = Math.min(y, stage.clientHeight - tip.offsetHeight - 6) + "px";
  }

  listenOverview() {
    const v = this.view, canvas = v.overview;
    const goTo = (event) => {
      const time = (event.offsetX - LABEL) / (canvas.clientWidth - LABEL) * this.trace.length;
      const half = (v.end - v.begin) / 2;
      v.show(time - half, time + half);
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      goTo(event);
    });
    canvas.addEventListener("pointermove", (event) => { if (event.buttons & 1) goTo(event); });
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      v.zoom(Math.exp(event.deltaY * 0.0022));
    }, {passive: false});
  }
}

const report = new Report();
