/*
 * blitz.hpp: the verbs of blitz.h for C++17, with lambdas and anything else that can be called.
 *
 *     blitz::join([&] { sort(left); }, [&] { sort(right); });
 *     blitz::for_each(values, [](double &value) { value *= 2; });
 *     double sum = blitz::reduce(0, n, 0.0, [&](std::size_t i) { return values[i]; }, std::plus<>());
 *     blitz::scope([&](blitz::tasks &tasks) { for (auto &file : files) tasks.spawn([&] { read(file); }); });
 *     blitz::submit([message] { log(message); });
 *
 * Header only, and thin: every verb is one of blitz.h, which says what holds for it. Callables are called through
 * references where their verb waits for them, and moved to the heap where not.
 *
 * Exceptions. What a callable throws is caught where it runs. A verb that waits does so to the end, and then throws to its
 * caller what the serial program would have met first, with all done that comes before it there. Of what comes after it
 * something may have been done, too: all functions of a join, all tasks of a scope, and what pieces of a loop had begun.
 * Other exceptions are dropped. What a submitted callable throws ends the program by std::terminate. Without memory a verb
 * throws std::bad_alloc, and nothing has run.
 *
 * Cancellation, futures and further options are used through blitz.h, with captureless lambdas or plain functions.
 */
#ifndef BLITZ_HPP
#define BLITZ_HPP

#if !defined(__cplusplus) || __cplusplus < 201703L
#    error "blitz.hpp needs C++17 (-std=c++17 or later); blitz.h and blitz/cilk.h are for C and C++11, too"
#else

#    include <blitz.h>

#    include <atomic>
#    include <cerrno>
#    include <cstddef>
#    include <cstdint>
#    include <exception>
#    include <iterator>
#    include <memory>
#    include <mutex>
#    include <new>
#    include <optional>
#    include <tuple>
#    include <type_traits>
#    include <utility>

namespace blitz {

/* Not for direct use. */
namespace detail {

/* The exception that the serial program would have met first: that of the least place. */
class first_error {
  public:
    /* Calls fn(); keeps what it throws. False: it did. */
    template <class Fn>
    bool guard(std::size_t place, Fn &&fn) noexcept {
        try {
            fn();
        } catch (...) {
            keep(place);
            return false;
        }
        return true;
    }
    /* Within a handler. Of one place it is the first that counts. */
    void keep(std::size_t place) noexcept {
        std::lock_guard<std::mutex> lock(mutex_);
        if (!is_before(place))
            return;
        error_ = std::current_exception();
        place_.store(place, std::memory_order_relaxed);
    }
    /* Whether the serial program might come to this place, as far as is known: it is to be done. A hint while others are at
     * it: the joins order what counts. */
    bool is_before(std::size_t place) const noexcept {
        return place < place_.load(std::memory_order_relaxed);
    }
    /* After all has been waited for. */
    void rethrow() {
        if (error_)
            std::rethrow_exception(error_);
    }

  private:
    std::mutex mutex_;
    std::exception_ptr error_;
    std::atomic<std::size_t> place_{SIZE_MAX}; /* of the error; no place is as high */
};

/* A call on the caller's stack. */
template <class Fn>
struct call_of {
    Fn *fn;
    first_error *error;
    std::size_t place;

