// gcc only: clang's code for iterators crashes
// repeat: 4
// Dependences from iterators: chains along an array, and iterators without iterations, for which the compiler passes
// empty arrays.
#include "../check.h"

enum { CELLS = 16 };

/* Each task adds its neighbour's cell to its own. With n == 0 it skips the neighbour, and depends on its own cell
 * only. */
static void chain(int rounds, int n) {
    long cell[CELLS + 2] = {0}, expected[CELLS + 2] = {0};

#pragma omp parallel
#pragma omp single
    for (int r = 0; r < rounds; r++) {
        for (int c = 0; c < CELLS; c++) {
#pragma omp task firstprivate(c, r) depend(inout : cell[c]) depend(iterator(j = 0 : n), in : cell[c + 1 + j])
            cell[c] += n > 0 ? cell[c + 1] + r : r;
        }
    }
    for (int r = 0; r < rounds; r++)
        for (int c = 0; c < CELLS; c++)
            expected[c] += n > 0 ? expected[c + 1] + r : r;
    for (int c = 0; c < CELLS; c++)
        CHECK_EQ(cell[c], expected[c]);
}

/* Nothing to wait for: neither kind of array has an entry. */
static void none(int n) {
    int count = 0, cell[2] = {0};

#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(iterator(j = 0 : n), out : cell[j])
#pragma omp atomic
        count++;
#pragma omp task depend(iterator(j = 0                                                                       \
                                 : n),                                                                       \
                        mutexinoutset                                                                        \
                        : cell[j]) depend(iterator(j = 0                                                     \
                                                   : n),                                                     \
                                          in                                                                 \
                                          : cell[j])
#pragma omp atomic
        count++;
#pragma omp task if (0) depend(iterator(j = 0 : n), inout : cell[j])
#pragma omp atomic
        count++;
#pragma omp taskwait depend(iterator(j = 0 : n), in : cell[j])
    }
    CHECK_EQ(count + cell[0] + cell[1], 3);
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 40);

    chain(rounds, 2);
    chain(rounds, 0);
    none(0);
    none(-1);
    return check_done("depend_iterator");
}
