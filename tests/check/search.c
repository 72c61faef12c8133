/* The search: each run is one path through the choices of threads and values. The next run changes the last choice that
 * has another way. A run that reaches the state of an earlier one is abandoned: equal histories of all threads and
 * equal orders of stores have the same future. */
#include "check.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { CHOICES = 8192, STACK = 64 << 10, STEPS = 4000, TIMEOUTS = 3 };
enum state { ENDED, READY, RELAXES, SLEEPS, SLEEPS_TIMED };
enum end { RAN, SEEN_BEFORE, FAILED };

static struct {
    enum state state;
    bool woken;
    unsigned timeouts;
    uint64_t history;
    jmp_buf at;
    ucontext_t start;
    bool started;
} fibers[CHECK_THREADS];
static _Alignas(64) char stacks[CHECK_THREADS][STACK];

static const struct check_test *test;
static const struct check_search *how;
static struct { uint8_t taken, of; } path[CHOICES];
static unsigned path_length, depth, steps, preemptions, old_values, own_count;
static int self;
static bool running, learned; /* learned: a new user of a word */
static jmp_buf run_end;
static char message[300]; /* the error of the last run */
static uint64_t random_state, priorities[CHECK_THREADS];

/* ---- states that were seen ---- */

static uint64_t *seen, seen_size, seen_count;

static bool add_to(uint64_t *set, uint64_t size, uint64_t hash) {
    uint64_t i = hash & (size - 1);
    for (; set[i] != 0; i = (i + 1) & (size - 1))
        if (set[i] == hash)
            return false;
    set[i] = hash;
    return true;
}

static bool is_new(uint64_t hash) {
    hash |= hash == 0;
    if (seen_count * 2 >= seen_size) {
        uint64_t size = seen_size ? 4 * seen_size : 1 << 16, *set = calloc(size, sizeof *set);
        if (!set)
            abort();
        for (uint64_t i = 0; i < seen_size; i++)
            if (seen[i] != 0)
                add_to(set, size, seen[i]);
        free(seen);
        seen = set;
        seen_size = size;
    }
    bool new = add_to(seen, seen_size, hash);
    seen_count += new;
    return new;
}

static unsigned forget_seen(void) {
    free(seen);
    seen = NULL;
    seen_size = seen_count = 0;
    return 0;
}

static uint64_t state_hash(void) {
    uint64_t hash = check_mix(check_memory_hash(), check_system_hash());
    for (int t = 1; t < CHECK_THREADS; t++)
        hash = check_mix(hash, check_mix(fibers[t].history, fibers[t].state));
    return how->bound < 0 ? hash : check_mix(hash, (uint64_t)self << 32 | old_values << 16 | preemptions);
}

void check_note(int thread, uint64_t what) {
    fibers[thread].history = check_mix(fibers[thread].history, what);
}

/* ---- choices ---- */

static uint64_t random_next(void) {
    random_state = check_mix(random_state + UINT64_C(0xD1B54A32D192ED03), 7);
    return random_state >> 16;
}

/* Only the first way, if `limited`; the path still records the choice, so that it is the same without limits. */
static unsigned choose(unsigned n, unsigned by_chance, bool limited) {
    if (n <= 1)
        return 0;
    if (depth == CHOICES)
        check_fail("more than %d choices", CHOICES);
    if (depth == path_length) {
        path[path_length++].taken = (uint8_t)(how->random && !how->replay ? by_chance : 0);
        path[depth].of = (uint8_t)(limited ? 1 : n);
    } else if (path[depth].taken >= n) {
        path[depth].taken = (uint8_t)(n - 1); /* the path was shortened */
    }
    return path[depth++].taken;
}

unsigned check_choose(unsigned n) {
    return running ? choose(n, random_next() % 2 ? 0 : (unsigned)(random_next() % n), false) : 0;
}

static bool is_used_up(unsigned used) {
    return how->bound >= 0 && used >= (unsigned)how->bound;
}

unsigned check_choose_value(unsigned n) {
    unsigned by_chance = random_next() % 2 ? 0 : (unsigned)(random_next() % n);
    unsigned value = running ? choose(n, by_chance, is_used_up(old_values)) : 0;
    old_values += value != 0;
    return value;
}

/* Sets up the next run's path: the last choice with another way takes that. False: no choice has one. */
static bool advance(void) {
    while (path_length > 0 && path[path_length - 1].taken + 1 >= path[path_length - 1].of)
        path_length--;
    if (path_length == 0)
        return false;
    path[path_length - 1].taken++;
    return true;
}

/* ---- words of one thread ---- */

/* The threads that have accessed a word in any run so far: a bit for each, and WRITTEN. No thread is preempted before
 * an access to a word that no other thread has ever accessed, or that all have only read: a later preemption has the
 * same effect. A new user of a word restarts the search. */
