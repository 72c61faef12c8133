#include <blitz.hpp>
#include <cstdio>
#include <functional>
#include <vector>

int main() {
    std::vector<double> values(1000000);
    blitz::for_each(0, values.size(), [&](std::size_t i) { values[i] = 1.0 / double(i + 1); });
    double sum = 0, square = 0;
    blitz::join(
        [&] {
            sum = blitz::reduce(
                0, values.size(), 0.0, [&](std::size_t i) { return values[i]; }, std::plus<>());
        },
        [&] { square = values[1] * values[1]; });
    std::printf("%g %g\n", sum, square);
    return sum < 14.39 || sum > 14.40 || square != 0.25;
}
