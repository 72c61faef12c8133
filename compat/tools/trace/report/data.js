"use strict";
// What the trace has (html.c says how), as rows: of each lane the slices of one depth, in the order of time.

const CLASS = {OTHER: 0, INITIAL: 1, REGION: 2, MEMBER: 3, TASK: 4, SYNC: 5, WORK: 6, MASKED: 7, WAIT: 8, HOLD: 9,
  CHUNK: 10};
const GOES_ON = 1, WENT_ON = 2, UNFINISHED = 4, AT_ONCE = 8;
const SEVERAL = 16; // of rows only: chunks in one slice
const TASK_WORDS = ["undeferred", "untied", "final", "mergeable", "merged", "target task", "taskwait", "dependences"];
const NO_LANE = 65535;
const MAP_MOST = 2 ** 24 - 1; // entries of a Map, which throws beyond: what comes later is not told of

// A column that grows.
class Column {
  constructor(type, room = 32) { this.array = new type(room); this.length = 0; }
  push(value) {
    if (this.length === this.array.length) this.reserve(2 * this.length);
    this.array[this.length++] = value;
  }
  reserve(room) {
    const old = this.array;
    this.array = new old.constructor(room);
    this.array.set(old);
  }
  done() { const array = this.array.slice(0, this.length); this.array = null; return array; }
}

// A column by id; what nobody has set is `none`.
class ById {
  constructor(type, none) { this.array = new type(1024).fill(none); this.none = none; }
  set(id, value) {
    if (id >= this.array.length) {
      const old = this.array;
      this.array = new old.constructor(Math.max(2 * old.length, id + 1)).fill(this.none, old.length);
      this.array.set(old);
    }
    this.array[id] = value;
  }
  get(id) { return id < this.array.length ? this.array[id] : this.none; }
}

class Bytes {
  constructor(text) {
    const binary = atob(text);
    this.bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) this.bytes[i] = binary.charCodeAt(i);
    this.end = binary.length;
    this.at = 0;
  }
  number() {
    let byte = this.bytes[this.at++];
    if (byte < 128) return byte;
    let value = byte & 127, unit = 128;
    do {
      byte = this.bytes[this.at++];
      value += (byte & 127) * unit;
      unit *= 128;
    } while (byte > 127);
    return value;
  }
  signed() {
    const value = this.number();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }
}

class Row {
  constructor() {
    this.begin = new Column(Float64Array);
    this.end = new Column(Float64Array);
    this.type = new Column(Uint16Array);
    this.flags = new Column(Uint8Array);
    this.id = new Column(Uint32Array);
    this.own = new Column(Float64Array);
  }
  push(begin, end, type, flags, id, own) {
    this.begin.push(begin); this.end.push(end); this.type.push(type);
    this.flags.push(flags); this.id.push(id); this.own.push(own);
  }
  done() {
    for (const name of ["begin", "end", "type", "flags", "id", "own"]) this[name] = this[name].done();
    this.length = this.begin.length;
    this.busy = new Float64Array(this.length + 1); // of all slices before each
    for (let i = 0; i < this.length; i++) this.busy[i + 1] = this.busy[i] + this.end[i] - this.begin[i];
  }
}

// What is known of tasks, by id.
class Tasks {
  constructor() {
    this.created = new ById(Float64Array, -1);
    this.creator = new ById(Uint16Array, NO_LANE);
    this.by = new ById(Uint32Array, 0);
    this.detail = new ById(Uint8Array, 0);
    this.lane = new ById(Uint16Array, NO_LANE); // where its first slice is
    this.row = new ById(Uint16Array, 0);
    this.index = new ById(Uint32Array, 0);
    this.parts = new Map(); // of those with several slices: [lane, row, index], in the order of time
    this.count = 0;
  }
  add(id, lane, row, index, flags) {
    if (!(flags & WENT_ON) || this.lane.get(id) === NO_LANE) {
      this.lane.set(id, lane); this.row.set(id, row); this.index.set(id, index);
      this.count++;
    }
    if (!(flags & (WENT_ON | GOES_ON))) return;
    if (!this.parts.has(id) && this.parts.size < MAP_MOST) this.parts.set(id, []);
    this.parts.get(id)?.push([lane, row, index]);
  }
}

// Of each type, the first one that nobody can tell from it: a function that is inlined in two places has its types twice.
function alike(types) {
  const numbers = new Map();
  return types.map((type, number) => {
    const key = type && JSON.stringify([type.class, type.detail, type.word, type.place, type.path]);
    if (!numbers.has(key)) numbers.set(key, number);
    return numbers.get(key);
  });
}

class Trace {
  constructor() {
    this.facts = JSON.parse(document.getElementById("facts").textContent);
    this.types = this.facts.types;
    this.alike = alike(this.types);
    this.length = Math.max(this.facts.length, 1);
    this.tasks = new Tasks();
    this.extra = new Map(); // "lane,row,index" of regions, members, work and chunks: their numbers
    this.together = this.types.map(() => 0); // of each type: chunks in slices of several, besides their first ones
    this.moments = [];
    this.first = new Column(Uint32Array); // of dependences: the task that was waited for
    this.second = new Column(Uint32Array); // and the one that waited
    this.lanes = [...document.querySelectorAll("script.lane")].map((text, index) => this.read(text, index));
    this.findStolen();
    this.findEdges();
  }

