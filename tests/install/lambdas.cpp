// C++17, by its header: squares by a loop, and their sum by a reduction.
#include <blitz.hpp>
#include <cstdio>
#include <functional>
#include <vector>

int main() {
    std::vector<long> numbers(10000);
    blitz::for_each(0, numbers.size(), [&](std::size_t i) { numbers[i] = long(i * i); });
    long sum = blitz::reduce(
        0, numbers.size(), 0L, [&](std::size_t i) { return numbers[i]; }, std::plus<>());
    std::printf("%ld\n", sum);
    return sum == 333283335000 ? 0 : 1;
}
