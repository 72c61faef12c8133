"""The command `info blitz` of gdb: the state of a program on Blitz, of OpenMP or of blitz.h.

gdb loads this with the library where it is installed for that, else by `source FILE`. Works on processes and core files, and
needs the debug information of the library. What is said here is read from memory as it is; nothing of the program runs.
pools.py and attach.py become parts of this file."""

import contextlib
import functools
import os
import pathlib
import re
import sys

import gdb

WAITED = 0x80000000  # BOMP_OWNED_WAITED: in a lock's word, with the number of its owner
SUSPENDED_MOST = 1000  # suspended tasks of a thread in the output
TASKS_MOST = 20000  # of a team, not begun, that are read
WAITED_MOST = 3  # tasks that another one waits for, in the output
CLOSED = 1  # the successors of a node that is complete
ENDED = 1  # BOMP_EVENT_ENDED, without BOMP_EVENT_FULFILLED: in an event's word
SLAB = 16384  # BZ_SLAB_BYTES: of memory of tasks
SLABS_MOST = 4096  # of a worker, that are searched
OWN_NAME = re.compile(r"blitz[-/]\d+$")  # of a thread of the library
# Functions of the library that call the code of a task, or of a region's member.
STARTS = re.compile(r"bz_worker_run|take_part|stack_main|bomp_parallel|framed_|run_at_once|copy_and_run|\w*task_(body|run)")
SYSTEM = re.compile(r"/(libc|libpthread|ld-linux)[-.\w]*\.so")
OUTLINED = re.compile(r"(\._omp_fn|\._omp_cpyfn|\.omp_outlined|\.omp_task_entry|_omp_fn|\.constprop|\.part|\.isra)\S*")


def source(name, symtab, line):
    """"function, file:line", or the known part, without the names that compilers give to code of constructs."""
    name = OUTLINED.sub("", name)
    where = f"{os.path.basename(symtab.filename)}:{line}" if symtab and line else ""
    return ", ".join(part for part in (name, where) if part) or "unknown code"


def block_of_function(pc):
    """The innermost function at an address; None: unknown."""
    block = gdb.block_for_pc(pc)
    while block and not block.function:
        block = block.superblock
    return block


def place(pc):
    """The source of the code at an address: "function, file:line", or the known part."""
    block, line = block_of_function(pc), gdb.find_pc_line(pc)
    name = block.function.name if block else symbol(pc)
    return source(name or hex(pc), line.symtab, line.line)


def function(address):
    """The place of a function that the compiler made for a construct. Callees may be inlined at its beginning, and it may be
    inlined itself: the outermost block that begins there counts. It has none if its code is another function's."""
    block, outer = gdb.block_for_pc(address), None
    while block and block.start == address:
        outer = block if block.function else outer
        block = block.superblock
    line = gdb.find_pc_line(address)
    name, symtab = (outer.function.name, outer.function.symtab) if outer else (symbol(address), line.symtab)
    if not name or " + " in name:  # the region has no function of its own
        return place(address - 1)
    if not has_lines(symtab):
        symtab = line.symtab
    first = [entry.line for entry in symtab.linetable() if entry.pc == address and entry.line] if symtab else []
    return source(name, symtab, first[0] if first else line.line)


def has_lines(symtab):
    """Link-time optimization leaves symtabs without a table of lines, which crash gdb when they are read."""
    with contextlib.suppress(RuntimeError):
        return symtab and symtab.linetable().has_line(0) is not None
    return False


def code(fn, data):
    """The program's function of a task. If a function of the library runs it, the data has it."""
    fn, data = int(fn), int(data)
    if fn and gdb.solib_name(fn) == library():
        return int(gdb.Value(data).cast(gdb.lookup_type("unsigned long").pointer())[1])
    return fn


def symbol(address):
    """The name at an address, or None."""
    text = gdb.execute(f"info symbol {address}", to_string=True)
    return None if text.startswith("No symbol") else text.split(" in section ")[0].strip()


