/* progress.h: MPI requests that complete tasks. A task starts a request and leaves it here with its event. The polling
 * thread, one at a time, fulfills the events of completed requests. Any thread may start requests meanwhile:
 * MPI_THREAD_MULTIPLE.
 *
 * The wire: a row counts as received only `wire` seconds after it was sent, whenever MPI has it. The sender writes the
 * time behind the row. So there is a network to wait for even on one machine. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <mpi.h>
#include <omp.h>
#include <pthread.h>

#include "harness.h"

enum { REQUESTS = 64 }; /* at the same time */

struct progress {
    pthread_mutex_t lock;
    /* The lock guards the rest. */
    int count;
    MPI_Request request[REQUESTS]; /* MPI_REQUEST_NULL: complete, but still on the wire */
    omp_event_handle_t event[REQUESTS];
    const double *sent[REQUESTS]; /* the time at the end of a received row; NULL: a send */
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

/* Removes completed requests; their events are (*events)[]. Returns their number. */
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

/* Lets MPI progress. Returns the number of events fulfilled so far. */
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
