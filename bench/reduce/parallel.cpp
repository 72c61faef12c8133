// The sum of elements of some cost, by accumulate of libstdc++'s parallel mode, in its ways of sharing.
#include "for/workload.h"

#include <cstddef>
#include <iterator>
#include <parallel/numeric>

// Goes over the elements, which are computed when they are read.
class elements {
    const range *whole = nullptr;
    ptrdiff_t at = 0;

  public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = uint64_t;
    using difference_type = ptrdiff_t;
    using pointer = const uint64_t *;
    using reference = uint64_t;

    elements() = default;
    elements(const range *all, ptrdiff_t index) : whole(all), at(index) {
    }
    uint64_t operator*() const {
        return range_element(whole, static_cast<size_t>(at));
    }
    uint64_t operator[](ptrdiff_t n) const {
        return *(*this + n);
    }
    elements &operator++() {
        return ++at, *this;
    }
    elements &operator+=(ptrdiff_t n) {
        return at += n, *this;
    }
    elements operator+(ptrdiff_t n) const {
        return elements(whole, at + n);
    }
    ptrdiff_t operator-(const elements &other) const {
        return at - other.at;
    }
    bool operator==(const elements &other) const {
        return at == other.at;
    }
    bool operator!=(const elements &other) const {
        return at != other.at;
    }
    bool operator<(const elements &other) const {
        return at < other.at;
    }
};

template <__gnu_parallel::_Parallelism parallelism>
static uint64_t sum(void *arg) {
    const range *whole = static_cast<range *>(arg);
    elements begin(whole, 0);
    return __gnu_parallel::accumulate(begin, begin + static_cast<ptrdiff_t>(whole->size), uint64_t{0},
                                      parallelism);
}

int main(int argc, char **argv) {
    __gnu_parallel::_Settings settings = __gnu_parallel::_Settings::get();
    settings.accumulate_minimal_n = 0; // all of these pay
    __gnu_parallel::_Settings::set(settings);
    static const range_way ways[] = {{"equal_parts", sum<__gnu_parallel::parallel_unbalanced>},
                                     {"stealing", sum<__gnu_parallel::parallel_balanced>}};
    return range_main(argc, argv, "reduce", 0, ways, 2);
}
