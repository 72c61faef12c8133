#!/usr/bin/env python3
"""Threads of one process that are in regions at once, on machines that are not at hand: 4 to 64 CPUs, up to 256 threads.

    python3 bench/hosts/simulate.py [--cpus 4 16 64] [--hosts 2 4 16 64 256] [--us 5 50 1000] [--slices 500 2000 8000]

A discrete simulation of the system's scheduler, which runs threads in turns of a queue, and of teams as large as the
machine. Each host thread opens regions one after the other; their work is shared out evenly, but for 10 % by chance. A
row of the table has the time of a region, all hosts together, under each policy, divided by that under the best limit
set by hand (the number of threads, of 1, 2, 4, ... CPUs, that all hosts use):

free        all members of all teams run whenever the system lets them
gang SLICE  teams take turns of SLICE us on the CPUs; one between two regions gives its turn to a host that has just come

Costs are those measured on an EPYC with Linux 6: see COSTS. Memory, caches and sockets are left out."""
import argparse
import collections
import heapq
import random

# us: a futex wake for the caller, until the woken thread can run, a thread switch, a turn of the system's scheduler, a poll
# that ends in a yield where others are ready, and how long a waiting thread polls before it parks
COSTS = dict(wake=2.0, latency=30.0, switch=1.5, turn=3000.0, poll=1.0, spin=50.0)
COMPUTE, POLL, PARKED = range(3)


class Thread:
    __slots__ = ("team", "state", "left", "since", "plan", "cpu", "began")

    def __init__(self, team):
        self.team, self.state, self.left, self.since, self.plan = team, PARKED, 0.0, 0.0, 0
        self.cpu, self.began = False, 0.0


class Team:
    """A host thread, which leads, and its members; `open` while a region runs."""

    def __init__(self, size, regions):
        self.threads = [Thread(self) for _ in range(size)]
        self.open, self.awaited, self.regions, self.end, self.admitted = False, 0, regions, 0.0, False


