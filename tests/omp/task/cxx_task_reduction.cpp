// repeat: 5
// Task reductions of class objects: each thread's copy is constructed at its first use, and destroyed.
#include <map>
#include <string>
#include <vector>

#include "../check.h"

static int alive;

struct Sum {
    long value;
    std::vector<int> parts;

    Sum() : value(0) {
        count_up(&alive);
    }
    Sum(const Sum &other) : value(other.value), parts(other.parts) {
        count_up(&alive);
    }
    ~Sum() {
        __atomic_fetch_sub(&alive, 1, __ATOMIC_RELAXED);
    }
    Sum &operator+=(const Sum &other) {
        value += other.value;
        parts.insert(parts.end(), other.parts.begin(), other.parts.end());
        return *this;
    }
};

typedef std::map<std::string, int> Words;

#pragma omp declare reduction(+ : Sum : omp_out += omp_in)
#pragma omp declare reduction(                                                                               \
    merge:Words                                                                                              \
    : [](Words & to, const Words &from){for (const auto &word                                                \
                                             : from) to[word.first] += word.second;}(omp_out, omp_in))

static void in_group(Sum &sum, Words &words, int n) {
#pragma omp taskgroup task_reduction(+ : sum) task_reduction(merge : words)
    for (int i = 0; i < n; i++) {
#pragma omp task in_reduction(+ : sum) in_reduction(merge : words) firstprivate(i)
        {
            sum.value += i;
            sum.parts.push_back(i);
            words[i % 3 == 0 ? "fizz" : i % 5 == 0 ? "buzz" : "other"]++;
        }
    }
}

template <typename T>
static T in_region(int n, T start) {
    T sum = start;
#pragma omp parallel for reduction(task, + : sum)
    for (int i = 0; i < n; i++) {
#pragma omp task in_reduction(+ : sum) firstprivate(i)
        sum.value += i;
    }
    return sum;
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 30), n = 100;

    for (int r = 0; r < rounds; r++) {
        Sum sum;
        Words words;
#pragma omp parallel
#pragma omp single
        in_group(sum, words, n);
        CHECK_EQ(sum.value, n * (n - 1) / 2);
        CHECK_EQ(sum.parts.size(), n);
        CHECK_EQ(words["fizz"], 34);
        CHECK_EQ(words["buzz"], 13);
        CHECK_EQ(words["other"], 53);
        Sum start;
        start.value = 1000;
        CHECK_EQ(in_region(n, start).value, 1000 + n * (n - 1) / 2);
    }
    {
        Sum sum;
        Words words;
        in_group(sum, words, n); // outside of all regions
        CHECK_EQ(sum.parts.size(), n);
    }
    CHECK_EQ(alive, 0);
    std::printf("rounds %d\n", rounds);
    return check_done("cxx_task_reduction");
}
