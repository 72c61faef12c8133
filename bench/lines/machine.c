/* machine.c: a machine with a core for each thread of a program, in qemu's emulation of the program: a plugin of
 * qemu-user. Each core has a clock. The thread whose clock is least runs, one at a time, and each access to memory adds
 * to its clock what it costs by the model (caches.h). Also loaded into qemu by LD_PRELOAD, it answers the program's
 * queries for its CPUs and the time. README.md explains its use.
 *
 * Arguments: cores=N sockets=N out=FILE; the file receives the counts between the two marks (mark.h), a line for each:
 * a name and values. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "caches.h"
#include "mark.h"
#include "plugin.h"

/* Costs, in cycles of a third of a nanosecond; an instruction takes one. Chosen to be near those of current two-socket
 * servers. */
enum cycles {
    NEAR = 150,   /* a line comes from a core of the same socket, or is claimed there */
    FAR = 400,    /* the same from the other socket */
    MEMORY = 250, /* from memory */
    SHARING = 30, /* a read delays the next access to the line by this; a write, until it ends */
    PAUSE = 140,  /* the instruction that spinning threads run */
    SYSTEM_CALL = 600,
    WAKE = 15000,  /* from a wake to the woken thread */
    START = 30000, /* from its creator to a new thread */
    AHEAD = 40     /* how far a thread may be ahead of another before it must let that one run */
};
enum { CYCLES_PER_NS = 3 };

enum { NOBODY = -1, CORES = CACHES_CORES_MAX, TOP = 12 };

struct core {
    uint64_t clock;
    bool waits_for_turn; /* waits for the turn, or has it; else in a system call that may sleep, or gone */
    sem_t turn;
};

/* An instruction that accesses memory. */
struct site {
    uint64_t address;
    uint64_t transfers;
};

/* Counts. */
struct counts {
    uint64_t instructions, accesses, memory, fetches, claims, far, dropped, calls, sleeps, began, cycles;
};

static struct {
    pthread_mutex_t lock; /* guards waits_for_turn, holder, limit: which thread may run */
    struct core core[CORES];
    int holder;       /* the core that has the turn; it changes everything below */
    uint64_t left_at; /* the clock of the last holder that may now sleep */
    uint64_t limit;   /* when the holder lets another core run; the holder reads it, written under the lock */
    uint64_t instructions; /* of the holder since its last clock update; qemu's code adds to it */
    struct caches *caches;
    unsigned cores, sockets;
    const char *out;
    bool counting;
    struct counts counts;
    struct site **sites;
    size_t site_count, site_room;
    uint64_t epoch_ns; /* the time at clock 0 */
} m = {.lock = PTHREAD_MUTEX_INITIALIZER, .holder = NOBODY};

static _Thread_local int me = NOBODY; /* the core whose thread this is */

static void fail(const char *what) {
    fprintf(stderr, "machine: %s\n", what);
    exit(1);
}

/* ---- turns ---- */

/* Under the lock: the waiting core with the least clock, except `except`. */
static int least(int except) {
    int found = NOBODY;
    for (int i = 0; i < CORES; i++)
        if (m.core[i].waits_for_turn && i != except &&
            (found == NOBODY || m.core[i].clock < m.core[found].clock))
            found = i;
    return found;
}

/* Under the lock. */
static void give_turn(int core) {
    m.holder = core;
    if (core == NOBODY)
        return;
    int next = least(core);
    uint64_t limit = next == NOBODY ? UINT64_MAX : m.core[next].clock + AHEAD;
    __atomic_store_n(&m.limit, limit, __ATOMIC_RELAXED);
}

static void await_turn(int core) {
    while (sem_wait(&m.core[core].turn) != 0)
        ;
}

/* Brings the holder's clock up to now. */
static void advance(struct core *core) {
    core->clock += m.instructions;
    if (m.counting)
        m.counts.instructions += m.instructions;
    m.instructions = 0;
}

/* The holder lets another core run if that one is behind. */
static void yield_turn(int core) {
    pthread_mutex_lock(&m.lock);
    int next = least(NOBODY);
    give_turn(next);
    pthread_mutex_unlock(&m.lock);
    if (next != core) {
        sem_post(&m.core[next].turn);
        await_turn(core);
    }
}

static void yield_if_ahead(int core) {
    if (m.core[core].clock > __atomic_load_n(&m.limit, __ATOMIC_RELAXED))
        yield_turn(core);
}

/* The holder may sleep: the next core runs. */
static void leave(int core) {
    pthread_mutex_lock(&m.lock);
    m.core[core].waits_for_turn = false;
    m.left_at = m.core[core].clock;
    int next = least(NOBODY);
    give_turn(next);
    pthread_mutex_unlock(&m.lock);
    if (next != NOBODY)
        sem_post(&m.core[next].turn);
}

