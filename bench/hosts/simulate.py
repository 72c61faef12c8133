#!/usr/bin/env python3
"""Threads of one process that are in regions at once, on machines that are not at hand: 4 to 64 CPUs, up to 256 threads.

    python3 bench/hosts/simulate.py [--cpus 4 16 64] [--hosts 2 4 16 64 256] [--us 5 50 1000] [--buffer]

A discrete simulation of the system's scheduler, which runs threads in turns of a queue, and of teams as large as the
machine. Each host thread opens regions one after the other; their work is shared out evenly, but for 10 % by chance. A
row of the table has the time of a region, all hosts together, under each policy, divided by that under the best limit
set by hand (the number of threads, of 1, 2, 4, ... CPUs, that all hosts use):

free        all members of all teams run whenever the system lets them
leased      with leases of the CPUs all the time: teams run one after the other
lease       as src/wait/lease.c decides, after its first decision; that, and when it is made, are in the last column

With --buffer host threads spin for one buffer before each region, unless they use one thread, and the members wait for
each other in the region: `buffer` of omp.c.

Costs are those measured on an EPYC with Linux 6: see COSTS. Memory, caches and sockets are left out."""
import argparse
import collections
import heapq
import itertools
import math
import random

# us: a futex wake for the caller, until the woken thread can run, a thread switch, a turn of the system's scheduler, a poll
# that ends in a yield where others are ready, and how long a waiting thread polls before it parks
COSTS = dict(wake=2.0, latency=30.0, switch=1.5, turn=3000.0, poll=1.0, spin=50.0)
COMPUTE, POLL, PARKED = range(3)
# as in lease.c, in us
LEASE, TRY, PHASE, EXPECTED, RETRIES, ENOUGH, AT_ONCE, CHANCE = 2000.0, 250.0, 32000.0, 512000.0, 8, 64, 16, 2
NONE, FREE, LEASED, CHECK = range(4)
STEPS = 6  # of a region with a buffer


class Thread:
    __slots__ = ("team", "state", "left", "since", "plan", "cpu", "began")

    def __init__(self, team):
        self.team, self.state, self.left, self.since, self.plan = team, PARKED, 0.0, 0.0, 0
        self.cpu, self.began = False, 0.0


class Team:
    """A host thread, which leads, and its members: `awaited` of them work on this step of a region, and `steps` follow."""

    def __init__(self, size):
        self.threads = [Thread(self) for _ in range(size)]
        self.awaited, self.steps = 0, 0
        self.phase, self.ended, self.before, self.asked_at, self.again = 0, 0, None, None, 0  # of its lease


