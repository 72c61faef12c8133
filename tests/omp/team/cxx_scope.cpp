// not clang 14: it lacks scope
// repeat: 3
// Exceptions caught inside a scope or a masked region, and reductions of objects in a scope.
#include "../check.h"

#include <numeric>
#include <stdexcept>
#include <vector>

#if defined __clang__ && __clang_major__ < 22
#    error "for gcc 12 and clang 22"
#endif

static int objects;

/* Counts live objects. */
struct bag {
    std::vector<int> numbers;

    bag() {
        count_up(&objects);
    }
    ~bag() {
#pragma omp atomic
        objects--;
    }
};

#pragma omp declare reduction(                                                                               \
    join:bag                                                                                                 \
    : omp_out.numbers.insert(omp_out.numbers.end(), omp_in.numbers.begin(), omp_in.numbers.end()))

static int code_of(int thrown) {
    bag local;

    if (thrown % 2)
        throw std::out_of_range(std::to_string(thrown));
    throw thrown;
}

template <typename Body>
static int caught(Body body) {
    try {
        return body();
    } catch (const std::out_of_range &error) {
        return std::stoi(error.what());
    } catch (int thrown) {
        return thrown;
    }
}

static void thrown_inside(int threads) {
    int sum = 0, masked = 0;

#pragma omp parallel
    {
        int me = omp_get_thread_num();

#pragma omp scope reduction(+ : sum)
        sum += caught([&] { return code_of(me); });
        CHECK_EQ(sum, threads * (threads - 1) / 2);
#pragma omp scope nowait
        {
            bag local;
            CHECK_EQ(caught([&] { return code_of(me + 1); }), me + 1);
        }
#pragma omp masked filter(threads - 1)
        masked = caught([&] { return code_of(threads); });
    }
    CHECK_EQ(masked, threads);
    CHECK_EQ(objects, 0);
}

static void joined(int threads) {
    bag all;

#pragma omp parallel
    {
#pragma omp scope reduction(join : all)
        all.numbers.push_back(omp_get_thread_num());
        CHECK_EQ((long)all.numbers.size(), threads);
        CHECK_EQ(std::accumulate(all.numbers.begin(), all.numbers.end(), 0), threads * (threads - 1) / 2);
    }
    CHECK_EQ(objects, 1);
}

#ifdef __clang__ /* it lacks this scope */
static void joined_by_tasks(int) {
}
#else
static void joined_by_tasks(int threads) {
    bag all;

#    pragma omp parallel
    {
#    pragma omp scope reduction(task, join : all)
        for (int i = 0; i < 10; i++) {
#    pragma omp task in_reduction(join : all)
            all.numbers.push_back(caught([&] { return code_of(i); }));
        }
        CHECK_EQ(std::accumulate(all.numbers.begin(), all.numbers.end(), 0), 45 * threads);
    }
    CHECK_EQ(objects, 1);
}
#endif

int main() {
    int threads = omp_get_max_threads();

    for (int i = 0; i < 20; i++) {
        thrown_inside(threads);
        joined(threads);
        joined_by_tasks(threads);
    }
    return check_done("cxx_scope");
}