enum { PLACES = 1 << 14, WRITTEN = 1, OWN = 4, OWN_SIZE = 64 };
static struct {
    const void *word;
    uint8_t users;
} places[PLACES];

static bool is_shared(unsigned users) {
    unsigned threads = users & ~(unsigned)WRITTEN;
    return (users & WRITTEN) && (threads & (threads - 1)) != 0;
}

static uint8_t *users_of(const void *word) {
    unsigned i = (unsigned)(check_mix(2, (uintptr_t)word) % PLACES);
    while (places[i].word && places[i].word != word)
        i = (i + 1) % PLACES;
    places[i].word = word;
    return &places[i].users;
}

/* Thread-local words. */
static struct own {
    char *memory;
    size_t size;
    char of[CHECK_THREADS][OWN_SIZE];
} own[OWN];

void check_own(void *memory, size_t size) {
    if (own_count == OWN || size > OWN_SIZE)
        check_fail("too many thread-local words");
    own[own_count++] = (struct own){.memory = memory, .size = size};
    memset(memory, 0, size);
}

bool check_is_own(uintptr_t address) {
    for (unsigned i = 0; i < own_count; i++)
        if (address - (uintptr_t)own[i].memory < own[i].size)
            return true;
    return false;
}

static void take_own(int thread) {
    for (unsigned i = 0; i < own_count; i++) {
        memcpy(own[i].of[self], own[i].memory, own[i].size);
        memcpy(own[i].memory, own[i].of[thread], own[i].size);
    }
}

/* ---- threads ---- */

int check_self(void) {
    return self;
}
bool check_is_running(void) {
    return running;
}

static bool can_run(int t) {
    return fibers[t].state == READY || (fibers[t].state == SLEEPS_TIMED && fibers[t].timeouts < TIMEOUTS) ||
           (fibers[t].state == RELAXES && check_has_news(t));
}

static void switch_to(int t) {
    take_own(t);
    self = t;
    if (fibers[t].started)
        _longjmp(fibers[t].at, 1);
    fibers[t].started = true;
    setcontext(&fibers[t].start);
}

/* Of several threads, the one with the highest priority (PCT: at a few random steps one thread falls behind all
 * others). */
static unsigned by_priority(const int *ready, unsigned n) {
    unsigned best = 0;
    if (random_next() % 24 == 0)
        priorities[self] = random_next() >> 24;
    for (unsigned i = 1; i < n; i++)
        if (priorities[ready[i]] > priorities[ready[best]])
            best = i;
    return best;
}

/* Chooses the next thread. The calling thread comes first, if it can go on: another choice is a preemption. `alone`:
 * its next step is invisible to others. */
static int next_thread(bool alone) {
    int ready[CHECK_THREADS];
    for (int t = 1; t < CHECK_THREADS; t++) /* each thread first runs to its first access */
        if (fibers[t].state == READY && !fibers[t].started)
            return t;
    unsigned n = 0;
    bool can = self != 0 && can_run(self);
    if (can)
        ready[n++] = self;
    for (int t = 1; t < CHECK_THREADS; t++)
        if (t != self && can_run(t))
            ready[n++] = t;
    /* A timed sleep ends only when no other thread can go on. */
    for (int t = 1; n == 0 && t < CHECK_THREADS; t++)
        if (fibers[t].state == SLEEPS_TIMED)
            ready[n++] = t;
    for (int t = 1; n == 0 && t < CHECK_THREADS; t++)
        if (fibers[t].state != ENDED)
            check_fail("deadlock: thread %d %s", t, fibers[t].state == RELAXES ? "spins" : "sleeps");
    if (n == 0)
        _longjmp(run_end, 1 + RAN);
    alone = alone && can && !how->random && !how->replay;
    if (depth == path_length && n > 1 && !alone && !how->random && !how->replay && !is_new(state_hash()))
        _longjmp(run_end, 1 + SEEN_BEFORE);
    bool limited = alone || (can && is_used_up(preemptions));
    int next = ready[choose(n, how->random ? by_priority(ready, n) : 0, limited)];
    preemptions += can && next != self;
    return next;
}

static void go_on(bool alone) {
    int next = next_thread(alone);
    if (next != self && !_setjmp(fibers[self].at))
        switch_to(next);
    if (fibers[self].state == RELAXES)
        fibers[self].state = READY;
}

void check_point(const void *word, bool writes) {
    if (!running)
        return;
    if (++steps > STEPS)
        check_fail("livelock: %d steps", STEPS);
    uint8_t *users = users_of(word), before = *users;
    go_on(word && !is_shared(before));
    if (word)
        *users |= (uint8_t)(1 << self | writes);
    learned |= word && is_shared(*users) && !is_shared(before);
}

