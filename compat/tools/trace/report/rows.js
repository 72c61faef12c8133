// Questions about slices. One is {lane, row, index}: numbers of the lane, its depth, its place in the row.

class Slices {
  constructor(trace) { this.trace = trace; }
  row(slice) { return this.trace.lanes[slice.lane].rows[slice.row]; }
  begin(slice) { return this.row(slice).begin[slice.index]; }
  end(slice) { return this.row(slice).end[slice.index]; }
  flags(slice) { return this.row(slice).flags[slice.index]; }
  id(slice) { return this.row(slice).id[slice.index]; }
  own(slice) { return this.row(slice).own[slice.index]; }
  typeNumber(slice) { return this.row(slice).type[slice.index]; }
  type(slice) { return this.trace.types[this.typeNumber(slice)] || {class: CLASS.OTHER, word: "other", place: "", path: ""}; }
  isTask(slice) { return this.type(slice).class === CLASS.TASK; }
  extra(slice) { return this.trace.numbers(slice.lane, slice.row, slice.index); }

  // What there is at this time; null: nothing.
  at(lane, row, time) {
    const rows = this.trace.lanes[lane].rows;
    if (row < 0 || row >= rows.length) return null;
    const index = after(rows[row].end, time);
    return index < rows[row].length && rows[row].begin[index] <= time ? {lane, row, index} : null;
  }

  around(slice) {
    return slice.row > 0 ? this.at(slice.lane, slice.row - 1, (this.begin(slice) + this.end(slice)) / 2) : null;
  }

  // The first slice of a task; null: it is not in the trace.
  ofTask(id) {
    const {lane, row, index} = this.trace.tasks;
    return lane.get(id) === NO_LANE ? null : {lane: lane.get(id), row: row.get(id), index: index.get(id)};
  }

  // All slices of the task, in the order of time.
  parts(slice) {
    const parts = this.trace.tasks.parts.get(this.id(slice));
    if (!parts || !this.isTask(slice)) return [slice];
    return parts.map(([lane, row, index]) => ({lane, row, index})).sort((a, b) => this.begin(a) - this.begin(b));
  }

  // Where it comes from: {lane, time, by}, or null.
  creation(id) {
    const {created, creator, by} = this.trace.tasks;
    return created.get(id) < 0 ? null : {lane: creator.get(id), time: created.get(id), by: by.get(id)};
  }

  // Ids of tasks that this one creates and that are queued.
  children(id) {
    const {by, created} = this.trace.tasks, found = [];
    for (let child = 1; child < by.array.length; child++)
      if (by.array[child] === id && created.get(child) >= 0) found.push(child);
    return found;
  }

  // Ids of the tasks that this one has waited for, and of those that have waited for it.
  neighbours(id) {
    const {edges} = this.trace;
    return [edges.filter(([, second]) => second === id).map(([first]) => first),
      edges.filter(([first]) => first === id).map(([, second]) => second)];
  }

  // The next slice in the order of time whose type is one of these; backwards if `step` is -1.
  next(from, step, isOne) {
    let best = null, bestTime = step * Infinity;
    for (const lane of this.trace.lanes) {
      lane.rows.forEach((row, depth) => {
        let index = step > 0 ? after(row.begin, from) : after(row.begin, from - 1e-6) - 1;
        while (index >= 0 && index < row.length && step * (row.begin[index] - bestTime) < 0) {
          if (isOne(row.type[index])) {
            best = {lane: lane.index, row: depth, index};
            bestTime = row.begin[index];
          }
          index += step;
        }
      });
    }
    return best;
  }
}

// Times for people, as many digits as say something.
function timeText(ns) {
  const units = [[1e9, "s"], [1e6, "ms"], [1e3, "us"], [1, "ns"]];
  const [unit, name] = units.find(([size]) => Math.abs(ns) >= size) || units[3];
  const value = ns / unit;
  const digits = unit === 1 || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toFixed(digits) + " " + name;
}

// With digits enough to tell two times `precision` apart.
function momentText(ns, precision) {
  const unit = ns >= 1e9 || precision >= 1e8 ? [1e9, "s"] : ns >= 1e6 || precision >= 1e5 ? [1e6, "ms"] : [1e3, "us"];
  const digits = Math.max(0, Math.min(9, Math.ceil(-Math.log10(precision / unit[0]) - 1e-9)));
  return (ns / unit[0]).toFixed(digits) + " " + unit[1];
}

function countText(count) { return count.toLocaleString("en").replace(/,/g, "\u2009"); }
