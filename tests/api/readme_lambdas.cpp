#include <blitz.hpp>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

int main() {
    auto name = blitz::future_submit([] { return std::string("sum"); }); // in the background
    std::vector<double> values(1000000);
    blitz::for_each(0, values.size(), [&](std::size_t i) { values[i] = 1.0 / double(i + 1); });
    double sum = 0, square = 0;
    blitz::join(
        [&] {
            sum = blitz::reduce(
                0, values.size(), 0.0, [&](std::size_t i) { return values[i]; }, std::plus<>());
        },
        [&] { square = values[1] * values[1]; });
    blitz::sort(values, std::less<>());
    std::printf("%s %g %g %g\n", name.get().c_str(), sum, square,
                values[0]); // get throws what the task threw
    return sum < 14.39 || sum > 14.40 || square != 0.25 || values[0] != 1e-6;
}
