/* progress.h: MPI requests that complete tasks. A task starts a request and leaves it here with its event; whoever polls,
 * one thread at a time, fulfills the events of the requests that are complete. Any thread may start requests meanwhile:
 * MPI_THREAD_MULTIPLE.
 *
 * The wire: a row counts as received only so many seconds after it was sent, whenever MPI has it. The sender writes the time
 * behind the row. So there is a network to wait for on one machine, too. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <mpi.h>
#include <omp.h>
#include <pthread.h>

#include "harness.h"

enum { REQUESTS = 64 }; /* at the same time */

struct progress {
    pthread_mutex_t lock;
    /* The rest belongs to who has the lock. */
    int count;
    MPI_Request request[REQUESTS]; /* MPI_REQUEST_NULL: complete, but still on the wire */
    omp_event_handle_t event[REQUESTS];
    const double *sent[REQUESTS]; /* where a received row says when; NULL: nothing is received */
    int done;                     /* events that were fulfilled */
};

static double wire; /* seconds */

static inline void progress_reset(struct progress *p) {
    p->count = p->done = 0;
}

static inline void progress_add(struct progress *p, MPI_Request request, omp_event_handle_t event,
                                const double *sent) {
    pthread_mutex_lock(&p->lock);
    if (p->count == REQUESTS) {
        fprintf(stderr, "mpi: more than %d requests at once\n", REQUESTS);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    p->request[p->count] = request;
    p->event[p->count] = event;
    p->sent[p->count++] = sent;
    pthread_mutex_unlock(&p->lock);
}

/* Takes out those that are over, as (*events)[]. Returns how many. */
static inline int progress_take(struct progress *p, omp_event_handle_t *events) {
    MPI_Status statuses[REQUESTS];
    int indices[REQUESTS], some, left = 0, taken = 0;
    double now = harness_wall();
    MPI_Testsome(p->count, p->request, &some, indices, statuses);
    for (int i = 0; i < p->count; i++) {
        if (p->request[i] == MPI_REQUEST_NULL && (!p->sent[i] || now >= *p->sent[i] + wire)) {
            events[taken++] = p->event[i];
            continue;
        }
        p->request[left] = p->request[i];
        p->event[left] = p->event[i];
        p->sent[left++] = p->sent[i];
    }
    p->count = left;
    return taken;
}

/* Lets MPI go on. Returns how many events have been fulfilled since the beginning. */
static inline int progress_poll(struct progress *p) {
    omp_event_handle_t events[REQUESTS];
    pthread_mutex_lock(&p->lock);
    int taken = p->count > 0 ? progress_take(p, events) : 0;
    int done = p->done += taken;
    pthread_mutex_unlock(&p->lock);
    for (int i = 0; i < taken; i++)
        omp_fulfill_event(events[i]);
    return done;
}

#endif
