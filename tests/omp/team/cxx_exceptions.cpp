// repeat: 5
// Exceptions thrown and caught inside tasks, regions, loops and critical sections, and passed out by
// std::exception_ptr.
#include "../check.h"

#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

static int destroyed;

struct witness {
    ~witness() {
        count_up(&destroyed);
    }
};

[[gnu::noinline]] static void fail_deep(int depth, int code) {
    witness here;

    if (depth == 0)
        throw std::runtime_error(std::to_string(code));
    fail_deep(depth - 1, code);
}

static int caught_code(int depth, int code) {
    try {
        fail_deep(depth, code);
    } catch (const std::runtime_error &error) {
        return std::stoi(error.what());
    }
    return -1;
}

static long in_tasks(int count) {
    long sum = 0;

#pragma omp parallel
#pragma omp single
    for (int i = 0; i < count; i++) {
#pragma omp task shared(sum)
        {
            int code = caught_code(i % 10, i);
#pragma omp atomic
            sum += code;
        }
    }
    return sum;
}

/* A child that fails while its parent waits inside a try block. */
static int across_taskwait(int depth) {
    std::exception_ptr failure;
    int seen = 0;

    if (depth == 0)
        throw std::out_of_range("leaf");
#pragma omp task shared(failure, seen)
    try {
        seen = across_taskwait(depth - 1);
    } catch (...) {
        failure = std::current_exception();
    }
#pragma omp taskwait
    if (failure) {
        try {
            std::rethrow_exception(failure);
        } catch (const std::out_of_range &) {
            return depth;
        }
    }
    return seen;
}

static int in_loops(int count) {
    int caught = 0;

#pragma omp parallel for schedule(dynamic) reduction(+ : caught)
    for (int i = 0; i < count; i++) {
        try {
#pragma omp critical
            {
                try {
                    if (i % 2)
                        throw i;
                } catch (int code) {
                    caught += code == i;
                }
            }
            if (i % 3 == 0)
                throw std::string("three");
        } catch (const std::string &) {
            caught++;
        }
    }
    return caught;
}

int main(int argc, char **argv) {
    int count = (int)check_arg(argc, argv, 1, 100);
    long sum = in_tasks(count);
    int waited = 0, caught;

    CHECK_EQ(sum, count * (count - 1L) / 2);
    CHECK_EQ(destroyed, count / 10 * 55 + count % 10 * (count % 10 + 1) / 2);
#pragma omp parallel
#pragma omp single
    waited = across_taskwait(12);
    CHECK_EQ(waited, 1);
    caught = in_loops(count);
    CHECK_EQ(caught, count / 2 + (count + 2) / 3);
    printf("sum %ld caught %d\n", sum, caught);
    return check_done("cxx_exceptions");
}