/* Under the lock: another core wants to run, not before `clock`. True: its turn has begun. */
static bool join(int core, uint64_t clock) {
    m.core[core].clock = m.core[core].clock > clock ? m.core[core].clock : clock;
    m.core[core].waits_for_turn = true;
    if (m.holder == NOBODY) {
        give_turn(core);
        return true;
    }
    uint64_t limit = m.core[core].clock + AHEAD;
    if (limit < __atomic_load_n(&m.limit, __ATOMIC_RELAXED))
        __atomic_store_n(&m.limit, limit, __ATOMIC_RELAXED);
    return false;
}

static uint64_t latest_clock(void) {
    return m.holder == NOBODY ? m.left_at : m.core[m.holder].clock;
}

/* Back from a system call that may have slept. */
static void come_back(int core) {
    pthread_mutex_lock(&m.lock);
    bool has_turn = join(core, latest_clock() + WAKE);
    pthread_mutex_unlock(&m.lock);
    if (!has_turn)
        await_turn(core);
}

/* The holder of the turn has created a thread, whose first instruction waits for its own turn. */
static void on_thread(plugin_id id, unsigned cpu) {
    (void)id;
    if (cpu >= CORES)
        fail("too many threads");
    pthread_mutex_lock(&m.lock);
    if (join((int)cpu, latest_clock() + START))
        sem_post(&m.core[cpu].turn);
    pthread_mutex_unlock(&m.lock);
}

/* A callback of a thread: false if it has no turn yet. When the first thread is created, qemu briefly stops all
 * threads, but not one that waits here: that one goes on for a bit. */
static bool is_met(unsigned cpu) {
    if (me != NOBODY)
        return true;
    struct timespec end;
    (void)syscall(SYS_clock_gettime, CLOCK_REALTIME, &end);
    end.tv_nsec += 20000000;
    if (end.tv_nsec >= 1000000000)
        end = (struct timespec){end.tv_sec + 1, end.tv_nsec - 1000000000};
    if (cpu != 1)
        await_turn((int)cpu);
    else if (sem_timedwait(&m.core[cpu].turn, &end) != 0)
        return false;
    me = (int)cpu;
    return true;
}

/* ---- accesses ---- */

static void count(const struct caches_answer *answer, struct site *site) {
    struct counts *counts = &m.counts;
    counts->memory += answer->kind == CACHES_MEMORY;
    counts->fetches += answer->kind == CACHES_FETCH;
    counts->claims += answer->kind == CACHES_CLAIM;
    if (!caches_is_transfer(answer->kind))
        return;
    counts->far += answer->far;
    counts->dropped += answer->dropped;
    answer->line->transfers++;
    site->transfers++;
}

/* A core waits for a line that is on its way to another core. */
static void pay(struct core *core, const struct caches_answer *answer, bool writes) {
    struct caches_line *line = answer->line;
    uint64_t start = core->clock > line->free_at ? core->clock : line->free_at;
    core->clock = start + (answer->kind == CACHES_MEMORY ? MEMORY : answer->far ? FAR : NEAR);
    line->free_at = writes || answer->kind == CACHES_MEMORY ? core->clock : start + SHARING;
}

static void on_access(unsigned cpu, uint32_t info, uint64_t address, void *arg) {
    if (!is_met(cpu))
        return;
    struct core *core = &m.core[me];
    bool writes = qemu_plugin_mem_is_store(info);
    uint64_t last = (address + ((uint64_t)1 << qemu_plugin_mem_size_shift(info)) - 1) / CACHES_LINE;
    advance(core);
    m.counts.accesses += m.counting;
    for (uint64_t number = address / CACHES_LINE; number <= last; number++) {
        struct caches_answer answer = caches_access(m.caches, (unsigned)me, number, writes);
        if (answer.kind == CACHES_HIT)
            continue;
        if (m.counting)
            count(&answer, arg);
        pay(core, &answer, writes);
    }
    yield_if_ahead(me);
}

static void on_pause(unsigned cpu, void *arg) {
    (void)arg;
    if (!is_met(cpu))
        return;
    m.core[me].clock += PAUSE;
}

static bool is_pause(const struct qemu_plugin_insn *insn) {
    const unsigned char *code = qemu_plugin_insn_data(insn);
#if defined(__x86_64__)
    return qemu_plugin_insn_size(insn) == 2 && code[0] == 0xf3 && code[1] == 0x90; /* pause */
#elif defined(__aarch64__)
    return memcmp(code, "\x3f\x20\x03\xd5", 4) == 0 ||
           memcmp(code, "\xdf\x3f\x03\xd5", 4) == 0; /* yield, isb */
#else
    return false;
#endif
}

