// api_lambdas.cpp: the guarantees of blitz.hpp.
#include <blitz.hpp>

#include <chrono>
#include <csetjmp>
#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstring>
#include <functional>
#include <list>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

extern "C" {
#include <cmocka.h>
}

namespace {

constexpr std::size_t many = 20000;

// ---- join ----

long fib(int n) {
    long x = 0, y = 0;
    if (n < 2)
        return n;
    blitz::join([&] { x = fib(n - 1); }, [&] { y = fib(n - 2); });
    return x + y;
}

void joins_take_any_number(void **) {
    int one = 0, two = 0, three = 0, four = 0;
    assert_int_equal(fib(18), 2584);
    blitz::join([&] { one = 1; });
    blitz::join([&] { two = 2; }, [&] { three = 3; }, [&] { four = 4; });
    assert_int_equal(one + two + three + four, 10);
    auto named = [&]() mutable { one = 7; };
    std::function<void()> wrapped = [&] { two = 8; };
    blitz::join(named, wrapped);
    assert_int_equal(one + two, 15);
}

// The exception of fn, as text; "" if it throws none.
template <class Fn>
std::string thrown_by(Fn &&fn) {
    try {
        fn();
    } catch (const std::exception &error) {
        return error.what();
    }
    return "";
}

void joins_throw_what_comes_first(void **) {
    for (int i = 0; i < 200; i++) {
        bool done = false;
        auto throwing = [](const char *text) { return [text] { throw std::runtime_error(text); }; };
        assert_string_equal(thrown_by([&] { blitz::join(throwing("a"), throwing("b")); }).c_str(), "a");
        assert_string_equal(thrown_by([&] { blitz::join([&] { done = true; }, throwing("b")); }).c_str(),
                            "b");
        assert_true(done);
        done = false;
        assert_string_equal(thrown_by([&] { blitz::join(throwing("a"), [&] { done = true; }); }).c_str(),
                            "a");
        assert_true(done); // it was waited for
    }
}

// ---- loops ----

void loops_reach_all_elements(void **) {
    std::vector<int> values(many, 1);
    blitz::for_each(values, [](int &value) { value++; });
    blitz::for_each(
        std::size_t{10}, many, [&](std::size_t i) { values[i] += static_cast<int>(i); }, 7);
    for (std::size_t i = 0; i < many; i++)
        assert_int_equal(values[i], 2 + (i < 10 ? 0 : static_cast<int>(i)));
    const int constants[] = {1, 2, 3};
    std::atomic<int> sum{0};
    blitz::for_each(constants, [&](const int &value) { sum += value; });
    assert_int_equal(sum, 6);
    std::vector<int> none;
    blitz::for_each(none, [](int &) { throw std::logic_error("not called"); });
}

void loops_throw_what_was_thrown(void **) {
    std::atomic<std::size_t> runs{0};
    assert_string_equal(thrown_by([&] {
                            blitz::for_each(std::size_t{0}, many, [&](std::size_t i) {
                                runs++;
                                if (i == 0)
                                    throw std::runtime_error("first");
                            });
                        }).c_str(),
                        "first");
    assert_true(runs > 0 && runs <= many);
}

void reductions_keep_order(void **) {
    auto text = blitz::reduce(
        std::size_t{0}, std::size_t{2000}, std::string(),
        [](std::size_t i) { return std::to_string(i) + " "; },
        [](std::string left, const std::string &right) { return std::move(left) + right; });
    std::string expected;
    for (int i = 0; i < 2000; i++)
        expected += std::to_string(i) + " ";
    assert_true(text == expected);
    auto sum = blitz::reduce(
        0, many, std::uint64_t{0}, [](std::size_t i) { return std::uint64_t{i}; }, std::plus<>());
    assert_true(sum == std::uint64_t{many} * (many - 1) / 2);
    assert_true(blitz::reduce(
                    5, 5, 1.5, [](std::size_t) { return 2.0; }, std::plus<>()) == 1.5);
}

void reductions_throw_and_lose_nothing(void **) {
    for (int i = 0; i < 20; i++)
        assert_string_equal(thrown_by([&] {
                                blitz::reduce(
                                    0, 1000, std::list<std::string>(),
                                    [](std::size_t at) {
                                        if (at == 500)
                                            throw std::runtime_error("half");
                                        return std::list<std::string>{"an item that needs memory of its own"};
                                    },
                                    [](std::list<std::string> left, std::list<std::string> right) {
                                        left.splice(left.end(), right);
                                        return left;
                                    });
                            }).c_str(),
                            "half");
}

// Where two parts meet and the right one begins at `at`, combine throws; it waits for a later map to throw as well. A
// part knows of both if the parts have met and the map has been called: that depends on thefts.
struct meeting {
    std::atomic<int> combining{0}, mapping{0}, thrown{0};
};

void wait_a_while(const std::atomic<int> &flag) {
    for (int i = 0; i < 2000 && !flag; i++)
        std::this_thread::sleep_for(std::chrono::microseconds(100));
}

std::string throw_twice(meeting &both) {
    struct span {
        std::size_t lo, hi;
    };
    constexpr std::size_t count = 64, late = 48;
    return thrown_by([&] {
        blitz::reduce(
            0, count, span{0, 0},
            [&](std::size_t i) {
                std::this_thread::sleep_for(std::chrono::microseconds(200));
                if (i >= late && !both.mapping.exchange(1)) {
                    wait_a_while(both.combining);
                    both.thrown++;
                    throw std::runtime_error("late");
                }
                return span{i, i + 1};
            },
            [&](span left, span right) {
                const bool parts = right.hi - right.lo > 1 && left.hi > left.lo && right.hi <= late;
                if (parts && both.mapping && !both.combining.exchange(1)) {
                    wait_a_while(both.thrown);
                    std::this_thread::sleep_for(std::chrono::milliseconds(20)); // until it is caught
                    both.thrown++;
                    throw std::runtime_error("early");
                }
                return left.hi == left.lo ? right : right.hi == right.lo ? left : span{left.lo, right.hi};
            },
            1);
    });
}

void reductions_throw_what_comes_first(void **) {
    for (int met = 0, tries = 0; met < 3 && tries < 300; tries++) {
        meeting both;
        const std::string text = throw_twice(both);
        assert_string_equal(text.c_str(), both.thrown == 2 ? "early" : "late");
        met += both.thrown == 2;
    }
}

// ---- exceptions in serial order ----

// The exceptions, by place, and the elements that have been called.
struct order {
    static constexpr std::size_t count = 512;
    std::vector<std::atomic<int>> calls = std::vector<std::atomic<int>>(count);
    std::atomic<std::size_t> least{SIZE_MAX};
    std::atomic<int> late{0};

