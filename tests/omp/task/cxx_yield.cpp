// beyond libomp: a wait by taskyield never ends
// beyond libgomp: its taskyield does nothing, and tasks that wait for each other never end
// repeat: 10
// Exceptions in tasks that yield to each other: each throws, catches and rethrows while others are doing the same.
#include "../check.h"

#include <exception>
#include <stdexcept>
#include <string>

namespace {

struct Probe { // counts destructions by unwinding
    int *gone;
    explicit Probe(int *counter) : gone(counter) {
    }
    ~Probe() {
        count_up(gone);
    }
};

void yield_until(int *begun, int all) {
    count_up(begun);
    do {
#pragma omp taskyield
    } while (count_read(begun) < all);
}

int gone, handled;

[[noreturn]] void thrower(int number, int *begun, int all) {
    Probe probe(&gone);
    yield_until(begun, all);
    throw std::runtime_error(std::to_string(number));
}

void in_handlers(int number, int *phases, int all) {
    try {
        try {
            thrower(number, &phases[0], all);
        } catch (const std::runtime_error &error) {
            CHECK_EQ(std::stoi(error.what()), number);
            yield_until(&phases[1], all); // inside the handler
            CHECK_EQ(std::stoi(error.what()), number);
            CHECK(std::current_exception() != nullptr);
            try {
                thrower(-number, &phases[2], all);
            } catch (const std::exception &inner) {
                CHECK_EQ(std::stoi(inner.what()), -number);
                yield_until(&phases[3], all);
            }
            CHECK_EQ(std::stoi(error.what()), number);
            throw;
        }
    } catch (const std::exception &again) {
        CHECK_EQ(std::stoi(again.what()), number);
        count_up(&handled);
    }
    CHECK(std::current_exception() == nullptr);
    CHECK_EQ(std::uncaught_exceptions(), 0);
}

} // namespace

int main(int argc, char **argv) {
    int count = static_cast<int>(check_arg(argc, argv, 1, 30));
    int phases[4] = {0, 0, 0, 0};
#pragma omp parallel
#pragma omp single
    for (int i = 1; i <= count; i++) {
#pragma omp task untied firstprivate(i) shared(phases)
        in_handlers(i, phases, count);
    }
    CHECK_EQ(gone, 2 * count);
    CHECK_EQ(handled, count);
    printf("handled %d\n", handled);
    return check_done("cxx_yield");
}
