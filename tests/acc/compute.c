// threads: 2
// Compute constructs: each iteration runs once, reductions, private and firstprivate variables, clauses of all kinds.
#include "../omp/check.h"

#include <openacc.h>
#include <string.h>

#define N 1000

static int square[N][N / 10];

#pragma acc routine seq
static int twice(int x) {
    return 2 * x;
}

#pragma acc routine vector
static void fill(int *to, int count, int value) {
#pragma acc loop vector
    for (int i = 0; i < count; i++)
        to[i] = value;
}

static void loops(void) {
    int seen[N];
    memset(seen, 0, sizeof seen);
#pragma acc parallel loop num_gangs(7) num_workers(3) vector_length(8) copy(seen)
    for (int i = 0; i < N; i++)
        seen[i]++;
#pragma acc kernels loop copy(seen)
    for (int i = 0; i < N; i++)
        seen[i]++;
#pragma acc serial loop copy(seen)
    for (int i = 0; i < N; i++)
        seen[i]++;
#pragma acc parallel copy(seen)
    {
#pragma acc loop gang
        for (int i = 0; i < N; i += 10)
#pragma acc loop worker vector
            for (int j = 0; j < 10; j++)
                seen[i + j]++;
    }
#pragma acc kernels copy(seen)
    {
#pragma acc loop independent
        for (int i = N - 1; i >= 0; i--)
            seen[i]++;
        for (int i = 0; i < N; i++)
            seen[i]++;
    }
    for (int i = 0; i < N; i++)
        CHECK_EQ(seen[i], 6);
}

static void nests(void) {
#pragma acc parallel loop collapse(2) copyout(square)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N / 10; j++)
            square[i][j] = i * 1000 + j;
#pragma acc parallel loop tile(3, 5) copy(square)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N / 10; j++)
            square[i][j]++;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N / 10; j++)
            CHECK_EQ(square[i][j], i * 1000 + j + 1);
}

static void reductions(void) {
    long sum = 5, product = 1;
    int least = N, greatest = -1, any = 0, all = 1, bits = 0;
    double total = 0;
#pragma acc parallel loop gang worker vector num_gangs(5) reduction(+ : sum, total) reduction(* : product) \
    reduction(min : least) reduction(max : greatest) reduction(|| : any) reduction(&& : all) reduction(| : bits)
    for (int i = 0; i < N; i++) {
        int x = (i * 7) % N;
        sum += x;
        total += x / 2.0;
        product *= i % 100 == 50 ? 2 : 1;
        least = x < least ? x : least;
        greatest = x > greatest ? x : greatest;
        any = any || x == 77;
        all = all && x < N;
        bits |= x;
    }
    CHECK_EQ(sum, 5 + N * (N - 1) / 2);
    CHECK_EQ(total * 4, N * (N - 1));
    CHECK_EQ(product, 1 << 10);
    CHECK_EQ(least, 0);
    CHECK_EQ(greatest, N - 1);
    CHECK(any && all);
    CHECK_EQ(bits, 1023);
}

static void variables(void) {
    int private_one = 1, first = 2, array[4] = {1, 2, 3, 4}, out = 0, untouched = 9;
    struct {
        char text[40];
        double number;
    } first_struct = {"text", 2.5};
#pragma acc parallel private(private_one) firstprivate(first, array, first_struct) copy(out)
    {
        private_one = 5;
        first += private_one;
        array[3] += first;
        first_struct.text[0] = 'T';
        first_struct.number *= 2;
        out = array[3] + (first_struct.number == 5) + (first_struct.text[1] == 'e');
    }
    CHECK_EQ(out, 13);
    CHECK_EQ(private_one, 1);
    CHECK_EQ(first, 2);
    CHECK_EQ(array[3], 4);
    CHECK_EQ(first_struct.text[0], 't');
    CHECK(first_struct.number == 2.5);
#pragma acc serial present_or_copy(out) copyin(untouched)
    out = untouched;
    CHECK_EQ(out, 9);
}

static void clauses(int no) {
    int ran = 0, host = 0, device = 1;
#pragma acc parallel if (no) copy(ran)
    ran++;
#pragma acc kernels if (!no) copy(ran)
    ran++;
#pragma acc parallel async copy(ran)
    ran++;
#pragma acc serial async(3) wait(1, 2) copy(ran)
    ran++;
#pragma acc wait
#pragma acc parallel default(none) copy(ran) wait
    ran++;
    CHECK_EQ(ran, 5);
#pragma acc parallel copyout(host, device)
    {
        host = acc_on_device(acc_device_host);
        device = acc_on_device(acc_device_not_host);
    }
    CHECK_EQ(host, 1);
    CHECK_EQ(device, 0);
}

static void functions(void) {
    int to[N], sum = 0;
#pragma acc parallel copyout(to) num_gangs(3)
    fill(to, N, 21);
#pragma acc parallel loop reduction(+ : sum) copyin(to)
    for (int i = 0; i < N; i++)
        sum += twice(to[i]);
    CHECK_EQ(sum, 42 * N);
}

static void atomics(void) {
    int counter = 0, captured[N], last = -1;
#pragma acc parallel loop copy(counter) copyout(captured)
    for (int i = 0; i < N; i++) {
#pragma acc atomic capture
        captured[i] = counter++;
    }
#pragma acc parallel loop copy(counter, last)
    for (int i = 0; i < N; i++) {
#pragma acc atomic write
        last = i;
#pragma acc atomic update
        counter += 2;
    }
    CHECK_EQ(counter, 3 * N);
    CHECK(last >= 0 && last < N);
    long sum = 0;
    for (int i = 0; i < N; i++)
        sum += captured[i];
    CHECK_EQ(sum, N * (N - 1) / 2);
}

/* A construct within another one's function also runs. */
static void inner(int *counter) {
#pragma acc parallel copy(counter [0:1])
    counter[0]++;
}

static void nested(void) {
    int counter = 0;
#pragma acc parallel copy(counter)
    {
        counter++;
        inner(&counter);
    }
    CHECK_EQ(counter, 2);
}

int main(int argc, char **argv) {
    (void)argv;
    loops();
    nests();
    reductions();
    variables();
    clauses(argc > 100);
    functions();
    atomics();
    nested();
    return check_done("compute");
}