def library():
    """The file of our library."""
    return gdb.solib_name(int(gdb.parse_and_eval("(unsigned long) &bz_worker_wait_until")))


def is_own(frame, owner):
    """Whether the code of a frame is the library's. Code of libblitz.a is in the program: its source decides."""
    ours = gdb.lookup_global_symbol("bz_worker_wait_until")
    if owner or library() or not ours:
        return owner == library()
    symtab = frame.find_sal().symtab
    folder = os.path.dirname(os.path.dirname(ours.symtab.filename))
    return bool(symtab) and symtab.filename.startswith(folder + "/")


def read(value, otherwise):
    """A number; the other one if a pointer to it is invalid."""
    try:
        return int(value())
    except gdb.error:
        return otherwise


@contextlib.contextmanager
def reading(what):
    """Leaves out what an invalid pointer hides; the rest is still printed."""
    try:
        yield
    except gdb.error as error:
        print(f"{what} cannot be read: {error}")


def around(member):
    """The members of a thread in its team and in the teams around it, as far as they can be read."""
    found = []
    while read(lambda: member or 0, 0) and len(found) < 1000:
        found.append(member)
        member = member["team"]["outer"]
    return found


class Thread:
    """A thread of the process."""

    def __init__(self, thread):
        self.thread = thread
        thread.switch()
        context, worker = gdb.parse_and_eval("bz_context"), gdb.parse_and_eval("bz_self")
        self.in_pool = place_in_pool(worker)  # of pools.py
        is_member = has_openmp() and int(context) and self.in_pool is None
        self.member = context.cast(pointer("bomp_member")) if is_member else None
        self.number = int(gdb.parse_and_eval("bz_thread_mark.number"))
        self.workers = [read(lambda: member["worker"], 0) for member in around(self.member)]
        self.where = self.place()
        self.waits = worker["awaited"]["what"].string() if int(worker) and int(worker["awaited"]["what"]) else None
        self.word = int(worker["awaited"]["on"]) if self.waits else 0

    def name(self):
        return f'thread {self.thread.num}' + (f' "{self.thread.name}"' if self.thread.name else "")

    def place(self):
        """The place of the program: the innermost frame that is neither the library's nor the system's. Code that has been
        reached by a tail call has none: the library's frame that called it comes first. If no frame of the library is
        around the frame found, that opened the region."""
        frame, count, found = gdb.newest_frame(), 0, None
        outside = self.member is None or not read(lambda: self.member["team"]["level"], 0)
        with contextlib.suppress(gdb.error):  # unwinding may fail: use the frames so far
            while frame and frame.pc() and count < 200:  # beyond the first frame of a new thread pc is 0
                owner = gdb.solib_name(frame.pc())
                own = is_own(frame, owner)
                if found and (outside or own):
                    return found
                if own and STARTS.match(frame.name() or ""):
                    return None
                if not found and not own and not SYSTEM.search(owner or ""):
                    found = place(frame.pc() - 1 if frame.level() else frame.pc())
                frame, count = frame.older(), count + 1
        return found if outside else None

    def is_idle(self):
        """A thread without a team or pool is one of the program's, unless we made it and no frame is the program's."""
        if self.waits in ("the next region", "work"):
            return True
        return not self.member and self.in_pool is None and not self.where and self.thread.ptid[1] in OURS

    def lock(self, threads):
        """The lock that it waits for, and its holder."""
        name, inside = symbol(self.word) or hex(self.word), gdb.solib_name(self.word) == library()
        critical = re.search(r"gomp_critical_user_(.*?)(\.var|\[var\])?$", name)
        said = f"critical construct {critical.group(1)}" if critical else f"lock {name}"
        if inside:
            said = "the critical construct without a name" if name == "unnamed" else "the lock of atomic constructs"
        if self.waits != "an owned lock":
            return said
        owner = int(gdb.parse_and_eval(f"*(unsigned *) {self.word}")) & (WAITED - 1)
        return f"{said}, held by {next((t.name() for t in threads if t.number == owner), 'a thread that is gone')}"

    def state(self, threads):
        where = f", at {self.where}" if self.where else ""
        if self.waits is None:
            return "runs" + where.replace(",", "", 1)
        if self.waits == "a pool's task" and self.word:
            return f"waits for {future(self.word, threads)}{where}"
        what = self.lock(threads) if self.word else self.children() if self.waits == "its child tasks" else self.waits
        return f"waits for {what}{where}"

    def children(self):
        tally = self.member["current"]["children"]
        count = (int(tally["local"]) + int(tally["shared"]["v"])) >> 2  # BZ_TALLY_ONE is 4
        return f"{count} child tasks" if count > 1 else "a child task" if count else "its child tasks"


