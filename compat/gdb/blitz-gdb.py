"""What an OpenMP program on Blitz is at: the command `info blitz` of gdb.

gdb loads this with the library where it is installed for that, else by `source FILE`. Works on processes and core files, and
needs the debug information of the library. What is said here is read from memory as it is; nothing of the program runs.
"""

import os
import re
import sys

import gdb

# What a thread waits for, by the functions of the library that it is in: the first row with one of them counts.
WAITS = (
    ("critical", r"bomp_critical_start|bomp_critical_name_start|bomp_owned_lock(_slow)?|bomp_atomic_start"),
    ("lock", r"(bomp|bz)_mutex_lock_slow|bomp_(old_)?(nest_)?lock_set|bz_parking_park"),
    ("its turn in an ordered construct", r"bomp_ordered_start|bomp_turn_wait"),
    ("an iteration that it depends on", r"bomp_doacross_wait"),
    ("its turn to merge a reduction", r"bomp_merge_start"),
    ("tasks that it depends on", r"bomp_taskwait_depend|bomp_table_await|bomp_task_run_awaited"),
    ("the event of a detached task", r"bomp_event_await|bomp_task_await_event"),
    ("the end of a taskgroup", r"bomp_taskgroup_end"),
    ("its child tasks", r"bomp_taskwait(_at)?|bomp_task_wait_for"),
    ("the next region", r"wait_for_start|wait_parked"),
    ("the end of the region", r"bz_barrier_join|bz_team_end"),
    ("a barrier", r"bz_barrier_wait\w*|bz_team_meet|bomp_barrier\w*|bomp_team_barrier\w*"),
    ("other tasks to go on", r"bz_coroutine_yield|bomp_taskyield"),
    ("a pool's job", r"blitz_\w+"),
)
WAITED = 0x80000000  # BOMP_OWNED_WAITED: in a lock's word, beside the number of its owner
SUSPENDED_MOST = 1000  # tasks of a thread that are shown
OUTLINED = re.compile(r"(\._omp_fn|\._omp_cpyfn|\.omp_outlined|\.omp_task_entry|_omp_fn|\.constprop|\.part|\.isra)\S*")


def source(name, symtab, line):
    """"function, file:line", or what of that is known. What compilers call the code of a construct is left out."""
    name = OUTLINED.sub("", name)
    where = f"{os.path.basename(symtab.filename)}:{line}" if symtab and line else ""
    return ", ".join(part for part in (name, where) if part) or "unknown code"


def place(pc):
    """Where in the source the code at an address is: "function, file:line", or what of that is known."""
    block, line = gdb.block_for_pc(pc), gdb.find_pc_line(pc)
    while block and not block.function:
        block = block.superblock
    name = block.function.name if block else symbol(pc)
    return source(name or hex(pc), line.symtab, line.line)


def function(address):
    """Where a function of the program begins that the compiler made for a construct. Callees may be inlined there, and it
    may itself lie inside another one: what begins with it and is the outermost counts."""
    block, outer = gdb.block_for_pc(address), None
    while block and block.start == address:
        outer = block if block.function else outer
        block = block.superblock
    if not outer:
        return source(symbol(address) or hex(address), None, 0)
    return source(outer.function.name, outer.function.symtab, first_line(outer))


def first_line(outer):
    """The line of a function's first instruction that is its own, not an inlined callee's."""
    for entry in sorted(outer.function.symtab.linetable(), key=lambda entry: entry.pc):
        block = gdb.block_for_pc(entry.pc) if outer.start <= entry.pc < outer.end else None
        while block and not block.function:
            block = block.superblock
        if block and block.function.name == outer.function.name and entry.line:
            return entry.line
    return outer.function.line


def code(fn, data):
    """The program's function of a region or task. Code of clang's is called by functions of the library, whose data says
    which one it is."""
    fn, data = int(fn), int(data)
    words = gdb.lookup_type("unsigned long").pointer()
    if fn and gdb.solib_name(fn) == library():
        name = symbol(fn) or ""
        if name == "run_bare":
            return data
        if name == "kmpc_call_run":
            return int(gdb.Value(data).cast(gdb.lookup_type("struct kmpc_call").pointer())["fn"])
        return int(gdb.Value(data).cast(words)[1])
    return fn


