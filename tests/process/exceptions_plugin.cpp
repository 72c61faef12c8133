// Tasks yield while they handle an exception, and rethrow it when they resume: each its own.
#include <cstdio>
#include <stdexcept>
#include <string>

extern "C" int run() {
    int wrong = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 500; i++) {
#pragma omp task untied firstprivate(i) shared(wrong)
        try {
            throw std::runtime_error(std::to_string(i));
        } catch (...) {
#pragma omp taskyield
            try {
                throw;
            } catch (const std::exception &error) {
                if (error.what() != std::to_string(i)) {
#pragma omp atomic
                    wrong++;
                }
            }
        }
    }
    std::printf("%d wrong\n", wrong);
    return wrong != 0;
}
