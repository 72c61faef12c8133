// repeat: 3
// mutexinoutset, depend objects of all kinds, iterators, and mixes of sets with in and out.
#include "../check.h"

#define N 40

/* Members of a set exclude each other, and the tasks before and after them. */
static int exclusive(void) {
    int counter = 0, inside = 0, most = 0, before = 0, after = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : counter) shared(before)
        {
            busy_work(1, 2000);
            before = 1;
        }
        for (int i = 0; i < N; i++) {
#pragma omp task depend(mutexinoutset : counter) shared(counter, inside, most, before)
            {
                CHECK_EQ(before, 1);
                if (__atomic_add_fetch(&inside, 1, __ATOMIC_RELAXED) > 1)
                    count_up(&most);
                counter++;
                busy_work((unsigned)i, 50);
                __atomic_sub_fetch(&inside, 1, __ATOMIC_RELAXED);
            }
        }
#pragma omp task depend(in : counter) shared(counter, after)
        after = counter;
    }
    CHECK_EQ(most, 0);
    return after;
}

/* Three counters; each task needs two of them, named in any order: no circular wait. */
static int philosophers(void) {
    int fork[3] = {0, 0, 0}, held[3] = {0, 0, 0}, wrong = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 3 * N; i++) {
        int a = i % 3, b = (i + 1 + i / 3 % 2) % 3;
#pragma omp task depend(mutexinoutset : fork[a], fork[b]) shared(fork, held, wrong) firstprivate(a, b)
        {
            if (__atomic_add_fetch(&held[a], 1, __ATOMIC_RELAXED) != 1 ||
                __atomic_add_fetch(&held[b], 1, __ATOMIC_RELAXED) != 1)
                count_up(&wrong);
            fork[a]++;
            fork[b]++;
            busy_work((unsigned)a, 30);
            __atomic_sub_fetch(&held[a], 1, __ATOMIC_RELAXED);
            __atomic_sub_fetch(&held[b], 1, __ATOMIC_RELAXED);
        }
    }
    CHECK_EQ(wrong, 0);
    return fork[0] + fork[1] + fork[2];
}

/* An undeferred member, and one that waits for the set. */
static int undeferred(void) {
    int counter = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < N; i++) {
#pragma omp task depend(mutexinoutset : counter) shared(counter) if (i % 5 != 4)
            counter++;
        }
#pragma omp taskwait depend(in : counter)
        CHECK_EQ(counter, N);
#pragma omp task depend(mutexinoutset : counter) shared(counter)
        counter++;
#pragma omp taskwait depend(inout : counter)
        CHECK_EQ(counter, N + 1);
    }
    return counter;
}

/* The same through depend objects that are created, updated and destroyed. */
static int objects(void) {
    int x = 0, y = 0, seen = 0;
    omp_depend_t in, out, inout, mutex, changing;
#pragma omp depobj(in) depend(in : x)
#pragma omp depobj(out) depend(out : x)
#pragma omp depobj(inout) depend(inout : x)
#pragma omp depobj(mutex) depend(mutexinoutset : x)
#pragma omp depobj(changing) depend(in : y)
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(depobj : out) shared(x)
        x = 1;
        for (int i = 0; i < 4; i++) {
#pragma omp task depend(depobj : in) shared(x, seen)
            {
                int now = x;
#pragma omp atomic
                seen += now;
            }
        }
#pragma omp task depend(depobj : inout) depend(depobj : changing) shared(x, seen)
        x = 10 + seen;
#pragma omp depobj(changing) update(inout)
        for (int i = 0; i < 4; i++) {
#pragma omp task depend(depobj : mutex) depend(out : y) shared(x)
            x += 2;
        }
#pragma omp task depend(depobj : in, changing) shared(x, y)
        y = x;
#pragma omp taskwait depend(depobj : changing)
        CHECK_EQ(y, 22);
    }
#pragma omp depobj(in) destroy
#pragma omp depobj(out) destroy
#pragma omp depobj(inout) destroy
#pragma omp depobj(mutex) destroy
#pragma omp depobj(changing) destroy
    return y;
}

/* Lists of a length that is known at run time, short and long ones. */
static long iterators(int n) {
    long *part = calloc((size_t)n, sizeof *part), sum = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < n; i++) {
#pragma omp task depend(out : part[i]) firstprivate(i)
            part[i] = i;
        }
#pragma omp task depend(iterator(k = 0 : n), in : part[k]) shared(sum)
        for (int i = 0; i < n; i++)
            sum += part[i];
#pragma omp task depend(iterator(k = 0 : n : 2), inout : part[k])
        for (int i = 0; i < n; i += 2)
            part[i] = 0;
#pragma omp task depend(iterator(k = 0 : n), in : part[k]) depend(inout : sum) shared(sum)
        for (int i = 0; i < n; i++)
            sum += 1000 * part[i];
    }
    free(part);
    return sum;
}

/* Alternating sets of different kinds. */
static int alternating(int rounds) {
    int x = 0, phase = 0, wrong = 0;
#pragma omp parallel
#pragma omp single
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < 6; i++) {
#pragma omp task depend(in : x) shared(x, wrong) firstprivate(r)
            if (x != r * 4)
                count_up(&wrong);
        }
        for (int i = 0; i < 4; i++) {
#pragma omp task depend(mutexinoutset : x) shared(x, phase)
            x++;
        }
    }
    CHECK_EQ(wrong, 0);
    return x + phase;
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 20);
    for (int r = 0; r < rounds; r++) {
        CHECK_EQ(exclusive(), N);
        CHECK_EQ(philosophers(), 6 * N);
        CHECK_EQ(undeferred(), N + 1);
        CHECK_EQ(objects(), 22);
        CHECK_EQ(alternating(30), 120);
    }
    printf("iterators %ld %ld %ld\n", iterators(3), iterators(20), iterators(1000));
    return check_done("depend_sets");
}
