// env: OMP_CANCELLATION=true
// beyond libomp: it leaks in a team of one, and hangs in others
// threads: 1 2 8
// repeat: 10
// Cancelled taskloops with C++ variables: constructed objects are destroyed, even those of tasks that never ran; a task
// that has begun completes; copies of reductions are destroyed.
#include <vector>

#include "check.h"

static int alive, ran;

struct object {
    std::vector<int> heap;
    int value;
    explicit object(int v = 0) : heap(3, v), value(v) {
        count(1);
    }
    object(const object &other) : heap(other.heap), value(other.value) {
        count(1);
    }
    object &operator=(const object &other) = default;
    ~object() {
        count(-1);
    }
    static void count(int by) {
        __atomic_fetch_add(&alive, by, __ATOMIC_RELAXED);
    }
};

#pragma omp declare reduction(join:object : omp_out.value += omp_in.value) initializer(omp_priv = object(0))

static void copied(int n, int at) {
    object first(n), last(0);
#pragma omp taskloop firstprivate(first) lastprivate(last) grainsize(1)
    for (int i = 0; i < n; i++) {
        CHECK_EQ(first.heap[1], n);
        count_up(&ran);
        last.value = i;
        if (i == at) {
#pragma omp cancel taskgroup
        }
        CHECK(i != at);
    }
}

static void nogroup(int n, int at) {
    object first(n);
#pragma omp taskgroup
    {
        for (int k = 0; k < 3; k++) {
#pragma omp taskloop nogroup firstprivate(first, k) num_tasks(20)
            for (int i = 0; i < n; i++) {
                CHECK_EQ(first.value, n);
                count_up(&ran);
                if (i == at && k == 1) {
#pragma omp cancel taskgroup
                }
            }
        }
    }
}

static void reduced(int n, int at) {
    object sum(0);
#pragma omp taskloop reduction(join : sum) grainsize(2)
    for (int i = 0; i < n; i++) {
        sum.value++;
        count_up(&ran);
        if (i == at) {
#pragma omp cancel taskgroup
        }
    }
    CHECK(sum.value <= n);
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 30);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < rounds; i++) {
        int n = 10 + i * 5;
        copied(n, i);
        nogroup(n, i);
        reduced(n, i);
        CHECK_EQ(alive, 0);
    }
    CHECK(ran > 0 && ran <= rounds * 5 * (10 + rounds * 5));
    return check_done("cxx_taskloop_cancel");
}