    [[noreturn]] void raise(std::size_t place) {
        std::size_t before = least;
        while (place < before && !least.compare_exchange_weak(before, place))
            ;
        late = 1;
        throw std::runtime_error(std::to_string(place));
    }
    // Element 0 lasts until another one has thrown, if one does within a while. The elements between must run after
    // that, and some of them also throw.
    void visit(std::size_t i) {
        calls[i]++;
        if (i == 0)
            wait_a_while(late);
        if (i == count - 1 || i % 100 == 77)
            raise(i);
        if (i % 16 == 0)
            std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    // All elements before the reported exception have been called once, and none twice.
    void expect(const std::string &text) {
        assert_string_equal(text.c_str(), std::to_string(least).c_str());
        for (std::size_t i = 0; i < count; i++) {
            if (i <= least)
                assert_int_equal(calls[i], 1);
            assert_true(calls[i] <= 1);
        }
    }
};

void loops_throw_in_serial_order(void **) {
    for (int round = 0; round < 20; round++) {
        order indices, elements;
        std::vector<std::size_t> numbers(order::count);
        for (std::size_t i = 0; i < order::count; i++)
            numbers[i] = i;
        indices.expect(thrown_by([&] {
            blitz::for_each(
                std::size_t{0}, order::count, [&](std::size_t i) { indices.visit(i); }, round % 3);
        }));
        assert_int_equal(indices.least, 77);
        elements.expect(thrown_by([&] {
            blitz::for_each(
                numbers, [&](std::size_t &i) { elements.visit(i); }, round % 3);
        }));
        assert_int_equal(elements.least, 77);
    }
}

void reductions_throw_in_serial_order(void **) {
    for (int round = 0; round < 20; round++) {
        order all;
        all.expect(thrown_by([&] {
            blitz::reduce(
                0, order::count, std::size_t{0},
                [&](std::size_t i) {
                    all.visit(i);
                    return i;
                },
                std::plus<>(), round % 3);
        }));
        assert_int_equal(all.least, 77);
    }
}

// Combine throws at multiples of 32 if its left operand is not empty. Which of these meets come first depends on
// thefts, but the reported exception is the first in order. The map of the last element has thrown before most of the
// parts meet.
void reductions_combine_in_serial_order(void **) {
    struct span {
        std::size_t lo, hi;
    };
    for (int round = 0; round < 20; round++) {
        order all;
        std::atomic<bool> torn{false};
        const std::string text = thrown_by([&] {
            blitz::reduce(
                0, order::count, span{0, 0},
                [&](std::size_t i) {
                    all.calls[i]++;
                    if (i == 0)
                        wait_a_while(all.late);
                    if (i == order::count - 1)
                        all.raise(i);
                    return span{i, i + 1};
                },
                [&](span left, span right) {
                    torn = torn || (left.hi != left.lo && left.hi != right.lo);
                    if (left.hi != left.lo && right.lo % 32 == 0)
                        all.raise(right.lo);
                    return span{left.hi == left.lo ? right.lo : left.lo, right.hi};
                },
                1);
        });
        all.expect(text);
        assert_false(torn);
        assert_true(all.least < order::count - 1);
    }
}

// If an element throws first in its part, all parts before it have been combined.
void reductions_combine_all_that_comes_before(void **) {
    for (int round = 0; round < 20; round++) {
        std::atomic<std::size_t> added{0};
        const std::string text = thrown_by([&] {
            blitz::reduce(
                0, order::count, std::size_t{0},
                [&](std::size_t i) {
                    if (i == 300)
                        throw std::runtime_error("300");
                    return std::size_t{1};
                },
                [&](std::size_t left, std::size_t right) {
                    std::size_t sum = left + right, before = added;
                    while (before < sum && sum <= 300 && !added.compare_exchange_weak(before, sum))
                        ;
                    return sum;
                },
                1);
        });
        assert_string_equal(text.c_str(), "300");
        assert_int_equal(added, 300);
    }
}

void joins_throw_in_serial_order(void **) {
    for (int i = 0; i < 100; i++) {
        std::atomic<int> runs{0};
        auto fn = [&](const char *text) {
            return [&runs, text] {
                runs++;
                if (*text)
                    throw std::runtime_error(text);
            };
        };
        assert_string_equal(
            thrown_by([&] { blitz::join(fn(""), fn("b"), fn(""), fn("d"), fn("e")); }).c_str(), "b");
        assert_int_equal(runs, 5);
    }
}

void scopes_throw_in_serial_order(void **) {
    const std::string text = thrown_by([] {
        blitz::scope([](blitz::tasks &tasks) {
            tasks.spawn([] { throw std::runtime_error("task"); });
            throw std::runtime_error("own");
        });
    });
    assert_string_equal(text.c_str(), "task");
}

// In a serial pool, later elements do not run in a loop either.
void serial_pools_do_nothing_after_an_exception(void **) {
    blitz_pool *pool = nullptr;
    blitz_config config{};
    config.flags = BLITZ_POOL_SERIAL;
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    blitz::call(pool, [] {
        order all;
        all.late = 1;
        all.expect(thrown_by([&] {
            blitz::for_each(
                std::size_t{0}, order::count, [&](std::size_t i) { all.visit(i); }, 8);
        }));
        for (std::size_t i = 78; i < order::count; i++)
            assert_int_equal(all.calls[i], 0);
    });
    assert_int_equal(blitz_pool_destroy(pool), 0);
}

// ---- scopes, calls and jobs ----

void scopes_wait_for_all(void **) {
    std::atomic<int> count{0};
    std::vector<std::unique_ptr<int>> results(100);
    blitz::scope([&](blitz::tasks &tasks) {
        for (int i = 0; i < 100; i++)
            tasks.spawn([&, i, owned = std::make_unique<int>(i)]() mutable {
                results[static_cast<std::size_t>(i)] = std::move(owned);
                tasks.spawn([&] { count++; });
            });
    });
    assert_int_equal(count, 100);
    for (int i = 0; i < 100; i++)
        assert_int_equal(*results[static_cast<std::size_t>(i)], i);
}

void scopes_throw_after_the_wait(void **) {
    std::atomic<int> count{0};
    auto both = [&] {
        blitz::scope([&](blitz::tasks &tasks) {
            for (int i = 0; i < 50; i++)
                tasks.spawn([&, i] {
                    count++;
                    if (i % 10 == 3)
                        throw std::runtime_error("task " + std::to_string(i));
                });
        });
    };
    assert_string_equal(thrown_by(both).c_str(), "task 3");
    assert_int_equal(count, 50);
    auto own = [&] {
        blitz::scope([&](blitz::tasks &tasks) {
            tasks.spawn([&] { count++; });
            throw std::runtime_error("own");
        });
    };
    assert_string_equal(thrown_by(own).c_str(), "own");
    assert_int_equal(count, 51);
}

void calls_return_values(void **) {
    blitz_pool *pool = nullptr;
    blitz_config config{};
    config.workers = 2;
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    assert_true(blitz::call(pool, [&] { return blitz_pool_current() == pool; }));
    assert_true(blitz::call(nullptr, [] { return std::string("text"); }) == "text");
    assert_string_equal(
        thrown_by([&] { blitz::call(pool, [] { throw std::runtime_error("inside"); }); }).c_str(), "inside");
    std::atomic<int> count{0};
    for (int i = 0; i < 100; i++) {
        blitz::submit(pool, [&, owned = std::make_unique<int>(1)] { count += *owned; });
        blitz::submit([&] { count++; });
    }
    assert_int_equal(blitz_pool_destroy(pool), 0);
    assert_int_equal(blitz_wait_idle(nullptr), 0);
    assert_int_equal(count, 200);
}

// ---- exceptions that the verbs of blitz.h do not catch ----

void leave_by_an_exception() {
    try {
        blitz_call(
            nullptr, [](void *) { throw std::runtime_error("left"); }, nullptr);
    } catch (const std::runtime_error &) {
    }
    blitz_call(
        nullptr, [](void *) {}, nullptr);
}

// In a child, whose standard error is read.
void an_exception_out_of_a_function_is_reported(void **) {
    int ends[2], status = 0;
    char line[256] = "";
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        alarm(100);
        leave_by_an_exception();
        _exit(0);
    }
    close(ends[1]);
    const ssize_t length = read(ends[0], line, sizeof line - 1);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(length > 0);
    assert_non_null(std::strstr(line, "was left by longjmp or an exception; it must return\n"));
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

} // namespace

int main() {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joins_take_any_number),
        cmocka_unit_test(joins_throw_what_comes_first),
        cmocka_unit_test(loops_reach_all_elements),
        cmocka_unit_test(loops_throw_what_was_thrown),
        cmocka_unit_test(reductions_keep_order),
        cmocka_unit_test(reductions_throw_and_lose_nothing),
        cmocka_unit_test(reductions_throw_what_comes_first),
        cmocka_unit_test(loops_throw_in_serial_order),
        cmocka_unit_test(reductions_throw_in_serial_order),
        cmocka_unit_test(reductions_combine_in_serial_order),
        cmocka_unit_test(reductions_combine_all_that_comes_before),
        cmocka_unit_test(joins_throw_in_serial_order),
        cmocka_unit_test(scopes_throw_in_serial_order),
        cmocka_unit_test(serial_pools_do_nothing_after_an_exception),
        cmocka_unit_test(scopes_wait_for_all),
        cmocka_unit_test(scopes_throw_after_the_wait),
        cmocka_unit_test(calls_return_values),
        cmocka_unit_test(an_exception_out_of_a_function_is_reported),
    };
    blitz_config config{};
    config.workers = 4;
    if (blitz_configure(&config))
        return 1;
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