/* Called by the holder of the turn. */
static struct site *new_site(uint64_t address) {
    if (m.site_count == m.site_room) {
        m.site_room = m.site_room ? 2 * m.site_room : 4096;
        m.sites = realloc(m.sites, m.site_room * sizeof *m.sites);
    }
    struct site *site = calloc(1, sizeof *site);
    if (!site || !m.sites)
        fail("no memory");
    site->address = address;
    m.sites[m.site_count++] = site;
    return site;
}

static void on_translation(plugin_id id, struct qemu_plugin_tb *tb) {
    (void)id;
    size_t count = qemu_plugin_tb_n_insns(tb);
    pthread_mutex_lock(&m.lock);
    qemu_plugin_register_vcpu_tb_exec_inline(tb, PLUGIN_ADD, &m.instructions, count);
    for (size_t i = 0; i < count; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        if (is_pause(insn))
            qemu_plugin_register_vcpu_insn_exec_cb(insn, on_pause, PLUGIN_NO_REGISTERS, NULL);
        qemu_plugin_register_vcpu_mem_cb(insn, on_access, PLUGIN_NO_REGISTERS, PLUGIN_READS_AND_WRITES,
                                         new_site(qemu_plugin_insn_vaddr(insn)));
    }
    pthread_mutex_unlock(&m.lock);
}

/* ---- output ---- */

static int by_address(const void *a, const void *b) {
    const struct site *x = *(struct site *const *)a, *y = *(struct site *const *)b;
    return (x->address > y->address) - (x->address < y->address);
}

static int by_transfers(const void *a, const void *b) {
    const struct site *x = *(struct site *const *)a, *y = *(struct site *const *)b;
    return (x->transfers < y->transfers) - (x->transfers > y->transfers);
}

/* An instruction may have been translated several times. */
static void merge_sites(void) {
    qsort(m.sites, m.site_count, sizeof *m.sites, by_address);
    for (size_t i = 1; i < m.site_count; i++)
        if (m.sites[i]->address == m.sites[i - 1]->address) {
            m.sites[i]->transfers += m.sites[i - 1]->transfers;
            m.sites[i - 1]->transfers = 0;
        }
    qsort(m.sites, m.site_count, sizeof *m.sites, by_transfers);
}

/* The file mapped at an address, and the address in it. */
static void write_place(FILE *out, uint64_t address) {
    char line[512], path[512], found[512] = "?";
    uint64_t base = 0, found_base = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps)) {
        uint64_t start, end, offset;
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %511s", &start, &end, &offset,
                   path) != 4)
            continue;
        base = offset == 0 ? start : base;
        if (address >= start && address < end) {
            strcpy(found, path);
            found_base = base;
        }
    }
    if (maps)
        fclose(maps);
    fprintf(out, "%s 0x%" PRIx64 "\n", found, address - found_base);
}

struct top {
    struct caches_line line[TOP];
};

/* Keeps the list in order, the most first. */
static void visit_line(struct caches_line *line, void *arg) {
    struct top *top = arg;
    size_t at = TOP;
    while (at > 0 && line->transfers > top->line[at - 1].transfers)
        at--;
    if (at == TOP)
        return;
    memmove(&top->line[at + 1], &top->line[at], (TOP - 1 - at) * sizeof *top->line);
    top->line[at] = *line;
}

static void report(void) {
    const struct counts *counts = &m.counts;
    FILE *out = fopen(m.out, "w");
    if (!out)
        fail("cannot write the file");
    fprintf(out, "transfers %" PRIu64 "\nfetches %" PRIu64 "\nclaims %" PRIu64 "\n",
            counts->fetches + counts->claims, counts->fetches, counts->claims);
    fprintf(out, "far %" PRIu64 "\ndropped %" PRIu64 "\nmemory %" PRIu64 "\n", counts->far, counts->dropped,
            counts->memory);
    fprintf(out, "instructions %" PRIu64 "\naccesses %" PRIu64 "\n", counts->instructions, counts->accesses);
    fprintf(out, "calls %" PRIu64 "\nsleeps %" PRIu64 "\ncycles %" PRIu64 "\n", counts->calls, counts->sleeps,
            counts->cycles);
    struct top top = {0};
    caches_each(m.caches, visit_line, &top);
    for (size_t i = 0; i < TOP && top.line[i].transfers > 0; i++)
        fprintf(out, "line %" PRIu64 " 0x%" PRIx64 "\n", top.line[i].transfers,
                top.line[i].number * CACHES_LINE);
    merge_sites();
    for (size_t i = 0; i < m.site_count && i < 2 * TOP && m.sites[i]->transfers > 0; i++) {
        fprintf(out, "site %" PRIu64 " ", m.sites[i]->transfers);
        write_place(out, m.sites[i]->address);
    }
    fclose(out);
}