@functools.lru_cache(maxsize=None)
def has_openmp():
    return read(lambda: gdb.lookup_type("struct bomp_member").sizeof, 0) > 0


def task_name(member, task):
    return "implicit task" if task == member["implicit"].address else describe(task)


def describe(task):
    """A task."""
    if not int(task["parent"]["v"]):
        return "an implicit task"
    if has(task, "STACK"):
        return "task that runs where it was created"
    return describe_code(code(task["fn"], task["data"]))


def describe_code(at):
    if at not in NAMES:
        NAMES[at] = f"task of {function(at)}"
    return NAMES[at]


def suspended(member):
    """The suspended tasks of a member's thread, in the order in which they resume; None: and more. In a damaged process
    their list may be a ring."""
    coroutines = member["worker"]["row"]["coroutines"]
    one = coroutines["first"] if int(coroutines) else None
    seen = set()
    while one is not None and int(one):
        if int(one) in seen or len(seen) == SUSPENDED_MOST:
            yield None
            return
        seen.add(int(one))
        yield one["kept"].cast(member["current"].type)
        one = one["next"]


def pointer(name):
    return gdb.lookup_type(f"struct {name}").pointer()


@functools.lru_cache(maxsize=None)
def constant(name):
    return int(gdb.parse_and_eval(name))


def has(task, flag):
    return bool(int(task["flags"]) & constant(f"BOMP_TASK_{flag}"))


def extra(task):
    """The extra part of a task, or None."""
    return task["extra"].cast(pointer("bomp_task_extra")) if has(task, "HAS_EXTRA") and not has(task, "STACK") else None


class Node:
    """The dependence node (depend_node.h) of an incomplete task."""

    def __init__(self, node):
        self.node = node
        self.waits_for = []

    def is_a(self, kind):
        return int(self.node["kind"]) == constant(f"BOMP_NODE_{kind}")