  read(text, index) {
    const lane = {index, rows: [], threads: [], moments: [], name: "thread " + text.dataset.number};
    const bytes = new Bytes(text.textContent);
    text.remove();
    const within = []; // of each depth: what the slices there take that end in the one around them
    const state = {time: 0, id: 0, together: 1};
    while (bytes.at < bytes.end) {
      const tag = bytes.number();
      state.time += bytes.number();
      if (tag === 0) this.readCreation(lane, bytes, state);
      else if (tag === 1) lane.moments.push({time: state.time, cancels: bytes.number(), id: state.id += bytes.signed()});
      else if (tag === 2) lane.threads.push({time: state.time, system: bytes.number(), type: bytes.number()});
      else if (tag === 3) {
        this.first.push(state.id += bytes.signed());
        this.second.push(state.id += bytes.signed());
      } else if (tag === 4) state.together = bytes.number();
      else this.readSlice(lane, bytes, tag, state, within);
    }
    lane.rows.forEach((row) => row.done());
    return lane;
  }

  readCreation(lane, bytes, state) {
    const task = state.id += bytes.signed();
    state.id += bytes.signed();
    this.tasks.created.set(task, state.time);
    this.tasks.creator.set(task, lane.index);
    this.tasks.by.set(task, state.id);
    this.tasks.detail.set(task, bytes.number());
  }

  readSlice(lane, bytes, tag, state, within) {
    const type = this.alike[Math.floor(tag / 16) - 1], depth = bytes.number(), length = bytes.number();
    const kind = type ? this.types[type].class : CLASS.OTHER;
    const flags = tag % 16 | (state.together > 1 ? SEVERAL : 0);
    let id = 0;
    if (kind === CLASS.TASK || kind === CLASS.MEMBER || kind === CLASS.REGION) id = state.id += bytes.signed();
    while (lane.rows.length <= depth) { lane.rows.push(new Row()); within.push(0); }
    const row = lane.rows[depth], index = row.begin.length;
    if (kind === CLASS.MEMBER) this.addExtra(lane, depth, index, [bytes.number(), bytes.number()]);
    else if (kind === CLASS.CHUNK) id = bytes.number(); // its first iteration
    else if (kind === CLASS.REGION || kind === CLASS.WORK) this.addExtra(lane, depth, index, [bytes.number()]);
    else if (kind === CLASS.TASK) this.tasks.add(id, lane.index, depth, index, flags);
    if (state.together > 1) this.addTogether(lane, depth, index, type, state);
    row.push(state.time - length, state.time, type, flags, id, length - (within[depth + 1] || 0));
    if (depth + 1 < within.length) within[depth + 1] = 0;
    within[depth] += length;
  }

  addTogether(lane, depth, index, type, state) {
    this.addExtra(lane, depth, index, [state.together]);
    this.together[type] += state.together - 1;
    state.together = 1;
  }

  addExtra(lane, depth, index, numbers) {
    if (this.extra.size < MAP_MOST) this.extra.set([lane.index, depth, index].join(), numbers);
  }

  numbers(lane, row, index) { return this.extra.get([lane, row, index].join()) || []; }

  // Tasks that another thread runs than creates, in the order in which they begin.
  findStolen() {
    const {created, creator, lane} = this.tasks, ids = [];
    for (let id = 1; id < created.array.length; id++)
      if (created.array[id] >= 0 && lane.get(id) !== NO_LANE && lane.get(id) !== creator.array[id]) ids.push(id);
    this.stolen = ids.sort((a, b) => this.started(a) - this.started(b));
    this.stolenAt = Float64Array.from(this.stolen, (id) => this.started(id));
  }

  // Dependences of tasks that are in the trace, in the order in which those that waited begin.
  findEdges() {
    const first = this.first.done(), second = this.second.done(), {lane} = this.tasks;
    const known = [...first.keys()].filter((i) => lane.get(first[i]) !== NO_LANE && lane.get(second[i]) !== NO_LANE);
    this.edges = known.map((i) => [first[i], second[i]]).sort((a, b) => this.started(a[1]) - this.started(b[1]));
    this.edgesAt = Float64Array.from(this.edges, ([, id]) => this.started(id));
  }

  started(id) {
    const {lane, row, index} = this.tasks;
    return this.lanes[lane.get(id)].rows[row.get(id)].begin[index.get(id)];
  }
}

// The first index whose value is greater than `value`, from `low` on; the length if there is none.
function after(array, value, low = 0) {
  let step = 1, high = low;
  while (high < array.length && array[high] <= value) { low = high + 1; high += step; step *= 2; }
  high = Math.min(high, array.length);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (array[middle] <= value) low = middle + 1; else high = middle;
  }
  return low;
}