class Phases:
    """What lease.c calls `phase`. A kind other than NONE stays forever."""

    def __init__(self, kind=NONE):
        self.kind, self.number, self.began, self.regions, self.lengths = kind, 0, 0.0, 0, {}
        self.winner, self.wins, self.gain, self.decided = kind, 0, 0.0, (0.0, kind) if kind else None
        self.end = math.inf if kind else 0.0
        self.unleased, self.given_up, self.unleased_us, self.drained, self.again = 0, -1.0, 0.0, 0.0, 0
        self.free_regions, self.leases, self.waiting = 0, 0, ()

    def begin(self, kind, now, length=PHASE):
        self.lengths[self.kind == LEASED] = now - self.began
        if self.kind != LEASED:
            self.free_regions = self.regions
        self.gain = 0.0 if kind == LEASED else self.gain
        if self.kind == LEASED:
            self.unleased, self.given_up = 0, now
        self.kind, self.number, self.began, self.end, self.regions = kind, self.number + 1, now, now + length, 0
        self.leases = 0
        self.drained = now + EXPECTED

    def drains(self, now):
        gap = RETRIES * min(self.unleased_us, PHASE)
        return self.kind == LEASED and self.unleased > 0 and now < min(self.began + gap, self.drained)

    def end_unleased(self, team, now):
        if team.asked_at is None:
            return
        drained = self.drains(now)
        self.unleased -= team.asked_at > self.given_up
        if self.kind != LEASED:
            self.unleased_us = now - team.asked_at
        elif drained and team.asked_at > self.given_up:
            self.began, self.end, self.regions, self.again = now, self.end + now - self.began, 0, self.again + 1
        team.asked_at = None

    def change(self, now):
        if self.kind != CHECK:
            return self.begin(self.kind + 1, now, RETRIES * PHASE if self.kind == NONE else PHASE)
        winner = LEASED if self.gain > 0 else FREE
        wins = self.wins if winner == self.winner else 0
        self.winner, self.wins = winner, min(wins + 1, 2 if winner == LEASED else 3)
        self.decided = self.decided or (now, winner)
        self.begin(winner, now, (RETRIES * PHASE) * 4 ** wins)

    def are_slow(self, since, before, now):
        def are_few(regions, time):
            return time * self.free_regions / self.lengths.get(False, 1) / 2 > regions + AT_ONCE

        time = now - self.began
        return (self.kind == LEASED and time >= PHASE / 4 and are_few(self.regions, time)
                and are_few(self.regions - before, now - since))

    def says_enough(self, now):
        had_leases = self.leases >= 2 * len(self.waiting)
        is_long = now >= self.began + RETRIES * PHASE
        return not self.drains(now) and (is_long or (self.regions >= ENOUGH and had_leases))

    def note(self, team, now):
        if now >= self.end and self.says_enough(now):
            self.change(now)
        if team.phase == self.number:
            if team.again != self.again:
                team.again, team.ended = self.again, 0
            return
        follows = team.phase + 1 == self.number
        if follows and team.before is not None and self.kind == CHECK:
            expected = team.before * self.lengths[True] // self.lengths[False] + CHANCE
            gain = min((team.ended + CHANCE) / expected, 2) - 1.25
            self.gain += 4 * gain if gain < 0 else gain
        team.phase, team.before, team.ended = self.number, team.ended if follows else None, 0