class Tasks:
    """The tasks of a team that wait: where they are queued, which others they wait for, or that their bodies have ended and
    their events have not come about. From the nodes of tasks that run, are queued, or are known to the table of their
    parent, edges lead to all that wait for others."""

    def __init__(self, domain):
        self.domain = domain
        self.said = {}  # running and queued tasks by address, with their places
        self.lines = {}  # lines about waiting tasks, and how many share each
        self.nodes = {}  # by address
        self.followed, self.done = set(), set()  # tasks and nodes that have been followed
        self.left = TASKS_MOST
        members = [m for m in map(self.member, range(int(domain["count"]["v"]))) if m is not None]
        for member in members:
            self.read_running(member)
        for member in members:
            self.read_deque(member["worker"])
        self.read_priorities(domain["pqueue"])
        for member in members:
            self.read_detached(member["worker"]["slabs"])
        self.read_nodes()
        self.add_waiting()

    def member(self, index):
        worker = self.domain["slots"][index]["v"]
        context = worker["context"] if int(worker) else None
        return context.cast(pointer("bomp_member")) if context is not None and int(context) else None

    @staticmethod
    def thread_of(worker):
        return next((t.name() for t in ALL if int(worker) in t.workers), "another thread")

    def add_line(self, text, count=1):
        self.lines[text] = self.lines.get(text, 0) + count

    # ---- running and ready tasks ----

    def read_running(self, member):
        """Adds the tasks around it as well: they wait, or the thread would not run it."""
        tasks = [(task, "is suspended in a taskyield") for task in suspended(member) if task is not None]
        tasks.append((member["current"], f"runs on {self.thread_of(member['worker'])}"))
        for task, where in tasks:
            while int(task) and int(task) not in self.said:
                self.said[int(task)] = (task, where)
                task = task["parent"]["v"]

    def read_deque(self, worker):
        deque, whose = worker["deque"], f"queued by {self.thread_of(worker)}"
        index, bottom, mask = int(deque["top"]["v"]), int(deque["bottom"]["v"]), int(deque["mask"])
        while index < bottom and self.left > 0:
            self.read_job(deque["slots"][index & mask]["v"], whose)
            index += 1
        if index < bottom:
            self.add_line(f"{whose}: others", bottom - index)

    def read_priorities(self, queue):
        first = queue["first"]
        while int(first):
            item = first
            while int(item) and self.left > 0:
                self.read_job(item["job"], f"queued with priority {int(item['priority'])}")
                item = item["next"]
            first = first["lower"]

    def read_job(self, job, where):
        """A task's, or that of a part of a taskloop, whose tasks are like its model."""
        self.left -= 1
        task, count, run, own = job.cast(pointer("bomp_task")), 1, int(job["run"]), 0
        if symbol(run) == "run_range":
            part = job.cast(gdb.lookup_type("struct range", gdb.block_for_pc(run).static_block).pointer())
            task, count = part["plan"]["model"], int(part["last"]) - int(part["first"])
            own = int(part["plan"]["loop"]["own"]["code"])  # a function of the library makes the arguments
        self.said.setdefault(int(task), (task, f"is {where}"))
        self.add_line(f"{where}: {describe_code(own) if own else describe(task)}", count)

    # ---- tasks that wait for their event ----

    def read_detached(self, slabs):
        """No pointer need lead to such a task, so this searches all memory of tasks for events. The task of an event in use
        points back to it."""
        slab, left = slabs["list"], SLABS_MOST
        while int(slab) and left > 0:
            words = memoryview(bytes(gdb.selected_inferior().read_memory(int(slab), SLAB))).cast("Q").tolist()
            for i, word in enumerate(words):
                if word == int(self.domain) and words[i - 1] >> 32 and words[i - 1] & 3 == ENDED:
                    self.read_event(int(slab) + 8 * (i - 1), gdb.Value(words[i + 1]).cast(pointer("bomp_task")))
            slab, left = slab["next"], left - 1

    def read_event(self, event, task):
        if self.left <= 0:
            self.add_line("waits for its event: others")
        elif read(lambda: extra(task)["event"].address if extra(task)["detached"] else 0, 0) == event:
            self.left -= 1
            self.said[int(task)] = (task, "waits for its event")
            self.add_line(f"waits for its event: {describe(task)}")

    # ---- tasks that wait for others ----

    def read_nodes(self):
        new = []
        for task, _ in list(self.said.values()):
            while int(task):
                new += self.nodes_at(task)
                task = task["parent"]["v"]
        while new and self.left > 0:
            new += self.successors(new.pop())

    def nodes_at(self, task):
        """The node of a task, and those in the table of its children."""
        more = extra(task)
        if int(task) in self.followed or has(task, "STACK"):
            return []
        self.followed.add(int(task))
        nodes = [task["extra"]["node"].address] if has(task, "HAS_NODE") else []
        table = more["table"].cast(pointer("bomp_table")) if more is not None else 0
        if int(table):
            nodes.append(table["all"])
            for i in range(int(table["used"])):
                nodes += self.entry(table["entries"][i])
        return [node for node in nodes if int(node)]

    @staticmethod
    def entry(entry):
        later = entry["many"]["nodes"] if entry["has_many"] else entry["few"]
        return [entry["last"]] + [later[i] for i in range(int(entry["count"]))]

    def successors(self, node):
        """The nodes that wait for it, if it is incomplete and new."""
        if int(node) in self.done or int(node["successors"]["v"]) == CLOSED:
            return []
        self.left -= 1
        self.done.add(int(node))
        one = self.nodes.setdefault(int(node), Node(node))
        edge, after = node["successors"]["v"], []
        while int(edge):
            self.nodes.setdefault(int(edge["to"]), Node(edge["to"])).waits_for.append(one)
            after.append(edge["to"])
            edge = edge["next"]
        return after

    def add_waiting(self):
        for one in self.nodes.values():
            task = one.node["task"]
            if not one.is_a("TASK") or int(task) in self.said:
                continue
            # The last decrement of `unmet` is omitted: only the edges show it.
            if int(one.node["mutexes"]) and not one.waits_for:
                self.add_line(f"waits: {describe(task)}, for others of its mutexinoutset")
            elif int(one.node["unmet"]["v"]):
                self.add_line(f"waits: {describe(task)}, for {self.named(one)}")

    def named(self, one):
        """The tasks that a node waits for."""
        texts, left, seen = [], list(one.waits_for), set()
        while left:
            node = left.pop()
            if int(node.node) in seen:
                continue
            seen.add(int(node.node))
            if node.is_a("TASK"):
                task = node.node["task"]
                texts.append(f"{describe(task)}, which {self.said.get(int(task), (0, 'waits, too'))[1]}")
            else:  # stands for its predecessors
                left += node.waits_for
        more = f", and {len(texts) - WAITED_MOST} others" if len(texts) > WAITED_MOST else ""
        return "; ".join(sorted(texts)[:WAITED_MOST]) + more or "what is just ending"

    def of_worker(self, worker):
        """The wait of a worker's thread, or None."""
        waits = [one for one in self.nodes.values() if one.is_a("WAIT") and int(one.node["waiter"]) == worker]
        return self.named(waits[0]) if waits else None


