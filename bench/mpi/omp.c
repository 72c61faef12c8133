/* A stencil on several ranks, which exchange the rows at their borders in every step (grid.h). The same work in three
 * ways:
 *
 *   mpi.blocking   exchange, MPI_Waitall, then a parallel loop over the tiles, step after step
 *   mpi.thread     all steps as tasks with dependences. Requests are detached tasks (progress.h), completed by a thread
 *                  that only polls MPI: tiles inside go on while those at the border wait
 *   mpi.yield      the same, but the thread that made the tasks polls, and yields to them
 *
 * Each is also measured with a wire of 200 us: NAME.wire. Times are those of a step, CPU times the sum over all ranks.
 * Started by mpirun with any number of ranks; the first one reports. Arguments: MS, and "blocking" for that way
 * alone. */
#include <sched.h>
#include <stdbool.h>

#include "mpi/grid.h"
#include "mpi/progress.h"

#define WIRE 200e-6

static int rank, ranks;
static struct strip strip;
static struct progress progress = {.lock = PTHREAD_MUTEX_INITIALIZER};

enum side { ABOVE, BELOW };

static int neighbour(enum side side) {
    int other = side == ABOVE ? rank - 1 : rank + 1;
    return other < ranks ? other : -1; /* -1: none */
}

static double *halo_row(int step, enum side side) {
    return row_of_strip(&strip, step, side == ABOVE ? 0 : ROWS + 1);
}

static MPI_Request receive(int step, enum side side) {
    MPI_Request request;
    MPI_Irecv(halo_row(step, side) + 1, STRIDE - 1, MPI_DOUBLE, neighbour(side), step, MPI_COMM_WORLD,
              &request);
    return request;
}

static MPI_Request send(int step, enum side side) {
    MPI_Request request;
    double *row = row_of_strip(&strip, step, side == ABOVE ? 1 : ROWS);
    row[STRIDE - 1] = harness_wall();
    MPI_Isend(row + 1, STRIDE - 1, MPI_DOUBLE, neighbour(side), step, MPI_COMM_WORLD, &request);
    return request;
}

/* ---- blocking ---- */

static void exchange(int step) {
    MPI_Request requests[4];
    MPI_Status statuses[4];
    int count = 0;
    for (enum side side = ABOVE; side <= BELOW; side++)
        if (neighbour(side) >= 0) {
            requests[count++] = receive(step, side);
            requests[count++] = send(step, side);
        }
    MPI_Waitall(count, requests, statuses);
    for (enum side side = ABOVE; side <= BELOW; side++)
        while (neighbour(side) >= 0 && harness_wall() < halo_row(step, side)[STRIDE - 1] + wire)
            sched_yield();
}

static void blocking(void) {
    for (int step = 0; step < STEPS; step++) {
        exchange(step);
#pragma omp parallel for collapse(2) schedule(static)
        for (int band = 0; band < BANDS; band++)
            for (int pillar = 0; pillar < PILLARS; pillar++)
                tile_step(&strip, step, band, pillar);
    }
}

/* ---- tasks ----
 *
 * What the clauses name: a tag for each tile of a grid, those of the border at the sides, where nothing changes, and one for
 * each row of the halo, which comes as a whole. */

static char tags[2][BANDS + 2][PILLARS + 2];

static char *tag(int step, int band, int pillar) {
    bool halo = band < 0 || band == BANDS;
    return &tags[step % 2][band + 1][halo ? 0 : pillar + 1];
}

static void exchange_tasks(int step, enum side side) {
    char *halo = tag(step, side == ABOVE ? -1 : BANDS, 0);
    int border = side == ABOVE ? 0 : BANDS - 1;
    omp_event_handle_t event;
    (void)halo, (void)border; /* named in clauses only */
#pragma omp task detach(event) depend(out : *halo)
    progress_add(&progress, receive(step, side), event, &halo_row(step, side)[STRIDE - 1]);
#pragma omp task detach(event) depend(iterator(int p = 0 : PILLARS), in : *tag(step, border, p))
    progress_add(&progress, send(step, side), event, NULL);
}

static void make_tasks(int step) {
    for (enum side side = ABOVE; side <= BELOW; side++)
        if (neighbour(side) >= 0)
            exchange_tasks(step, side);
    for (int band = 0; band < BANDS; band++)
        for (int pillar = 0; pillar < PILLARS; pillar++) {
            const char *above = tag(step, band - 1, pillar), *below = tag(step, band + 1, pillar);
            const char *old = tag(step, band, pillar), *next = tag(step + 1, band, pillar);
            (void)above, (void)below, (void)old, (void)next;
#pragma omp task depend(in : *above, *below, old[0], old[-1], old[1]) depend(out : *next)
            tile_step(&strip, step, band, pillar);
        }
}

