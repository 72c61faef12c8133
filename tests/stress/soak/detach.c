/* detach.c: detached tasks, complete only after their events are fulfilled: by themselves, a child, their creator, or a
 * thread that uses no OpenMP. */
#include "soak.h"

#include <pthread.h>

/* ---- the courier: a thread that fulfills the events it receives, at its own pace ---- */

struct letter {
    struct letter *next;
    omp_event_handle_t event;
    uint64_t *word, value;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t some;
    struct letter *letters;
    int started;
} courier = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, 0};

/* A child process has a courier of its own, and none of its parent's letters. */
static void before_fork(void) {
    pthread_mutex_lock(&courier.lock);
}

static void after_fork(void) {
    pthread_mutex_unlock(&courier.lock);
}

static void after_fork_in_child(void) {
    courier.letters = NULL;
    courier.started = 0;
    pthread_cond_init(&courier.some, NULL);
    pthread_mutex_unlock(&courier.lock);
}

static void *courier_main(void *unused) {
    (void)unused;
    for (;;) {
        pthread_mutex_lock(&courier.lock);
        while (!courier.letters)
            pthread_cond_wait(&courier.some, &courier.lock);
        struct letter *letter = courier.letters;
        courier.letters = NULL;
        pthread_mutex_unlock(&courier.lock);
        sched_yield();
        while (letter) { /* the last one first */
            struct letter *next = letter->next;
            *letter->word = letter->value;
            omp_fulfill_event(letter->event);
            free(letter);
            letter = next;
        }
    }
    return NULL;
}

static void post(omp_event_handle_t event, uint64_t *word, uint64_t value) {
    struct letter *letter = malloc(sizeof *letter);
    if (!letter)
        soak_refused("memory");
    pthread_mutex_lock(&courier.lock);
    if (!courier.started) {
        static int registered;
        pthread_t thread;
        if (!registered && pthread_atfork(before_fork, after_fork, after_fork_in_child) != 0)
            soak_refused("a handler for forks");
        registered = 1;
        if (pthread_create(&thread, NULL, courier_main, NULL) != 0)
            soak_refused("a thread for the courier");
        pthread_detach(thread);
        courier.started = 1;
    }
    *letter = (struct letter){courier.letters, event, word, value};
    courier.letters = letter;
    pthread_cond_signal(&courier.some);
    pthread_mutex_unlock(&courier.lock);
}

/* ---- the tasks ---- */

enum way { BY_ITSELF, BY_CHILD, BY_COURIER, BY_CREATOR, WAYS };

static void fulfill(omp_event_handle_t event, uint64_t *word, uint64_t value) {
    *word = value;
    omp_fulfill_event(event);
}

/* Plays the child. Before or after that, fulfills its own event or delegates that. */
static void act(struct scene s, struct node c, omp_event_handle_t event, uint64_t *word, enum way way) {
    int early = pick(c, PICK_END, 2) == 0;
    if (!early)
        solo(s, c);
    if (way == BY_ITSELF)
        fulfill(event, word, node_value(c));
    if (way == BY_CHILD) {
#pragma omp task firstprivate(event, word, c)
        fulfill(event, word, node_value(c));
    }
    if (way == BY_COURIER)
        post(event, word, node_value(c));
    if (early)
        solo(s, c);
}

/* The creator cannot fulfill the event of an undeferred task, because it goes on only when that task is complete. */
static enum way way_of(struct scene s, struct node c) {
    enum way way = (enum way)pick(c, PICK_WAY, WAYS);
    return way == BY_CREATOR && (s.final || !soak_is_blitz) ? BY_ITSELF : way;
}

void detach_events(struct scene s, struct node n) {
    unsigned count = node_count(n);
    uint64_t words[MOST_CHILDREN] = {0}, last = 0;
    struct scene in = s;
    in.outside = 0;
    for (unsigned i = 0; i < count; i++) {
        struct node c = node_child(n, i);
        uint64_t *word = &words[i];
        omp_event_handle_t event;
        enum way way = way_of(s, c);
        if (pick(c, PICK_VARIANT, 2)) {
#pragma omp task detach(event) firstprivate(in, c, word, way)
            act(in, c, event, word, way);
        } else {
#pragma omp task detach(event) firstprivate(in, c, word, way) depend(inout : last) untied
            act(in, c, event, word, way);
        }
        if (way == BY_CREATOR)
            fulfill(event, word, node_value(c));
    }
#pragma omp taskwait
    for (unsigned i = 0; i < count; i++)
        soak_check(words[i] == node_value(node_child(n, i)), n);
}
