// Colours: by construct, and those of tasks and loops by their place, too.

const PALETTES = {
  light: {
    region: "#56657a", member: "#cdd6df", other: "#9aa4ae", masked: "#7fa3a6",
    tasks: ["#3f7fd0", "#7b5cc4", "#1f97ad", "#a85aa8", "#5b6fe0", "#2f6f95", "#9a7ad9", "#5aa0d6"],
    work: ["#4d9c62", "#86a83a", "#2e9184", "#6bb07f", "#5d8a2e", "#3f8f70"],
    barrier: "#d5674d", taskwait: "#e2a33b", taskgroup: "#d98b4a", wait: "#c93b76", hold: "#a0785a",
    chunk: "#b5d6bd",
  },
  dark: {
    region: "#75869c", member: "#39444f", other: "#6b7580", masked: "#5f8589",
    tasks: ["#5a9bf0", "#9a7fe6", "#35b3c9", "#c678c6", "#8090f5", "#4f95be", "#b79bf0", "#7bbcf0"],
    work: ["#62b87a", "#a3c654", "#43ad9f", "#86c998", "#7fae4a", "#58ab8b"],
    barrier: "#e27d63", taskwait: "#ecb452", taskgroup: "#e39c60", wait: "#e2598f", hold: "#b58d6e",
    chunk: "#35563f",
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
      case CLASS.SYNC: return type.detail === 5 ? p.taskwait : type.detail === 6 ? p.taskgroup : p.barrier;
      case CLASS.MASKED: return p.masked;
      case CLASS.WAIT: return p.wait;
      case CLASS.HOLD: return p.hold;
      case CLASS.CHUNK: return p.chunk;
      default: return p.other;
    }
  }

  legend() {
    const p = this.palette;
    return [["parallel region", p.region], ["implicit task", p.member], ["tasks, by place", p.tasks[0]],
      ["", p.tasks[1]], ["", p.tasks[2]], ["loops and the like, by place", p.work[0]], ["", p.work[1]],
      ["chunks of a loop", p.chunk],
      ["barrier", p.barrier], ["taskwait", p.taskwait], ["taskgroup", p.taskgroup], ["wait for a lock", p.wait],
      ["lock or critical held", p.hold], ["masked", p.masked]];
  }
}