def symbol(address):
    """The name at an address; None: there is none."""
    text = gdb.execute(f"info symbol {address}", to_string=True)
    return None if text.startswith("No symbol") else text.split(" in section ")[0].strip()


def variable(frame, names):
    """The first of these variables that a frame has a value for, as a number."""
    for name in names:
        try:
            value = frame.read_var(name)
            if not value.is_optimized_out:
                return int(value)
        except (ValueError, gdb.error):
            pass
    return None


def library():
    """The file that is our library."""
    return gdb.solib_name(int(gdb.parse_and_eval("(unsigned long) &bz_worker_wait_until")))


class Thread:
    """A thread of the process, as it is now."""

    def __init__(self, thread):
        self.thread = thread
        thread.switch()
        self.member = self.context()
        self.number = int(gdb.parse_and_eval("bz_thread_mark.number"))
        self.names, self.word, self.where = self.walk()
        self.waits = next((what for what, functions in WAITS if self.is_in(functions)), None)

    def name(self):
        return f'thread {self.thread.num}' + (f' "{self.thread.name}"' if self.thread.name else "")

    @staticmethod
    def context():
        context = gdb.parse_and_eval("bz_context")
        return context.cast(gdb.lookup_type("struct bomp_member").pointer()) if int(context) else None

    @staticmethod
    def walk():
        """The library's functions that the thread is in, the innermost first, up to the first of the program; the word that
        it waits on, if any; and where the program is. Frames do not outlive a switch to another thread."""
        names, word, frame = [], None, gdb.newest_frame()
        try:
            while frame and len(names) < 200:
                owner = gdb.solib_name(frame.pc())
                if owner == library():
                    names.append(frame.name() or "")
                    word = word or variable(frame, ("word", "mutex"))
                elif owner is None or not re.search(r"/(libc|libpthread|ld-linux)[-.\w]*\.so", owner):
                    return names, word, place(frame.pc() - 1 if frame.level() else frame.pc())
                frame = frame.older()
        except gdb.error:
            pass  # a frame that cannot be left: what there is
        return names, word, None

    def is_in(self, functions):
        return any(re.fullmatch(functions, name) for name in self.names)

    def is_idle(self):
        return self.waits == "the next region" or (self.is_in("cached_main") and not self.where and not self.waits)

    def lock(self, threads):
        """Which lock it waits for, and who has that."""
        if not self.word:
            return "a lock"
        name = symbol(self.word) or hex(self.word)
        critical = re.search(r"gomp_critical_user_(.*?)(\.var|\[var\])?$", name)
        text = f"critical construct {critical.group(1)}" if critical else f"lock {name}"
        if self.waits != "critical" and not critical:
            return text
        if name in ("unnamed", "atomic"):
            text = "the critical construct without a name" if name == "unnamed" else "the lock of atomic constructs"
        owner = int(gdb.parse_and_eval(f"*(unsigned *) {self.word}")) & (WAITED - 1)
        holders = [t.name() for t in threads if t.number == owner]
        return f"{text}, held by {holders[0] if holders else 'a thread that is gone'}"

    def task(self):
        task = self.member["current"]
        return "implicit task" if task == self.member["implicit"].address else describe(task)

    def state(self, threads):
        where = f", at {self.where}" if self.where else ""
        if self.waits is None:
            return "runs" + where.replace(",", "", 1)
        what = self.lock(threads) if self.waits in ("critical", "lock") else self.waits
        return f"waits for {what}{where}"


def describe(task):
    """An explicit task."""
    if int(task["flags"]) & int(gdb.parse_and_eval("BOMP_TASK_STACK")):
        return "task that runs where it was created"
    return f"task of {function(code(task['fn'], task['data']))}"


def suspended(member):
    """The tasks that have yielded on a member's thread, in the order in which they go on. In a damaged process their list
    may lead back into itself."""
    coroutines = member["worker"]["coroutines"]
    one = coroutines["first"] if int(coroutines) else None
    seen = set()
    while one is not None and int(one):
        if int(one) in seen or len(seen) == SUSPENDED_MOST:
            yield "and more, or the list is damaged"
            return
        seen.add(int(one))
        task = one["kept"].cast(member["current"].type)
        yield "implicit task" if task == member["implicit"].address else describe(task)
        one = one["next"]