bool check_block(enum check_wait wait) {
    static const enum state states[] = {RELAXES, SLEEPS, SLEEPS_TIMED};
    fibers[self].state = states[wait];
    fibers[self].woken = false;
    go_on(false);
    bool woken = fibers[self].woken;
    fibers[self].timeouts += wait == CHECK_SLEEPS_TIMED && !woken;
    fibers[self].state = READY;
    check_note(self, woken);
    return woken;
}

void check_ready(int thread) {
    fibers[thread].state = READY;
    fibers[thread].woken = true;
}

static void fiber_main(void) {
    test->body[self - 1]();
    fibers[self].state = ENDED;
    switch_to(next_thread(false));
}

static void make_fiber(int t) {
    memset(&fibers[t], 0, offsetof(__typeof__(fibers[t]), at));
    fibers[t].started = false;
    if (t == 0 || !test->body[t - 1])
        return;
    fibers[t].state = READY;
    getcontext(&fibers[t].start);
    fibers[t].start.uc_stack.ss_sp = stacks[t];
    fibers[t].start.uc_stack.ss_size = STACK;
    makecontext(&fibers[t].start, fiber_main, 0);
    check_memory_start(t);
    priorities[t] = random_next() >> 4;
}

/* ---- runs ---- */

static enum end run_once(void) {
    depth = steps = preemptions = old_values = own_count = 0;
    self = 0;
    running = false;
    check_log_reset();
    check_memory_reset();
    check_race_reset();
    check_system_reset(test);
    int end = _setjmp(run_end);
    if (end == 0) {
        test->begin();
        for (int t = 0; t < CHECK_THREADS; t++)
            make_fiber(t);
        running = true;
        switch_to(next_thread(false));
    }
    running = false;
    take_own(0);
    self = 0;
    if (end == 1 + RAN && test->end) {
        check_memory_join();
        if ((end = _setjmp(run_end)) == 0)
            test->end();
        end = end == 0 ? 1 + RAN : 1 + FAILED;
    }
    check_race_undo();
    return end - 1;
}

void check_fail(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    _longjmp(run_end, 1 + FAILED);
}

/* A null pointer, for example. */
static void fail_by_signal(int signal) {
    (void)signal;
    check_fail("thread %d: no memory at an address that it uses", self);
}

static void read_path(const char *text) {
    path_length = 0;
    for (; *text && path_length < CHOICES; text++) {
        path[path_length].taken = (uint8_t)(*text <= '9' ? *text - '0' : *text - 'a' + 10);
        path[path_length++].of = 255;
    }
}

/* Takes the first way wherever the run still fails, and prints the run. number: of a random one. */
static void print_shortest(uint64_t number) {
    if (how->random)
        printf("by chance: --random 1 --seed %llu\n", (unsigned long long)number);
    static const struct check_search again = {.bound = -1, .replay = ""};
    how = &again;
    for (unsigned i = 0; i < path_length; i++) {
        uint8_t taken = path[i].taken;
        path[i].taken = 0;
        if (taken != 0 && run_once() != FAILED)
            path[i].taken = taken;
    }
    run_once();
    while (path_length > 0 && path[path_length - 1].taken == 0)
        path_length--;
    printf("%s: %s\n", test->name, message);
    check_log_print();
    printf("again: --replay ");
    for (unsigned i = 0; i < path_length; i++)
        putchar("0123456789abcdefghijklmnopqrstuvwxyz"[path[i].taken % 36]);
    printf(" %s\n", test->name);
}

struct check_outcome check_search(const struct check_test *which, const struct check_search *search) {
    struct check_outcome outcome = {.test = which->name};
    test = which;
    how = search;
    sigaction(SIGSEGV, &(struct sigaction){.sa_handler = fail_by_signal, .sa_flags = SA_NODEFER}, NULL);
    path_length = forget_seen();
    if (how->replay)
        read_path(how->replay);
    for (bool more = true; more && !outcome.failed;) {
        if (outcome.runs == how->most) {
            outcome.unfinished = !how->random;
            break;
        }
        random_state = check_mix(how->seed + outcome.runs, 1);
        if (how->random)
            path_length = 0;
        outcome.runs++;
        outcome.failed = run_once() == FAILED;
        if (learned && !how->random && !how->replay && !outcome.failed)
            path_length = forget_seen();
        else
            more = !how->replay && (how->random || outcome.failed || advance());
        learned = false;
    }
    outcome.states = seen_count;
    outcome.error = message;
    if (outcome.failed && !how->quiet)
        print_shortest(how->seed + outcome.runs - 1);
    return outcome;
}
