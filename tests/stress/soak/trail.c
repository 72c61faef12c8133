/* trail.c: reports failures and the last steps of each thread. */
#include "soak.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

uint64_t soak_round;
int soak_is_blitz;
static unsigned failures;

void soak_fail(const char *file, int line, const char *what, struct node n) {
    /* A broken construct may fail a thousand times. */
    if (__atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED) < 20)
        fprintf(stderr,
                "soak: FAILED %s:%d: %s (round %" PRIu64 ", node %016" PRIx64 " of %u, thread %d of %d)\n",
                file, line, what, soak_round, n.seed, n.budget, omp_get_thread_num(), omp_get_num_threads());
}

_Noreturn void soak_refused(const char *what) {
    fprintf(stderr, "soak: the system refuses %s (round %" PRIu64 ")\n", what, soak_round);
    abort();
}

unsigned soak_failures(void) {
    return __atomic_load_n(&failures, __ATOMIC_RELAXED);
}

/* ---- trails: each thread writes its own, the watchdog of a hung process reads them ---- */

enum { SLOTS = 2048, STEPS = 8 };

struct step {
    const char *construct;
    uint64_t seed;
    char what;
};

static struct slot {
    int taken;
    unsigned count;
    struct step steps[STEPS];
} slots[SLOTS];

static __thread struct slot *own_slot;
static pthread_key_t leaving;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void give_back(void *slot) {
    own_slot = NULL;
    __atomic_store_n(&((struct slot *)slot)->count, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&((struct slot *)slot)->taken, 0, __ATOMIC_RELEASE);
}

static void make_key(void) {
    if (pthread_key_create(&leaving, give_back) != 0)
        soak_refused("a key");
}

/* Returns this thread's slot, which it keeps until it ends; NULL if all slots are taken. */
static struct slot *take_slot(void) {
    pthread_once(&once, make_key);
    for (int i = 0; i < SLOTS; i++) {
        int taken = 0;
        if (__atomic_compare_exchange_n(&slots[i].taken, &taken, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
            pthread_setspecific(leaving, &slots[i]);
            return &slots[i];
        }
    }
    return NULL;
}

void trail(char step, const char *construct, struct node n) {
    if (!own_slot && !(own_slot = take_slot()))
        return;
    unsigned count = own_slot->count;
    struct step *at = &own_slot->steps[count % STEPS];
    __atomic_store_n(&at->construct, construct, __ATOMIC_RELAXED);
    __atomic_store_n(&at->seed, n.seed, __ATOMIC_RELAXED);
    __atomic_store_n(&at->what, step, __ATOMIC_RELAXED);
    __atomic_store_n(&own_slot->count, count + 1, __ATOMIC_RELAXED);
}

/* ---- the watchdog ---- */

static void say(const char *format, uint64_t number, const char *word) {
    char line[200];
    int length = snprintf(line, sizeof line, format, number, word);
    (void)!write(STDERR_FILENO, line, (size_t)length);
}

static void say_slot(const struct slot *slot) {
    unsigned count = __atomic_load_n(&slot->count, __ATOMIC_RELAXED);
    if (count == 0)
        return;
    say("  thread of slot %" PRIu64 "%s:", (uint64_t)(slot - slots), "");
    for (unsigned i = count > STEPS ? count - STEPS : 0; i < count; i++) {
        const struct step *step = &slot->steps[i % STEPS];
        char what[2] = {__atomic_load_n(&step->what, __ATOMIC_RELAXED), 0};
        say("  %2$s", 0, what);
        say("%2$s %1$016" PRIx64, __atomic_load_n(&step->seed, __ATOMIC_RELAXED),
            __atomic_load_n(&step->construct, __ATOMIC_RELAXED));
    }
    say("%2$s", 0, "\n");
}

static void hang(int signal) {
    (void)signal;
    say("soak: FAILED: round %" PRIu64 " hangs; the last steps of each thread:%s\n", soak_round, "");
    for (int i = 0; i < SLOTS; i++)
        say_slot(&slots[i]);
    if (getenv("SOAK_HOLD")) /* for a debugger */
        for (;;)
            pause();
    _exit(124);
}

void trail_watch(unsigned seconds) {
    signal(SIGALRM, hang);
    alarm(seconds);
}