def number(thread):
    """A thread's number in its team; -1: it cannot be read."""
    try:
        return int(thread.member["num"])
    except gdb.error:
        return -1


def print_member(thread):
    """What a pointer that leads nowhere hides is left out; the others are still said."""
    try:
        print(f"  {number(thread):3} {thread.name()}: {thread.task()}, {thread.state(ALL)}")
    except gdb.error as error:
        print(f"  {number(thread):3} {thread.name()}: cannot be read: {error}")
    try:
        for task in suspended(thread.member):
            print(f"      suspended in a taskyield: {task}")
    except gdb.error as error:
        print(f"      suspended tasks cannot be read: {error}")


def print_title(team):
    level = int(team["level"])
    if level:
        outer = f", opened by member {int(team['outer']['num'])} of level {level - 1}" if level > 1 else ""
        print(f"Team of {int(team['size'])}, level {level}, of {function(code(team['fn'], team['data']))}{outer}")
    else:
        print("Outside of regions")


def print_team(team, threads):
    try:
        print_title(team)
    except gdb.error as error:
        print(f"Team that cannot be read: {error}")
    for thread in sorted(threads, key=number):
        print_member(thread)


def team_of(thread):
    """The address of its team; None: it cannot be read."""
    try:
        return int(thread.member["team"])
    except gdb.error:
        return None


def level_of(threads):
    try:
        return int(threads[0].member["team"]["level"])
    except gdb.error:
        return sys.maxsize


ALL = []
UNREAD = []  # what is said of threads that cannot be looked at


def look_at(thread):
    try:
        ALL.append(Thread(thread))
    except gdb.error as error:
        UNREAD.append(f"thread {thread.num}: {error}")


def look():
    """Looks at every thread of the process."""
    try:
        gdb.lookup_type("struct bomp_member")
        ALL.clear()
        UNREAD.clear()
        for thread in sorted(gdb.selected_inferior().threads(), key=lambda t: t.num):
            look_at(thread)
        if UNREAD and not ALL:
            raise gdb.error(UNREAD[0])
    except gdb.error as error:
        raise gdb.GdbError(f"info blitz: needs libblitz-omp in the process, with its debug information ({error})")


class InfoBlitz(gdb.Command):
    """Teams of the OpenMP program, their members, what each runs, and what it waits for."""

    def __init__(self):
        super().__init__("info blitz", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        selected = gdb.selected_thread()
        if selected is None:
            raise gdb.GdbError("info blitz: there is no process")
        level = gdb.selected_frame().level()
        try:
            look()
            self.show()
        finally:
            selected.switch()
            gdb.execute(f"frame {level}", to_string=True)

    @staticmethod
    def show():
        teams = {}
        for thread in ALL:
            if thread.member is not None and not thread.is_idle():
                teams.setdefault(team_of(thread), []).append(thread)
        unreadable = teams.pop(None, [])
        for threads in sorted(teams.values(), key=level_of):
            print_team(threads[0].member["team"].dereference(), threads)
        for thread in unreadable:
            print_member(thread)
        for text in UNREAD:
            print("Cannot be read: " + text)
        idle = [t.name() for t in ALL if t.is_idle()]
        if idle:
            print("Idle: " + ", ".join(idle))
        others = [t.name() for t in ALL if t.member is None and not t.is_idle()]
        if others:
            print("Not in OpenMP: " + ", ".join(others))


def silently(command):
    """Without what gdb itself shows of a process that stops or goes on, which no setting takes away."""
    gdb.flush()
    output, nothing = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    try:
        gdb.execute(command, to_string=True)
    finally:
        gdb.flush()
        os.dup2(output, 1)
        os.close(output)
        os.close(nothing)


def blitz_attach(process):
    """For blitz-run --attach: what is to be seen of a process, and nothing else of what gdb says."""
    try:
        silently(f"attach {process}")
        try:
            gdb.execute("info blitz")
        finally:
            silently("detach")
    except gdb.error as error:
        hint = "; as root it is" if "not permitted" in str(error) else ""
        print(f"blitz-run: --attach: {error}{hint}", file=sys.stderr)
        gdb.execute("quit 125")


InfoBlitz()
