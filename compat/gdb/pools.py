# pools.py: the output of `info blitz` for pools of blitz.h: the second part of blitz-gdb.py.

POOLS_MOST = 100  # pools in the output


def place_in_pool(worker):
    """A worker's place in its pool; None: it has no pool."""
    if not read(lambda: worker["domain"]["start"], 0):
        return None
    return worker.cast(pointer("bz_place"))


def called(fn, arg):
    """The program's function, also if a tool runs it by a function of its own."""
    fn = int(fn)
    if symbol(fn) == "bz_watched_run":
        fn = int(gdb.Value(int(arg)).cast(pointer("bz_watched"))["fn"])
    return function(fn)


def future(address, threads):
    """A future, and the thread that runs its job."""
    it = gdb.Value(address).cast(gdb.lookup_type("struct blitz_future").pointer())
    phase, runner = int(it["state"]["v"]) & 3, int(it["runner"]["v"])
    name = next((t.name() for t in threads if t.number == runner), "a thread that is gone")
    where = {0: "which has not begun", 1: f"which {name} runs"}.get(phase, "which is done")
    return f"the future of {function(int(it['fn']))}, {where}"


def print_pool(pool, threads):
    """The threads inside, what each runs and waits for, and the number of submitted jobs."""
    title = f'Pool "{pool["name"].string()}" of {int(pool["size"]["v"])} workers'
    jobs = int(pool["pending"]["v"])
    print(title + (f", {jobs} submitted task{'s' if jobs > 1 else ''} not done" if jobs else ""))
    for thread in sorted(threads, key=lambda t: int(t.in_pool["worker"]["index"])):
        who = f'  {int(thread.in_pool["worker"]["index"]):3} {thread.name()}:'
        with reading(who):
            print(f"{who} {'has no work' if thread.is_idle() else thread.state(ALL)}")


def print_pools():
    pools, seen = {}, 0
    for thread in ALL:
        if thread.in_pool is not None:
            pools.setdefault(int(thread.in_pool["worker"]["domain"]), []).append(thread)
    one = gdb.parse_and_eval("'pool.c'::pools")["first"]["v"]
    while read(lambda: one, 0) and seen < POOLS_MOST:
        with reading("A pool"):
            print_pool(one, pools.get(int(one), []))
        one, seen = one["next_pool"]["v"], seen + 1