    static void run(void *arg) noexcept {
        auto *self = static_cast<call_of *>(arg);
        self->error->guard(self->place, *self->fn);
    }
};

/* A callable on the heap, called once; whatever it throws ends the program. */
template <class Fn>
void run_and_delete(void *arg) noexcept {
    std::unique_ptr<Fn> fn(static_cast<Fn *>(arg));
    (*fn)();
}

inline void check(int error) {
    if (error == ENOMEM)
        throw std::bad_alloc();
}

/* Calls body(i, to) for pieces of [lo, hi): it goes from i to `to`, and i tells where it is. */
template <class Body>
void for_pieces(std::size_t lo, std::size_t hi, std::size_t grain, Body &body) {
    struct loop {
        Body *body;
        first_error error;
    } loop{&body, {}};
    blitz_for(
        lo, hi, grain,
        [](std::size_t from, std::size_t to, void *ctx) noexcept {
            auto *all = static_cast<struct loop *>(ctx);
            std::size_t i = from;
            if (all->error.is_before(from)) /* else the loop goes on for those that come before */
                try {
                    (*all->body)(i, to);
                } catch (...) {
                    all->error.keep(i);
                }
            return 0;
        },
        &loop);
    loop.error.rethrow();
}

} // namespace detail

/* ---- Fork and join ---- */

/* Calls all of them, perhaps at once, and returns when they are done. The first is called on this thread. */
template <class... Fns>
void join(Fns &&...fns) {
    static_assert(sizeof...(Fns) > 0, "something to join");
    detail::first_error error;
    std::size_t place = 0;
    /* In braces, they are made from left to right. */
    std::tuple<detail::call_of<std::remove_reference_t<Fns>>...> calls{
        detail::call_of<std::remove_reference_t<Fns>>{&fns, &error, place++}...};
    std::apply(
        [](auto &...call) {
            const blitz_task tasks[] = {{call.run, &call}...};
            if constexpr (sizeof...(Fns) == 2)
                blitz_join(tasks[0].fn, tasks[0].arg, tasks[1].fn, tasks[1].arg);
            else
                blitz_join_n(tasks, sizeof...(Fns));
        },
        calls);
    error.rethrow();
}

/* Calls fn() inside a pool (null: the current or the global one) and returns what it returned. */
template <class Fn>
auto call(blitz_pool *pool, Fn &&fn) -> std::invoke_result_t<Fn &> {
    using result = std::invoke_result_t<Fn &>;
    detail::first_error error;
    if constexpr (std::is_void_v<result>) {
        detail::call_of<std::remove_reference_t<Fn>> one{&fn, &error, 0};
        detail::check(blitz_call(pool, one.run, &one));
        error.rethrow();
    } else {
        static_assert(!std::is_reference_v<result>, "results are values");
        std::optional<result> value;
        auto keep = [&] { value.emplace(fn()); };
        detail::call_of<decltype(keep)> one{&keep, &error, 0};
        detail::check(blitz_call(pool, one.run, &one));
        error.rethrow();
        return std::move(*value);
    }
}

/* ---- Loops ---- */

/* Calls fn(i) for all indices of [lo, hi). grain as for blitz_for. */
template <class Fn>
void for_each(std::size_t lo, std::size_t hi, Fn &&fn, std::size_t grain = 0) {
    auto body = [&fn](std::size_t &i, std::size_t to) {
        for (; i < to; i++)
            fn(i);
    };
    detail::for_pieces(lo, hi, grain, body);
}

/* Calls fn(element) for all elements of a range with random access: a vector, an array, a span. */
template <class Range, class Fn, class = decltype(std::begin(std::declval<Range &>()))>
void for_each(Range &&range, Fn &&fn, std::size_t grain = 0) {
    auto first = std::begin(range);
    using iterator = decltype(first);
    using difference = typename std::iterator_traits<iterator>::difference_type;
    static_assert(std::is_base_of_v<std::random_access_iterator_tag,
                                    typename std::iterator_traits<iterator>::iterator_category>,
                  "a range with random access");
    static_assert(std::is_reference_v<typename std::iterator_traits<iterator>::reference>,
                  "elements of their own: those of std::vector<bool> share words");
    auto count = static_cast<std::size_t>(std::distance(first, std::end(range)));
    auto body = [&fn, first](std::size_t &i, std::size_t to) {
        for (auto at = first + static_cast<difference>(i); i < to; ++at, i++)
            fn(*at);
    };
    detail::for_pieces(0, count, grain, body);
}

namespace detail {

/* What a reduction has of a part of its range: null is the identity. first: where the part begins. */
template <class Value>
struct part {
    Value *value;
    std::size_t first;
};

} // namespace detail

/* identity + map(lo) + ... + map(hi - 1), where + is combine(left, right) -> value, associative, with identity + x = x. The
 * operands keep their order. Values may be of any type that can be copied and moved.
 *
 * What map(i) throws counts as thrown at i; what combine throws, where its right operand begins. Of all that was thrown the
 * least index comes out, map has been called for all below it, and all of that has been combined, but for operands that
 * combine had taken when it threw. */
template <class Value, class Map, class Combine>
Value reduce(std::size_t lo, std::size_t hi, const Value &identity, Map &&map, Combine &&combine,
             std::size_t grain = 0) {
    struct loop {
        const Value *identity;
        std::remove_reference_t<Map> *map;
        std::remove_reference_t<Combine> *combine;
        detail::first_error error;

        /* sum + map(i) + ..., as far as nothing is thrown. Returns the first index that was not added. False in *whole: the
         * sum is lost. */
        std::size_t add(std::size_t i, std::size_t to, Value &sum, bool *whole) {
            *whole = true;
            try {
                for (; i < to; i++) {
                    auto &&next = (*map)(i);
                    *whole = false;
                    sum = (*combine)(std::move(sum), std::forward<decltype(next)>(next));
                    *whole = true;
                }
            } catch (...) {
                error.keep(i);
            }
            return i;
        }
    } loop{&identity, &map, &combine, {}};
    using part = detail::part<Value>;
    const part none{nullptr, 0};
    blitz_reduce_op op{};
    op.size = sizeof(part);
    op.identity = &none;
    op.map = [](std::size_t from, std::size_t to, void *slot, void *ctx) noexcept {
        auto *all = static_cast<struct loop *>(ctx);
        auto *own = static_cast<part *>(slot);
        std::unique_ptr<Value> kept(std::exchange(own->value, nullptr));
        std::size_t i = from;
        if (all->error.is_before(from))
            (void)all->error.guard(i, [&] {
                bool whole;
                Value sum = kept ? std::move(*kept) : *all->identity;
                i = all->add(from, to, sum, &whole);
                if (!whole || (!kept && i == from)) {
                    kept.reset();
                } else if (kept) {
                    *kept = std::move(sum);
                } else {
                    kept.reset(new Value(std::move(sum)));
                    own->first = from;
                }
            });
        own->value = kept.release();
        return 0; /* so that all that was made is combined, and none lost */
    };
    op.combine = [](void *left_slot, const void *right_slot, void *ctx) noexcept {
        auto *all = static_cast<struct loop *>(ctx);
        auto *left = static_cast<part *>(left_slot);
        const auto *right = static_cast<const part *>(right_slot);
        std::unique_ptr<Value> owner(right->value), sum(left->value);
        if (owner && sum && all->error.is_before(right->first) && !all->error.guard(right->first, [&] {
                *sum = (*all->combine)(std::move(*sum), std::move(*owner));
            }))
            sum.reset();
        left->value = sum.release();
    };
    part result{nullptr, 0};
    int error = blitz_reduce(lo, hi, grain, &op, &loop, &result);
    std::unique_ptr<Value> owner(result.value);
    detail::check(error);
    loop.error.rethrow();
    return owner ? std::move(*owner) : identity;
}

/* ---- Scopes ---- */

/* What a scope's function gets, and its tasks may use: to spawn tasks. */
class tasks {
  public:
    tasks(const tasks &) = delete;
    tasks &operator=(const tasks &) = delete;