def number(thread):
    """A thread's number in its team; -1: unreadable."""
    return read(lambda: thread.member["num"], -1)


def print_member(thread):
    who = f"  {number(thread):3} {thread.name()}:"
    with reading(who):
        print(f"{who} {task_name(thread.member, thread.member['current'])}, {thread.state(ALL)}")
    with reading("      suspended tasks"):
        for task in suspended(thread.member):
            text = "and more, or the list is damaged" if task is None else task_name(thread.member, task)
            print(f"      suspended in a taskyield: {text}")


def print_title(team):
    level = int(team["level"])
    if level:
        outer = f", opened by member {int(team['outer']['num'])} of level {level - 1}" if level > 1 else ""
        print(f"Team of {int(team['size'])}, level {level}, of {function(int(team['thread_team']['site']))}{outer}")
    else:
        print("Outside of regions")


def print_team(team, threads):
    with reading("A team"):
        print_title(team)
    for thread in sorted(threads, key=number):
        print_member(thread)
    with reading("      tasks that wait"):
        print_tasks(Tasks(threads[0].member["worker"]["domain"]), threads)


def print_tasks(tasks, threads):
    """The waiting tasks, and those that threads wait for by dependences."""
    for thread in sorted(threads, key=number):
        awaited = tasks.of_worker(int(thread.member["worker"]))
        if awaited:
            print(f"      {thread.name()} waits for: {awaited}")
    for text, count in tasks.lines.items():
        print(f"      {text}" + (f" ({count} tasks)" if count > 1 else ""))


