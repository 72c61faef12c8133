// api_values.cpp: the guarantees of blitz.hpp for pools, futures, options, sorts and reducers: any value and exception
// crosses.
#include <blitz.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <csetjmp>
#include <cstdarg>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

extern "C" {
#include <cmocka.h>
}

namespace {

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

// Counts its living objects.
struct counted {
    static std::atomic<int> alive;
    counted() {
        alive++;
    }
    counted(const counted &) {
        alive++;
    }
    counted(counted &&) noexcept {
        alive++;
    }
    counted &operator=(const counted &) = default;
    counted &operator=(counted &&) = default;
    ~counted() {
        alive--;
    }
};
std::atomic<int> counted::alive{0};

// ---- pools ----

void pools_are_objects(void **) {
    std::atomic<unsigned> marks{0};
    std::atomic<int> runs{0};
    {
        blitz::pool pool(3);
        assert_int_equal(pool.workers(), 3);
        assert_true(blitz::call(pool, [&] { return blitz_pool_current() == pool; }));
        blitz::broadcast(pool, [&](unsigned) { marks++; });
        assert_int_equal(marks, 3);
        pool.resize(2);
        assert_int_equal(pool.workers(), 2);
        for (int i = 0; i < 100; i++)
            blitz::submit(pool, [&] { runs++; });
        pool.wait_idle();
        assert_int_equal(runs, 100);
        std::atomic<unsigned> least{UINT_MAX};
        const std::string text = thrown_by([&] {
            blitz::broadcast(pool, [&](unsigned index) {
                for (unsigned seen = least; index < seen && !least.compare_exchange_weak(seen, index);)
                    ;
                throw std::runtime_error(std::to_string(index));
            });
        });
        assert_string_equal(text.c_str(), std::to_string(least).c_str());
        bool refused = false;
        blitz::call(pool, [&] {
            try {
                pool.wait_idle();
            } catch (const std::system_error &error) {
                refused = error.code().value() == EDEADLK;
            }
        });
        assert_true(refused);
        blitz::submit(pool, [&] { runs++; });
    } // waits
    assert_int_equal(runs, 101);
    blitz_config config{};
    config.flags = 0x80000000u;
    assert_true(!thrown_by([&] { blitz::pool unknown(config); }).empty());
}

// ---- futures ----

void futures_bring_values(void **) {
    blitz::pool pool(2);
    auto number = blitz::future_submit([] { return 42; });
    auto text = blitz::future_submit(pool, [word = std::string("text")] { return word + "!"; });
    auto owned =
        blitz::future_submit(pool, [part = std::make_unique<int>(7)]() mutable { return std::move(part); });
    blitz::future<void> nothing = blitz::future_submit([] {});
    assert_int_equal(number.get(), 42);
    assert_false(number.valid());
    assert_string_equal(text.get().c_str(), "text!");
    assert_int_equal(*owned.get(), 7);
    nothing.wait();
    assert_true(nothing.is_done());
    nothing.get();
    std::vector<blitz::future<int>> many;
    for (int i = 0; i < 1000; i++)
        many.push_back(blitz::future_submit(pool, [i] { return i; }));
    for (int i = 0; i < 1000; i++)
        assert_int_equal(many[static_cast<std::size_t>(i)].get(), i);
}

void futures_bring_exceptions(void **) {
    auto bad = blitz::future_submit([]() -> int { throw std::runtime_error("bad"); });
    assert_string_equal(thrown_by([&] { bad.get(); }).c_str(), "bad");
    assert_false(bad.valid());
    auto none = blitz::future_submit([] { throw std::logic_error("none"); });
    assert_string_equal(thrown_by([&] { none.get(); }).c_str(), "none");
}

void futures_can_be_waited_for_in_a_task(void **) {
    blitz::pool pool(2);
    int sum = blitz::call(pool, [&] {
        auto inner = blitz::future_submit(
            pool, [&] { return blitz::future_submit(pool, [] { return 20; }).get() + 1; });
        auto other = blitz::future_submit(pool, [] { return 21; });
        other.help();
        return inner.get() + other.get();
    });
    assert_int_equal(sum, 42);
}

void waits_have_a_limit(void **) {
    blitz::pool pool(1);
    std::atomic<bool> go{false};
    auto slow = blitz::future_submit(pool, [&] {
        while (!go)
            std::this_thread::yield();
        return 1;
    });
    assert_false(slow.wait_for(std::chrono::milliseconds(1)));
    assert_false(slow.wait_for(std::chrono::seconds(-1)));
    go = true;
    assert_true(slow.wait_for(std::chrono::hours(1)));
    assert_int_equal(slow.get(), 1);
}

void a_dropped_future_loses_nothing(void **) {
    counted::alive = 0;
    {
        blitz::pool pool(2);
        for (int i = 0; i < 200; i++) {
            auto dropped = blitz::future_submit(pool, [held = counted()] { return held; });
            auto moved = std::move(dropped);
            if (i % 2)
                moved = blitz::future_submit(pool, []() -> counted { throw std::runtime_error("lost"); });
        }
    }
    assert_int_equal(counted::alive, 0);
}

// ---- priority and cancellation ----

void cancelled_work_is_skipped_and_deleted(void **) {
    counted::alive = 0;
    int runs = 0;
    {
        blitz::token parent, token(&parent);
        blitz::pool pool(1);
        parent.cancel();
        assert_true(token.is_cancelled());
        blitz::submit(
            pool, [&, held = counted()] { runs++; }, token);
        auto skipped = blitz::future_submit(
            pool, [&, held = counted()] { return ++runs; }, token);
        bool was_cancelled = false;
        try {
            skipped.get();
        } catch (const blitz::cancelled &) {
            was_cancelled = true;
        }
        assert_true(was_cancelled);
        blitz::scope([&](blitz::tasks &tasks) { tasks.spawn([&, held = counted()] { runs++; }); }, token);
        assert_string_equal(thrown_by([&] {
                                blitz::for_each(
                                    0, 100, [&](std::size_t) { runs++; }, 0, token);
                            }).c_str(),
                            "blitz: cancelled");
        assert_string_equal(thrown_by([&] {
                                blitz::reduce(
                                    0, 100, counted(), [&](std::size_t) { return counted(); },
                                    [](counted left, const counted &) { return left; }, 0, token);
                            }).c_str(),
                            "blitz: cancelled");
    }
    assert_int_equal(runs, 0);
    assert_int_equal(counted::alive, 0);
}

void urgent_tasks_come_first(void **) {
    blitz::pool pool(1);
    std::atomic<bool> begun{false}, go{false};
    std::string order;
    blitz::submit(pool, [&] {
        begun = true;
        while (!go)
            std::this_thread::yield();
    });
    while (!begun)
        std::this_thread::yield();
    blitz::submit(
        pool, [&] { order += 'l'; }, blitz::priority::low);
    blitz::submit(
        pool, [&] { order += 'h'; }, blitz::priority::high);
    blitz::token token;
    auto normal = blitz::future_submit(pool, [&] { order += 'n'; }, {blitz::priority::normal, token});
    go = true;
    pool.wait_idle();
    assert_string_equal(order.c_str(), "hnl");
}

// ---- sorts ----

constexpr std::size_t many = 50000;

template <class Value, class Make>
std::vector<Value> random_values(std::uint32_t range, Make &&make) {
    std::mt19937 random(1);
    std::vector<Value> values;
    for (std::size_t i = 0; i < many; i++)
        values.push_back(make(random() % range, i));
    return values;
}

void sorts_are_those_of_the_standard(void **) {
    auto numbers = random_values<std::uint32_t>(UINT32_MAX, [](std::uint32_t n, std::size_t) { return n; });
    auto expected = numbers;
    blitz::sort(numbers);
    std::sort(expected.begin(), expected.end());
    assert_true(numbers == expected);
    std::uint32_t bias = 7; // a comparison with a state
    auto by_bias = [&bias](std::uint32_t a, std::uint32_t b) { return a % bias > b % bias; };
    blitz::stable_sort(numbers, by_bias);
    std::stable_sort(expected.begin(), expected.end(), by_bias);
    assert_true(numbers == expected);
    auto words =
        random_values<std::string>(1000, [](std::uint32_t n, std::size_t) { return std::to_string(n); });
    auto sorted = words;
    blitz::sort(words);
    std::sort(sorted.begin(), sorted.end());
    assert_true(words == sorted);
    int few[] = {3, 1, 2};
    blitz::sort(few, std::greater<>());
    assert_true(few[0] == 3 && few[2] == 1);
    std::vector<std::string> none;
    blitz::sort(none);
}

struct large {
    std::uint32_t key;
    std::size_t place;
    char rest[100];
};

void stable_sorts_keep_order(void **) {
    auto owned =
        random_values<std::pair<int, std::unique_ptr<std::size_t>>>(50, [](std::uint32_t n, std::size_t i) {
            return std::pair(static_cast<int>(n), std::make_unique<std::size_t>(i));
        });
    blitz::stable_sort(owned, [](const auto &a, const auto &b) { return a.first < b.first; });
    for (std::size_t i = 1; i < many; i++)
        assert_true(std::pair(owned[i - 1].first, *owned[i - 1].second) <
                    std::pair(owned[i].first, *owned[i].second));
    auto larges = random_values<large>(50, [](std::uint32_t n, std::size_t i) { return large{n, i, {}}; });
    blitz::stable_sort(larges, [](const large &a, const large &b) { return a.key < b.key; });
    for (std::size_t i = 1; i < many; i++)
        assert_true(std::pair(larges[i - 1].key, larges[i - 1].place) <
                    std::pair(larges[i].key, larges[i].place));
}

void a_sort_that_throws_keeps_all_elements(void **) {
    std::vector<std::size_t> numbers(many);
    std::iota(numbers.rbegin(), numbers.rend(), std::size_t{0});
    std::shuffle(numbers.begin(), numbers.end(), std::mt19937(2));
    std::vector<std::string> words;
    for (std::size_t n : numbers)
        words.push_back(std::to_string(n));
    std::atomic<int> left{1000};
    auto less = [&](const auto &a, const auto &b) {
        if (left-- == 0)
            throw std::runtime_error("compared");
        return a < b;
    };
    assert_string_equal(thrown_by([&] { blitz::sort(numbers, less); }).c_str(), "compared");
    left = 1000;
    assert_string_equal(thrown_by([&] { blitz::stable_sort(words, less); }).c_str(), "compared");
    std::sort(numbers.begin(), numbers.end());
    std::sort(words.begin(), words.end());
    for (std::size_t i = 0; i < many; i++)
        assert_int_equal(numbers[i], i);
    assert_true(std::unique(words.begin(), words.end()) == words.end());
}

// ---- reducers ----

void reducers_keep_order(void **) {
    blitz::reducer words([] { return std::string(); }, std::plus<>());
    blitz::for_each(0, 5000, [&](std::size_t i) { words.view() += std::to_string(i) + ' '; });
    std::string expected;
    for (int i = 0; i < 5000; i++)
        expected += std::to_string(i) + ' ';
    assert_true(words.get() == expected);
    blitz::reducer least([] { return INT_MAX; }, [](int a, int b) { return std::min(a, b); });
    blitz::join([&] { least.view() = 3; }, [&] { least.view() = 2; });
    assert_int_equal(least.get(), 2);
    blitz::reducer unused([] { return 5; }, std::plus<>());
    assert_int_equal(unused.get(), 5);
}

void reducers_take_values_that_only_move(void **) {
    using list = std::vector<std::unique_ptr<std::size_t>>;
    counted::alive = 0;
    {
        blitz::reducer items([] { return list(); },
                             [](list left, list right) {
                                 for (auto &item : right)
                                     left.push_back(std::move(item));
                                 return left;
                             });
        blitz::reducer dropped([] { return counted(); }, [](counted left, const counted &) { return left; });
        blitz::for_each(
            0, 2000,
            [&](std::size_t i) {
                items.view().push_back(std::make_unique<std::size_t>(i));
                dropped.view();
            },
            10);
        list all = items.get();
        assert_int_equal(all.size(), 2000);
        for (std::size_t i = 0; i < all.size(); i++)
            assert_int_equal(*all[i], i);
    }
    assert_int_equal(counted::alive, 0);
}

void reducers_throw_what_combine_throws(void **) {
    blitz::reducer bad([] { return 0; }, [](int, int) -> int { throw std::runtime_error("combine"); });
    std::atomic<bool> stolen{false};
    blitz::join(
        [&] {
            bad.view()++;
            while (!stolen)
                std::this_thread::yield();
        },
        [&] {
            stolen = true;
            bad.view()++;
        });
    assert_string_equal(thrown_by([&] { bad.get(); }).c_str(), "combine");
}

} // namespace

int main() {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pools_are_objects),
        cmocka_unit_test(futures_bring_values),
        cmocka_unit_test(futures_bring_exceptions),
        cmocka_unit_test(futures_can_be_waited_for_in_a_task),
        cmocka_unit_test(waits_have_a_limit),
        cmocka_unit_test(a_dropped_future_loses_nothing),
        cmocka_unit_test(cancelled_work_is_skipped_and_deleted),
        cmocka_unit_test(urgent_tasks_come_first),
        cmocka_unit_test(sorts_are_those_of_the_standard),
        cmocka_unit_test(stable_sorts_keep_order),
        cmocka_unit_test(a_sort_that_throws_keeps_all_elements),
        cmocka_unit_test(reducers_keep_order),
        cmocka_unit_test(reducers_take_values_that_only_move),
        cmocka_unit_test(reducers_throw_what_combine_throws),
    };
    blitz_config config{};
    config.workers = 4;
    if (blitz_configure(&config))
        return 1;
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
