// Colours: one for each kind of slice, and for tasks and for loops some shades, by their place.

const PALETTES = {
  light: {
    region: "#56657a", member: "#cdd6df", other: "#9aa4ae", masked: "#7fa3a6",
    tasks: ["#3f7fd0", "#7b5cc4", "#1f97ad", "#a85aa8", "#5b6fe0", "#2f6f95", "#9a7ad9", "#5aa0d6"],
    work: ["#4d9c62", "#86a83a", "#2e9184", "#6bb07f", "#5d8a2e", "#3f8f70"],
    wait: "#d5674d", hold: "#a0785a", chunk: "#b5d6bd", depend: "#c98a12",
  },
  dark: {
    region: "#75869c", member: "#39444f", other: "#6b7580", masked: "#5f8589",
    tasks: ["#5a9bf0", "#9a7fe6", "#35b3c9", "#c678c6", "#8090f5", "#4f95be", "#b79bf0", "#7bbcf0"],
    work: ["#62b87a", "#a3c654", "#43ad9f", "#86c998", "#7fae4a", "#58ab8b"],
    wait: "#e27d63", hold: "#b58d6e", chunk: "#35563f", depend: "#f0c04a",
  },
};

class Paint {
  constructor(trace, totals) {
    this.trace = trace;
    // The places that take the most time have the colours that differ most.
    this.order = {[CLASS.TASK]: new Map(), [CLASS.WORK]: new Map()};
    const numbers = trace.types.map((type, number) => number).filter((number) => number > 0);
    numbers.sort((a, b) => totals[b].total - totals[a].total);
    for (const number of numbers) {
      const order = this.order[trace.types[number].class];
      if (order) order.set(number, order.size);
    }
    this.setTheme("light");
  }

  setTheme(name) {
    this.palette = PALETTES[name];
    this.colours = this.trace.types.map((type, number) => (type ? this.colourOf(type, number) : this.palette.other));
    this.texts = this.colours.map((colour) => {
      const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
      return 0.299 * red + 0.587 * green + 0.114 * blue > 140 ? "#10151a" : "#ffffff";
    });
  }

  colourOf(type, number) {
    const p = this.palette;
    switch (type.class) {
      case CLASS.REGION: return p.region;
      case CLASS.MEMBER: return p.member;
      case CLASS.TASK: return p.tasks[this.order[CLASS.TASK].get(number) % p.tasks.length];
      case CLASS.WORK: return p.work[this.order[CLASS.WORK].get(number) % p.work.length];
      case CLASS.SYNC: case CLASS.WAIT: return p.wait;
      case CLASS.MASKED: return p.masked;
      case CLASS.HOLD: return p.hold;
      case CLASS.CHUNK: return p.chunk;
      default: return p.other;
    }
  }

  // What the trace has of these: a text, a sign, its colours.
  legend(ink) {
    const p = this.palette, {types, stolen, edges, lanes} = this.trace;
    const has = (...classes) => types.some((type) => type && classes.includes(type.class));
    const shades = (colours, kind) => colours.slice(0, this.order[kind].size);
    return [["parallel region", "", p.region, has(CLASS.REGION)], ["implicit task", "", p.member, has(CLASS.MEMBER)],
      ["task, a shade for each place", "", ...shades(p.tasks, CLASS.TASK), has(CLASS.TASK)],
      ["loop, sections, single", "", ...shades(p.work, CLASS.WORK), has(CLASS.WORK)],
      ["chunk of a loop", "", p.chunk, has(CLASS.CHUNK)], ["masked", "", p.masked, has(CLASS.MASKED)],
      ["waits", "", p.wait, has(CLASS.SYNC, CLASS.WAIT)], ["holds a lock", "", p.hold, has(CLASS.HOLD)],
      ["stolen", "\u2192", ink.text, stolen.length > 0], ["depend clause", "\u2192", p.depend, edges.length > 0],
      ["cancelled", "\u25bc", ink.text, lanes.some((lane) => lane.moments.length > 0)]]
      .filter((entry) => entry.pop());
  }
}