class Machine:
    def __init__(self, cpus, hosts, size, us, regions, slice_us=None, seed=1):
        self.cpus, self.us, self.slice, self.random = cpus, us, slice_us, random.Random(seed)
        self.now, self.idle, self.events, self.queue, self.count = 0.0, cpus, [], collections.deque(), 0
        self.teams = [Team(size, regions) for _ in range(hosts)]
        self.used, self.waiting, self.holders, self.unfinished = 0, collections.deque(), [], hosts

    # ---- the system's scheduler ----
    def at(self, delay, thread, action):
        self.count += 1
        heapq.heappush(self.events, (self.now + delay, self.count, thread, thread.plan if thread else 0, action))

    def make_ready(self, thread):
        self.queue.append(thread)
        self.dispatch()

    def dispatch(self):
        while self.idle and self.queue:
            thread = self.queue.popleft()
            self.idle -= 1
            thread.cpu, thread.began = True, self.now + COSTS["switch"]
            self.plan(thread, COSTS["switch"])

    def plan(self, thread, delay=0.0):
        """ The next event of a thread on a CPU, if no other thread interferes."""
        thread.plan += 1
        if thread.state == COMPUTE:
            self.at(delay + min(thread.left, COSTS["turn"]), thread, self.computed)
        else:
            busy = bool(self.queue)
            rest = max(thread.since + COSTS["spin"] - self.now, 0.0)
            self.at(delay + (COSTS["poll"] if busy else rest), thread, self.polled)

    def leave_cpu(self, thread):
        thread.cpu = False
        thread.plan += 1
        self.idle += 1
        self.dispatch()

    def computed(self, thread):
        thread.left -= self.now - thread.began
        if thread.left > 1e-6:  # its turn is over
            self.leave_cpu(thread)
            return self.make_ready(thread)
        self.finish(thread)

    def polled(self, thread):
        if self.now - thread.since >= COSTS["spin"] - 1e-6:
            thread.state = PARKED
            self.leave_cpu(thread)
        elif self.queue:
            self.leave_cpu(thread)
            self.make_ready(thread)
        else:
            self.plan(thread)

    # ---- teams ----
    def start(self, thread, left, woken=0):
        """ A thread has work: one that polls on a CPU sees it at once, one in the queue at its turn, and one that is
        parked is woken: `woken` others come before it, and each wakes two."""
        state, thread.state, thread.left = thread.state, COMPUTE, left
        if state == PARKED:
            self.at(COSTS["latency"] * ((woken + 2).bit_length() - 1), None, lambda _: self.make_ready(thread))
        elif thread.cpu:
            thread.began = self.now
            self.plan(thread)

    def open_region(self, team):
        team.open, team.awaited = True, len(team.threads)
        share = self.us / len(team.threads)
        leader, *members = team.threads
        parked = 0
        for thread in members:
            is_parked = thread.state == PARKED
            self.start(thread, share * self.random.uniform(0.95, 1.05), parked)
            parked += is_parked
        self.start(leader, min(parked, 2) * COSTS["wake"] + share * self.random.uniform(0.95, 1.05))

    def finish(self, thread):
        team, leader = thread.team, thread.team.threads[0]
        team.awaited -= 1
        thread.state, thread.since = POLL, self.now
        if team.awaited == 0:
            team.open = False
            team.regions -= 1
            self.give(team)
            if team.regions == 0:
                self.unfinished -= 1
                team.end = self.now
                self.drop(team)
            else:
                return self.next_region(team, thread)
        if thread.cpu and thread.state == POLL:
            self.plan(thread)

    def next_region(self, team, last):
        if self.take(team):
            self.open_region(team)
        else:  # the leader sleeps until its turn
            leader = team.threads[0]
            if leader.state == POLL and leader.cpu:
                leader.state = PARKED
                self.leave_cpu(leader)
            elif leader.state == POLL:
                self.queue.remove(leader)
                leader.state = PARKED
        if last.cpu and last.state == POLL:
            self.plan(last)

    # ---- turns of teams ----
    def take(self, team):
        if self.slice is None or team.admitted:
            return True
        size = min(len(team.threads), self.cpus)
        self.reap(just_came=True)
        if not self.waiting and (self.used == 0 or self.used + size <= self.cpus):
            return self.admit(team)
        self.waiting.append(team)
        self.at(self.slice, None, lambda _: self.call())
        return False

    def admit(self, team):
        team.admitted, team.end = True, self.now + self.slice
        self.used += min(len(team.threads), self.cpus)
        self.holders.append(team)
        return True

    def drop(self, team):
        if team.admitted:
            team.admitted = False
            self.used -= min(len(team.threads), self.cpus)
            self.holders.remove(team)
            self.call()

    def give(self, team):
        if self.slice is not None and team.admitted and self.waiting and self.now >= team.end:
            self.drop(team)

    def reap(self, just_came):
        for team in list(self.holders):
            if self.now >= team.end or (just_came and not team.open):
                team.admitted = False
                self.used -= min(len(team.threads), self.cpus)
                self.holders.remove(team)

    def call(self):
        self.reap(just_came=False)
        while self.waiting and (self.used == 0 or self.used + len(self.waiting[0].threads) <= self.cpus):
            team = self.waiting.popleft()
            self.admit(team)
            self.open_region(team)
        if self.waiting:
            self.at(self.slice, None, lambda _: self.call())

    def run(self):
        for team in self.teams:
            if self.take(team):
                self.open_region(team)
        while self.events:
            self.now, _, thread, plan, action = heapq.heappop(self.events)
            if thread is None or thread.plan == plan:
                action(thread)
            if self.unfinished == 0:
                break
        assert self.unfinished == 0, "a simulated team is stuck"
        return max(team.end for team in self.teams)


def time_of(cpus, hosts, size, us, slice_us=None):
    """us of a region, all hosts together."""
    regions = max(3, min(200, int(40000 * cpus / us / hosts)))
    return Machine(cpus, hosts, size, us, regions, slice_us).run() / regions / hosts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cpus", type=int, nargs="+", default=[4, 16, 64])
    parser.add_argument("--hosts", type=int, nargs="+", default=[2, 4, 16, 64, 256])
    parser.add_argument("--us", type=float, nargs="+", default=[5, 50, 1000], help="work of a region, on one CPU")
    parser.add_argument("--slices", type=float, nargs="+", default=[500, 2000, 8000])
    wanted = parser.parse_args()
    print("| CPUs | hosts | work, us | best limit: us (threads) | free |" + "".join(f" gang {s:g} |" for s in wanted.slices))
    print("|---" * (5 + len(wanted.slices)) + "|")
    for cpus in wanted.cpus:
        for hosts in wanted.hosts:
            for us in wanted.us:
                sizes = [1 << i for i in range(cpus.bit_length()) if 1 << i <= cpus]
                best, size = min((time_of(cpus, hosts, size, us), size) for size in sizes)
                row = [time_of(cpus, hosts, cpus, us)] + [time_of(cpus, hosts, cpus, us, s) for s in wanted.slices]
                print(f"| {cpus} | {hosts} | {us:g} | {best:.3g} ({size}) |" + "".join(f" {t / best:.2f} |" for t in row),
                      flush=True)


if __name__ == "__main__":
    main()
