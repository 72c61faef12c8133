// The same in C++: the headers must compile cleanly there, and a body without captures is a plain function.
#include <blitz.h>
#include <blitz/cilk.h>
#include <cstdio>
#include <vector>

int main() {
    std::vector<size_t> numbers(10000);
    int error = blitz_for(
        0, numbers.size(), 0,
        [](size_t lo, size_t hi, void *data) {
            for (size_t i = lo; i < hi; i++)
                static_cast<size_t *>(data)[i] = i * i;
            return 0;
        },
        numbers.data());
    if (error != 0)
        return 1;
    for (size_t i = 0; i < numbers.size(); i++)
        if (numbers[i] != i * i) {
            std::printf("square of %zu is %zu\n", i, numbers[i]);
            return 1;
        }
    return 0;
}