def print_outer_team(member):
    """The waiting tasks of a team whose threads are all idle or in nested regions."""
    with reading("A team"):
        tasks = Tasks(member["worker"]["domain"])
        if tasks.lines:
            print_title(member["team"])
            print_tasks(tasks, [])


def outer_members(teams):
    """A member of each team that is around these, but not among them."""
    found = {}
    for threads in teams.values():
        for member in around(threads[0].member)[1:]:
            found.setdefault(read(lambda: member["team"], 0), member)
    return [member for team, member in found.items() if team and team not in teams]


ALL = []
OURS = set()  # the system's numbers of the library's threads
NAMES = {}  # names of tasks, by the address of their code
UNREAD = []  # lines about threads that cannot be read


def missing():
    """Why the types of the library are unknown."""
    program = gdb.current_progspace().filename
    names = "bz_worker_wait_until", "blitz_version"
    addresses = [read(lambda name=name: gdb.parse_and_eval(f"(unsigned long) &{name}"), 0) for name in names]
    if not any(addresses) and not any(OWN_NAME.match(t.name or "") for t in gdb.selected_inferior().threads()):
        return f"there is no Blitz in this process of {program}"
    file = gdb.solib_name(max(addresses))
    file = file or program  # libblitz.a
    package = os.popen(f"dpkg-query -S '{os.path.realpath(file)}' 2> /dev/null").read().split(":")[0]
    return f"{file} has no debug information: " + (f"install {package}-dbgsym" if package else "build it with -g")


def read_threads():
    """Reads every thread of the process."""
    has_openmp.cache_clear()
    if not has_openmp() and read(lambda: gdb.lookup_type("struct bz_place").sizeof, 0) == 0:
        raise gdb.GdbError(f"info blitz: {missing()}")
    try:
        ALL.clear()
        OURS.clear()
        NAMES.clear()
        UNREAD.clear()
        constant.cache_clear()
        one = gdb.parse_and_eval("'thread_cache.c'::cache")["known"]
        while int(one):
            OURS.add(int(one["id"]["v"]))
            one = one["next_known"]
        for thread in sorted(gdb.selected_inferior().threads(), key=lambda t: t.num):
            try:
                ALL.append(Thread(thread))
            except gdb.error as error:
                UNREAD.append(f"thread {thread.num}: {error}")
        if UNREAD and not ALL:
            raise gdb.error(UNREAD[0])
    except gdb.error as error:
        raise gdb.GdbError(f"info blitz: {error}")


class InfoBlitz(gdb.Command):
    """Teams of an OpenMP program and pools of blitz.h, their members, what each runs, and what it waits for."""

    def __init__(self):
        super().__init__("info blitz", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        selected = gdb.selected_thread()
        if selected is None:
            raise gdb.GdbError("info blitz: there is no process")
        level = gdb.selected_frame().level()
        try:
            read_threads()
            self.show()
        finally:
            selected.switch()
            gdb.execute(f"frame {level}", to_string=True)

    @staticmethod
    def show():
        teams = {}
        for thread in ALL:
            if thread.member is not None and not thread.is_idle():
                teams.setdefault(read(lambda: thread.member["team"], None), []).append(thread)
        unreadable = teams.pop(None, [])
        for threads in sorted(teams.values(), key=lambda team: read(lambda: team[0].member["team"]["level"], sys.maxsize)):
            print_team(threads[0].member["team"].dereference(), threads)
        for member in outer_members(teams):
            print_outer_team(member)
        for thread in unreadable:
            print_member(thread)
        for text in UNREAD:
            print("Cannot be read: " + text)
        idle = [t.name() for t in ALL if t.is_idle() and t.in_pool is None]
        others = [t.name() for t in ALL if t.member is None and t.in_pool is None and not t.is_idle()]
        print_pools()
        for what, names in ("Idle", idle), ("Not in OpenMP" if has_openmp() else "In no pool", others):
            if names:
                print(f"{what}: {', '.join(names)}")


InfoBlitz()