static int all_requests(void) {
    return STEPS * 2 * ((neighbour(ABOVE) >= 0) + (neighbour(BELOW) >= 0));
}

static void *poll_for_all(void *arg) {
    const struct timespec nap = {0, 20000};
    while (progress_poll(&progress) < all_requests())
        nanosleep(&nap, NULL);
    return arg;
}

static void by_thread(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, poll_for_all, NULL) != 0)
        MPI_Abort(MPI_COMM_WORLD, 2);
#pragma omp parallel
#pragma omp single
    for (int step = 0; step < STEPS; step++)
        make_tasks(step);
    pthread_join(thread, NULL);
}

static void by_yielding(void) {
#pragma omp parallel
#pragma omp single
    {
        for (int step = 0; step < STEPS; step++) {
            make_tasks(step);
            progress_poll(&progress);
        }
        while (progress_poll(&progress) < all_requests()) {
#pragma omp taskyield
        }
    }
}

/* Whether a thread that yields runs ready tasks: in a team of one no other thread would. */
static int yield_works(void) {
    int x = 0, ran = 0;
#pragma omp parallel num_threads(1)
    {
        omp_event_handle_t event;
#pragma omp task detach(event) depend(out : x)
        x = 1;
#pragma omp task depend(in : x) shared(ran)
        ran = 1;
        omp_fulfill_event(event);
        for (int i = 0; i < 10 && !ran; i++) {
#pragma omp taskyield
        }
        x = ran;
    }
    return x;
}

/* ---- measuring ---- */

static int agree(int value) { /* on the first rank's value */
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return value;
}

static void report(const char *name, double *times, int runs, double cpu) {
    char cpu_name[64];
    double all = 0;
    MPI_Reduce(&cpu, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank > 0)
        return;
    qsort(times, (size_t)runs, sizeof *times, harness_by_value);
    harness_report(name, (times[(runs - 1) / 2] + times[runs / 2]) / 2 / STEPS * 1e9, "ns");
    snprintf(cpu_name, sizeof cpu_name, "%s.cpu", name);
    harness_report(cpu_name, all / runs / STEPS * 1e9, "ns");
}

static void measure(const char *name, void (*work)(void), double seconds, uint64_t expected) {
    static double times[HARNESS_RUNS];
    wire = seconds;
    int runs = -1; /* the first is the warm-up */
    double begin = 0, end, cpu = 0;
    do {
        strip_fill(&strip);
        progress_reset(&progress);
        MPI_Barrier(MPI_COMM_WORLD);
        double cpu_start = harness_cpu(), start = harness_wall();
        work();
        double used = harness_cpu() - cpu_start;
        MPI_Barrier(MPI_COMM_WORLD);
        end = harness_wall();
        if (runs < 0)
            begin = end;
        else
            cpu += used, times[runs] = end - start;
        harness_check(name, strip_hash(&strip, 1), expected);
        runs++;
    } while (agree(runs < 1 || (runs < HARNESS_RUNS && end - begin < harness_budget)));
    report(name, times, runs, cpu);
}

static void measure_all(uint64_t expected, bool tasks) {
    measure("mpi.blocking", blocking, 0, expected);
    measure("mpi.blocking.wire", blocking, WIRE, expected);
    if (!tasks)
        return;
    measure("mpi.thread", by_thread, 0, expected);
    measure("mpi.thread.wire", by_thread, WIRE, expected);
    if (!agree(omp_get_max_threads() > 1 || yield_works()))
        return;
    measure("mpi.yield", by_yielding, 0, expected);
    measure("mpi.yield.wire", by_yielding, WIRE, expected);
}

int main(int argc, char **argv) {
    int provided, wrong;
    harness_begin(argc, argv);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (provided < MPI_THREAD_MULTIPLE) {
        fprintf(stderr, "mpi: no MPI_THREAD_MULTIPLE\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    strip_make(&strip, rank * ROWS, ROWS);
    measure_all(expected_hash(rank, ranks), argc < 3 || strcmp(argv[2], "blocking") != 0);
    strip_free(&strip);
    MPI_Allreduce(&harness_wrong, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        wrong |= harness_end();
    MPI_Finalize();
    return wrong;
}
