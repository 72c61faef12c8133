// threads: 1 2 8
// repeat: 10
// Taskloops over iterators, and with objects: copied for each task, destroyed once.
#include <string>
#include <vector>

#include "../check.h"

static int alive, copies;

struct tracked {
    std::vector<int> values;
    explicit tracked(int n = 0) : values(static_cast<size_t>(n), n) {
        count_up(&alive);
    }
    tracked(const tracked &other) : values(other.values) {
        count_up(&alive);
        count_up(&copies);
    }
    ~tracked() {
        __atomic_fetch_sub(&alive, 1, __ATOMIC_RELAXED);
    }
};

static long total;

static void add(long n) {
    __atomic_fetch_add(&total, n, __ATOMIC_RELAXED);
}

static void iterators(int n) {
    std::vector<std::string> names;
    for (int i = 0; i < n; i++)
        names.push_back(std::string(static_cast<size_t>(i % 30), 'x'));
#pragma omp taskloop grainsize(3)
    for (std::vector<std::string>::iterator it = names.begin(); it < names.end(); ++it)
        add(static_cast<long>(it->size()));
#pragma omp taskloop num_tasks(7)
    for (auto it = names.rbegin(); it < names.rend(); it += 2)
        add(1);
#ifndef __clang__ /* its tasks work on a copy of the container */
#    pragma omp taskloop
    for (auto &name : names)
        name += "y";
    for (auto &name : names)
        CHECK(!name.empty() && name.back() == 'y');
#endif
}

static void objects(int n, int tasks) {
    tracked object(n);
    tracked last(1);
    copies = 0;
#pragma omp taskloop firstprivate(object) num_tasks(tasks)
    for (int i = 0; i < n; i++) {
        add(object.values[static_cast<size_t>(i)]);
        object.values[static_cast<size_t>(i)] = 0;
    }
    CHECK(copies >= tasks);
    CHECK_EQ(object.values[0], n);
#pragma omp taskloop firstprivate(object) if (0) grainsize(4)
    for (int i = 0; i < n; i++)
        add(object.values[0]);
#pragma omp taskloop firstprivate(object) nogroup grainsize(4)
    for (int i = 0; i < n; i++)
        add(object.values[1]);
#pragma omp taskwait
#pragma omp taskloop lastprivate(last) grainsize(2)
    for (int i = 1; i <= n; i++)
        last.values.assign(static_cast<size_t>(i), i);
    CHECK_EQ(last.values.size(), n);
}

template <typename T>
static void of_type(T from, T to) {
#pragma omp taskloop firstprivate(from) grainsize(2)
    for (T i = from; i < to; i += 2)
        add(static_cast<long>(i - from));
}

int main(int argc, char **argv) {
    int rounds = static_cast<int>(check_arg(argc, argv, 1, 60));

    for (int i = 0; i < rounds; i++) {
#pragma omp parallel
#pragma omp single
        {
            iterators(i % 50);
            objects(20 + i % 10, 6);
            of_type<int>(-10, 10);
            of_type<unsigned long long>(1ull << 63, (1ull << 63) + 30);
            of_type<unsigned short>(60000, 60030);
        }
        CHECK_EQ(alive, 0);
    }
    printf("total %ld\n", total);
    return check_done("cxx_taskloop");
}
