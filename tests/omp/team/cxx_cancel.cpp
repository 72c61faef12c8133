// beyond libomp: it aborts by an assertion in a cancelled dynamic loop
// env: OMP_CANCELLATION=true
// env: OMP_CANCELLATION=false
// threads: 1 2 8
// repeat: 10
// Objects in cancelled constructs: a task's copies are destroyed once, whether its body runs or not.
#include <vector>

#include "../check.h"

static int alive;

struct tracked {
    int value;
    std::vector<int> more;
    explicit tracked(int v) : value(v), more(static_cast<size_t>(v % 50), v) {
        count_up(&alive);
    }
    tracked(const tracked &other) : value(other.value), more(other.more) {
        count_up(&alive);
    }
    ~tracked() {
        CHECK(more.size() == static_cast<size_t>(value % 50));
        value = -1;
        __atomic_fetch_sub(&alive, 1, __ATOMIC_RELAXED);
    }
};

static void in_a_group(int count, int at) {
    tracked object(count);
    long sum = 0;

#pragma omp taskgroup
    for (int i = 0; i < count; i++) {
#pragma omp task firstprivate(object) shared(sum)
        {
            tracked local(i + 1);
            if (i == at) {
#pragma omp cancel taskgroup
            }
#pragma omp cancellation point taskgroup
#pragma omp atomic
            sum += object.value + local.value;
        }
    }
    CHECK(omp_get_cancellation() ? sum >= 0 : sum > 0);
}

static void in_a_region(int count) {
    tracked object(count);

#pragma omp parallel firstprivate(object)
    {
        for (int i = 0; i < count; i++) {
#pragma omp task firstprivate(object)
            CHECK(object.value == count);
        }
        if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
        }
        tracked local(object.value);
#pragma omp barrier
#pragma omp cancellation point parallel
        CHECK(local.value == count);
    }
}

static void in_a_loop(int count) {
    tracked object(count);
    tracked last(count);

#pragma omp parallel
#pragma omp for schedule(dynamic) firstprivate(object)
    for (int i = 0; i < count; i++) {
        tracked local(i + object.value);
#pragma omp cancel for if (i == 5)
        CHECK(local.value == i + count);
    }
}

int main(int argc, char **argv) {
    int rounds = static_cast<int>(check_arg(argc, argv, 1, 60));

    for (int i = 0; i < rounds; i++) {
#pragma omp parallel
#pragma omp single
        in_a_group(40, i % 45);
        in_a_region(10 + i % 20);
        in_a_loop(50);
        CHECK_EQ(alive, 0);
    }
    printf("cancellation %d\n", omp_get_cancellation());
    return check_done("cxx_cancel");
}
