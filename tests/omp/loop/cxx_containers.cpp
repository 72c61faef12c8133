// repeat: 100
// Standard containers: filled under critical, passed to tasks by value, reduced, sorted by tasks.
#include "../check.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using words = std::vector<std::string>;

#pragma omp declare reduction(append:std::vector<int> : omp_out.insert(omp_out.end(), omp_in.begin(), omp_in.end()))

template <typename T>
static void quicksort(std::vector<T> &v, std::size_t lo, std::size_t hi) {
    if (hi - lo < 24) {
        std::sort(v.begin() + static_cast<long>(lo), v.begin() + static_cast<long>(hi));
        return;
    }
    const T pivot =
        std::max(std::min(v[lo], v[hi - 1]), std::min(std::max(v[lo], v[hi - 1]), v[lo + (hi - lo) / 2]));
    auto begin = v.begin() + static_cast<long>(lo), end = v.begin() + static_cast<long>(hi);
    auto left = std::partition(begin, end, [&](const T &x) { return x < pivot; });
    auto right = std::partition(left, end, [&](const T &x) { return !(pivot < x); });
    std::size_t a = static_cast<std::size_t>(left - v.begin()),
                b = static_cast<std::size_t>(right - v.begin());

#pragma omp task shared(v)
    quicksort(v, lo, a);
#pragma omp task shared(v)
    quicksort(v, b, hi);
}

static void sorting(int count) {
    std::vector<int> numbers;
    words texts;

    for (int i = 0; i < count; i++) {
        numbers.push_back(static_cast<int>(scramble(static_cast<unsigned>(i)) % 5000));
        texts.push_back("text " + std::to_string(scramble(static_cast<unsigned>(i)) % 1000) + " with a tail");
    }
    std::vector<int> sorted_numbers = numbers;
    words sorted_texts = texts;
    std::sort(sorted_numbers.begin(), sorted_numbers.end());
    std::sort(sorted_texts.begin(), sorted_texts.end());
#pragma omp parallel
    {
#pragma omp single nowait
        quicksort(numbers, 0, numbers.size());
#pragma omp single
        quicksort(texts, 0, texts.size());
    }
    CHECK(numbers == sorted_numbers);
    CHECK(texts == sorted_texts);
    printf("first %s last %d\n", texts.front().c_str(), numbers.back());
}

/* Each task owns the vector that it received and adds a result to a map. */
static void by_value(int count) {
    std::map<std::string, std::size_t> lengths;
    std::size_t total = 0;

#pragma omp parallel
#pragma omp single
    {
        words row;

        for (int i = 0; i < count; i++) {
            row.push_back(std::to_string(i) + std::string(30, 'x'));
#pragma omp task firstprivate(row) shared(lengths)
            {
                std::string all;

                for (const std::string &word : row)
                    all += word;
#pragma omp critical
                lengths[row.back()] = all.size();
            }
            if (row.size() == 20)
                row.clear();
        }
    }
    for (const auto &entry : lengths)
        total += entry.second;
    CHECK_EQ(lengths.size(), count);
    printf("entries %zu total %zu\n", lengths.size(), total);
}

static void reduced(int count) {
    std::vector<int> odd;

#pragma omp parallel for schedule(dynamic, 5) reduction(append : odd)
    for (int i = 0; i < count; i++)
        if (i % 2)
            odd.push_back(i);
    std::sort(odd.begin(), odd.end());
    CHECK_EQ(odd.size(), count / 2);
    for (std::size_t i = 0; i < odd.size(); i++)
        CHECK_EQ(odd[i], 2 * i + 1);
}

int main(int argc, char **argv) {
    int count = static_cast<int>(check_arg(argc, argv, 1, 3000));

    sorting(count);
    by_value(count / 10);
    reduced(count);
    return check_done("cxx_containers");
}