class Machine:
    def __init__(self, cpus, hosts, size, us, buffer, phases):
        self.cpus, self.us, self.phases, self.random = cpus, us, phases, random.Random(1)
        self.now, self.idle, self.events, self.queue, self.count = 0.0, cpus, [], collections.deque(), 0
        self.teams, self.ended = [Team(size) for _ in range(hosts)], 0
        self.holder, self.until, self.waiting = None, 0.0, collections.deque()
        phases.waiting = self.waiting
        self.head, self.since = None, (0.0, 0)  # of the queue, and when it came: clock, regions
        self.steps, self.has_buffer, self.user, self.spinning = STEPS if buffer else 1, buffer and size > 1, None, []

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
            self.use_buffer()

    def plan(self, thread, delay=0.0):
        """ The next event of a thread on a CPU, if no other thread interferes."""
        thread.plan += 1
        if thread.state == COMPUTE:
            self.at(delay + min(thread.left, COSTS["turn"]), thread, self.computed)
        else:
            busy = bool(self.queue)
            rest = max(thread.since + COSTS["spin"] - self.now, COSTS["poll"])
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
        if self.now - thread.since >= COSTS["spin"] - 1e-6 and not thread.team.steps:
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

    def share(self, team):
        return self.us / len(team.threads) / self.steps * self.random.uniform(0.95, 1.05)

    def open_region(self, team):
        self.phases.note(team, self.now)
        team.awaited, team.steps = len(team.threads), self.steps - 1
        leader, *members = team.threads
        parked = 0
        for thread in members:
            is_parked = thread.state == PARKED
            self.start(thread, self.share(team), parked)
            parked += is_parked
        self.start(leader, min(parked, 2) * COSTS["wake"] + self.share(team))

    def finish(self, thread):
        team = thread.team
        team.awaited -= 1
        thread.state, thread.since = POLL, self.now
        if team.awaited == 0 and team.steps:
            team.awaited, team.steps = len(team.threads), team.steps - 1
            for member in team.threads:
                self.start(member, self.share(team))
        elif team.awaited == 0:
            self.end_region(team)
        if thread.cpu and thread.state == POLL:
            self.plan(thread)

    def end_region(self, team):
        self.phases.regions += 1
        self.ended, team.ended = self.ended + 1, team.ended + 1
        self.phases.end_unleased(team, self.now)
        if self.user is team:
            self.user = None
        if self.holder is team and (self.phases.kind != LEASED or (self.waiting and self.now >= self.until)):
            self.holder = None
        self.call_head()
        self.ask(team)
        self.use_buffer()

    # ---- the buffer of the process ----
    def enter(self, team):
        if self.phases.kind != LEASED:
            self.phases.unleased, team.asked_at = self.phases.unleased + 1, self.now
        if not self.has_buffer:
            return self.open_region(team)
        self.spinning.append(team)
        self.start(team.threads[0], math.inf)
        self.use_buffer()

    def use_buffer(self):
        """ A host thread that runs now has it next."""
        running = [team for team in self.spinning if team.threads[0].cpu]
        if running and self.user is None:
            self.user = self.random.choice(running)
            self.spinning.remove(self.user)
            self.open_region(self.user)

    # ---- leases: one, since each team is as large as the machine ----
    def take(self, team):
        """ Whether it may go on."""
        if self.phases.kind == LEASED and self.holder is not team:
            if (self.holder and self.now < self.until + PHASE) or self.phases.drains(self.now):
                return False
            self.holder, self.until = team, self.now + LEASE
            self.phases.leases += 1
        return True

    def ask(self, team):
        self.phases.note(team, self.now)
        holds = self.holder is team and not self.phases.drains(self.now)
        if holds or (not self.waiting and self.take(team)):
            return self.enter(team)
        self.waiting.append(team)  # its leader sleeps
        leader = team.threads[0]
        if leader.state == POLL and not leader.cpu:
            self.queue.remove(leader)
        leader.state = PARKED
        if leader.cpu:
            self.leave_cpu(leader)

    def call_head(self):
        while self.waiting and self.take(self.waiting[0]):
            self.enter(self.waiting.popleft())

    def try_again(self, _):
        self.call_head()
        head = self.waiting[0] if self.waiting else None
        if head is not self.head or self.phases.drains(self.now):
            self.head, self.since = head, (self.now, self.phases.regions)
        elif head and self.phases.are_slow(*self.since, self.now):
            self.phases.begin(CHECK, self.now)
            self.call_head()
        self.at(TRY, None, self.try_again)

    def run(self, is_done):
        while not is_done():
            self.now, _, thread, plan, action = heapq.heappop(self.events)
            if thread is None or thread.plan == plan:
                action(thread)

    def time(self):
        """us of a region, all hosts together, after the first decision: that of a phase."""
        self.try_again(None)
        for team in self.teams:
            self.ask(team)
        self.run(lambda: self.phases.decided)
        since, ended = self.now, self.ended
        self.run(lambda: self.now >= since + (PHASE if self.ended >= ended + ENOUGH else RETRIES * PHASE))
        return (self.now - since) / (self.ended - ended)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cpus", type=int, nargs="+", default=[4, 16, 64])
    parser.add_argument("--hosts", type=int, nargs="+", default=[2, 4, 16, 64, 256])
    parser.add_argument("--us", type=float, nargs="+", default=[5, 50, 1000], help="work of a region, on one CPU")
    parser.add_argument("--buffer", action="store_true")
    wanted = parser.parse_args()
    print("| CPUs | hosts | work, us | best limit: us (threads) | free | leased | lease | decided |\n" + "|---" * 8 + "|")
    for cpus, hosts, us in itertools.product(wanted.cpus, wanted.hosts, wanted.us):
        def time(size, phases):
            return Machine(cpus, hosts, size, us, wanted.buffer, phases).time()

        best, size = min((time(1 << i, Phases(FREE)), 1 << i) for i in range(cpus.bit_length()))
        shipped = Phases()
        times = [time(cpus, phases) for phases in (Phases(FREE), Phases(LEASED), shipped)]
        when, winner = shipped.decided
        print(f"| {cpus} | {hosts} | {us:g} | {best:.3g} ({size}) |" + "".join(f" {t / best:.2f} |" for t in times) +
              f" {when / 1000:.0f} ms: {'leases' if winner == LEASED else 'free'} |", flush=True)


if __name__ == "__main__":
    main()