    /* Lets fn() run, some time before the scope ends. Within the scope's function or a task of it. */
    template <class Fn>
    void spawn(Fn &&fn) {
        using callable = std::decay_t<Fn>;
        struct task {
            callable fn;
            tasks *group;
            std::size_t place;
        };
        auto made = std::make_unique<task>(
            task{std::forward<Fn>(fn), this, spawned_.fetch_add(1, std::memory_order_relaxed)});
        blitz_scope_spawn(
            &scope_,
            [](void *arg) noexcept {
                std::unique_ptr<task> self(static_cast<task *>(arg));
                self->group->error_.guard(self->place, self->fn);
            },
            made.release());
    }

  private:
    template <class Fn>
    friend void scope(Fn &&fn);
    tasks() {
        blitz_scope_begin(&scope_);
    }
    blitz_scope scope_;
    std::atomic<std::size_t> spawned_{0};
    detail::first_error error_;
};

/* Calls fn(tasks), and returns when that and all that was spawned is done. What is thrown: what the task threw that was
 * spawned first of those that did, since serially a task runs where it is spawned; else what fn threw. The order in which
 * several tasks spawn is left open. */
template <class Fn>
void scope(Fn &&fn) {
    tasks group;
    std::exception_ptr own;
    try {
        fn(group);
    } catch (...) {
        own = std::current_exception();
    }
    blitz_scope_wait(&group.scope_);
    group.error_.rethrow();
    if (own)
        std::rethrow_exception(own);
}

/* ---- Jobs that nobody waits for ---- */

/* Lets fn() run in a pool (null: the global one), some time. */
template <class Fn>
void submit(blitz_pool *pool, Fn &&fn) {
    using callable = std::decay_t<Fn>;
    auto made = std::make_unique<callable>(std::forward<Fn>(fn));
    detail::check(blitz_submit(pool, detail::run_and_delete<callable>, made.get()));
    (void)made.release();
}

/* The same for the global pool. */
template <class Fn>
void submit(Fn &&fn) {
    submit(nullptr, std::forward<Fn>(fn));
}

} // namespace blitz

#endif
#endif