static void on_mark(uint64_t mark) {
    if (mark == MARK_BEGIN) {
        m.counting = true;
        m.counts.began = m.core[me].clock;
    } else if (m.counting) {
        m.counting = false;
        m.counts.cycles = m.core[me].clock - m.counts.began;
        report();
    }
}

/* ---- system calls ---- */

/* The other calls keep the turn: they return soon. */
static bool may_sleep(int64_t number, uint64_t operation) {
    operation &= FUTEX_CMD_MASK;
    switch (number) {
    case SYS_futex:
        return operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET || operation == FUTEX_LOCK_PI;
    case SYS_nanosleep:
    case SYS_clock_nanosleep:
    case SYS_read:
    case SYS_ppoll:
    case SYS_wait4:
    case SYS_exit:
        return true;
    default:
        return false;
    }
}

static void on_call(plugin_id id, unsigned cpu, int64_t number, uint64_t a1, uint64_t a2, uint64_t a3,
                    uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8) {
    (void)id, (void)a3, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
    while (!is_met(cpu))
        ;
    advance(&m.core[me]);
    if (number == MARK_NUMBER) {
        on_mark(a1);
        return;
    }
    if (number == SYS_exit_group)
        _exit((int)a1); /* at once: qemu would wait for threads that wait for their turns */
    m.core[me].clock += SYSTEM_CALL;
    m.counts.calls += m.counting;
    if (may_sleep(number, a2)) {
        m.counts.sleeps += m.counting;
        leave(me);
    }
}

static void on_return(plugin_id id, unsigned cpu, int64_t number, int64_t result) {
    (void)id, (void)cpu, (void)number, (void)result;
    if (!m.core[me].waits_for_turn)
        come_back(me);
    else
        yield_if_ahead(me);
}

/* ---- the machine as the program sees it: qemu calls these functions for the program ---- */

int clock_gettime(clockid_t clock, struct timespec *time) {
    if (me == NOBODY)
        return (int)syscall(SYS_clock_gettime, clock, time);
    uint64_t ns = m.epoch_ns + m.core[me].clock / CYCLES_PER_NS;
    *time = (struct timespec){.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};
    return 0;
}

int sched_yield(void) {
    return 0; /* each thread has a core, which the system call returns */
}

static long answer_affinity(size_t length, unsigned char *set) {
    size_t bytes = CORES / 8;
    if (length < bytes) {
        errno = EINVAL; /* the program asks again, for more CPUs than this machine has */
        return -1;
    }
    memset(set, 0, bytes);
    for (unsigned i = 0; i < m.cores; i++)
        set[i / 8] |= (unsigned char)(1 << i % 8);
    return (long)bytes;
}

static long answer_cpu(unsigned *cpu, unsigned *node) {
    unsigned core = (unsigned)me % m.cores;
    if (cpu)
        *cpu = core;
    if (node)
        *node = caches_socket(m.caches, core);
    return 0;
}

typedef long system_call(long number, ...);

long syscall(long number, ...) {
    static system_call *next;
    long a[6];
    va_list args;
    va_start(args, number);
    for (unsigned i = 0; i < 6; i++)
        a[i] = va_arg(args, long);
    va_end(args);
    if (me != NOBODY && number == SYS_sched_getaffinity)
        return answer_affinity((size_t)a[1], (unsigned char *)a[2]);
    if (me != NOBODY && number == SYS_sched_setaffinity)
        return 0;
    if (me != NOBODY && number == SYS_getcpu)
        return answer_cpu((unsigned *)a[0], (unsigned *)a[1]);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "syscall");
    return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* ---- start ---- */

int qemu_plugin_version = PLUGIN_VERSION;

static void read_argument(const char *text) {
    if (strncmp(text, "cores=", 6) == 0)
        m.cores = (unsigned)strtoul(text + 6, NULL, 10);
    else if (strncmp(text, "sockets=", 8) == 0)
        m.sockets = (unsigned)strtoul(text + 8, NULL, 10);
    else if (strncmp(text, "out=", 4) == 0)
        m.out = strdup(text + 4);
}

int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv) {
    (void)info;
    for (int i = 0; i < argc; i++)
        read_argument(argv[i]);
    m.caches = caches_new(m.cores, m.sockets);
    if (!m.caches || !m.out) {
        fprintf(stderr, "machine: arguments cores=1..%d sockets=1.. out=FILE\n", CORES);
        return -1;
    }
    for (int i = 0; i < CORES; i++)
        sem_init(&m.core[i].turn, 0, 0);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    m.epoch_ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    qemu_plugin_register_vcpu_init_cb(id, on_thread);
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    qemu_plugin_register_vcpu_syscall_cb(id, on_call);
    qemu_plugin_register_vcpu_syscall_ret_cb(id, on_return);
    return 0;
}
