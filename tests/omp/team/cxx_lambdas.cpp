// repeat: 1
// Lambdas around regions and tasks, tasks inside lambdas, function objects carried by tasks.
#include "../check.h"

#include <functional>
#include <memory>
#include <vector>

/* A parallel for-each in its usual form: the body is any callable. */
template <typename Body>
static void for_each(int n, Body body) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(body, i)
        body(i);
    }
}

static long recursive_sum(int depth) {
    std::function<long(int)> below = [&below](int d) -> long {
        long left = 0, right = 0;

        if (d == 0)
            return 1;
#pragma omp task shared(left, below)
        left = below(d - 1);
#pragma omp task shared(right, below)
        right = below(d - 1);
#pragma omp taskwait
        return left + right;
    };
    long sum = 0;

#pragma omp parallel shared(sum)
#pragma omp single
    sum = below(depth);
    return sum;
}

static int shared_ownership(int n) {
    auto counter = std::make_shared<int>(0);
    std::weak_ptr<int> watch = counter;
    int total;

    for_each(n, [counter](int) { count_up(counter.get()); });
    total = *counter;
    counter.reset();
    CHECK(watch.expired());
    return total;
}

int main(int argc, char **argv) {
    int rounds = static_cast<int>(check_arg(argc, argv, 1, 20));
    long sum = 0;

    for (int r = 0; r < rounds; r++) {
        std::vector<int> squares(200);
        std::vector<std::function<int()>> jobs;
        int by_jobs = 0;

        for_each(200, [&squares](int i) { squares[static_cast<std::size_t>(i)] = i * i; });
        for (int s : squares)
            sum += s;

        for (int i = 0; i < 50; i++)
            jobs.emplace_back([i] { return i; });
        auto run_all = [&] {
#pragma omp parallel for schedule(dynamic) reduction(+ : by_jobs)
            for (std::size_t i = 0; i < jobs.size(); i++)
                by_jobs += jobs[i]();
        };
        run_all();
        CHECK_EQ(by_jobs, 1225);
        CHECK_EQ(shared_ownership(100), 100);
        CHECK_EQ(recursive_sum(8), 256);
    }
    CHECK_EQ(sum, rounds * 2646700L);
    printf("sum %ld\n", sum);
    return check_done("cxx_lambdas");
}
