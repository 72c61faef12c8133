// threads: 1 2 8
// repeat: 5
// C++ variables of taskloops: constructors and destructors of firstprivate and lastprivate ones balance, even with
// nogroup, where the original may be destroyed before the tasks run; reductions of a class.
#include <vector>

#include "check.h"

static int alive, made;

struct object {
    int value;
    std::vector<int> heap;
    explicit object(int v = 0) : value(v), heap(5, v) {
        count(1);
    }
    object(const object &other) : value(other.value), heap(other.heap) {
        count(1);
    }
    object &operator=(const object &other) = default;
    ~object() {
        count(-1);
        value = -1;
    }
    static void count(int by) {
        __atomic_fetch_add(&alive, by, __ATOMIC_RELAXED);
        if (by > 0)
            count_up(&made);
    }
};

/* Copied bitwise, but with a destructor. */
struct trivial {
    int value;
    ~trivial() {
        object::count(-1);
    }
};

#pragma omp declare reduction(join:object                                                                    \
                              : omp_out.value += omp_in.value, omp_out.heap[0] += omp_in.value)              \
    initializer(omp_priv = object(0))

static long first_and_last(int n) {
    object first(7), last(-1);
    long sum = 0;
#pragma omp taskloop firstprivate(first) lastprivate(last) num_tasks(9) reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        CHECK(first.heap.size() == 5 && first.heap[4] == 7);
        sum += first.value++ >= 7;
        last.value = i;
    }
    CHECK_EQ(first.value, 7);
    CHECK_EQ(last.value, n - 1);
    return sum;
}

static void gone(int n, int *done) {
    object local(n);
#pragma omp taskloop nogroup firstprivate(local, done) grainsize(2)
    for (int i = 0; i < n; i++)
        if (local.value == n && local.heap[2] == n)
            count_up(done);
}

static void gone_all(int n) {
    int done[4] = {0};
#pragma omp taskgroup
    for (int k = 0; k < 4; k++)
        gone(n + k, &done[k]);
    for (int k = 0; k < 4; k++)
        CHECK_EQ(done[k], n + k);
}

static void by_bits(int n) {
    int sum = 0, before = alive;
    {
        trivial bits = {3};
#pragma omp taskloop firstprivate(bits) num_tasks(6) shared(sum)
        for (int i = 0; i < n; i++)
            __atomic_fetch_add(&sum, bits.value, __ATOMIC_RELAXED);
    }
    CHECK_EQ(sum, 3 * n);
    int tasks = n < 6 ? n : 6;
    CHECK_EQ(before - alive, tasks + (tasks > 0) + 1);
    alive = before;
}

static long reduced(int n) {
    object all(5);
#pragma omp taskloop reduction(join : all) grainsize(2)
    for (int i = 0; i < n; i++)
        all.value += i;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup task_reduction(join : all)
    for (int i = 0; i < n; i++) {
#pragma omp task in_reduction(join : all)
        all.value += i;
    }
    return all.value;
}

static void inside(int n) {
    gone_all(n);
    by_bits(n);
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 12);
    long total = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 1; i < rounds; i++) {
        total += first_and_last(i * 5) + reduced(i * 3);
        inside(i);
        CHECK_EQ(alive, 0);
    }
    inside(7);
    total += first_and_last(50) + reduced(33);
    CHECK_EQ(alive, 0);
    CHECK(made > 0);
    printf("total %ld\n", total);
    return check_done("cxx_taskloop");
}
