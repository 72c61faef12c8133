/*
 * blitz.hpp: the verbs of blitz.h for C++17, with lambdas, values of any type, and exceptions.
 *
 *     blitz::join([&] { sort(left); }, [&] { sort(right); });
 *     blitz::for_each(values, [](double &value) { value *= 2; });
 *     double sum = blitz::reduce(0, n, 0.0, [&](std::size_t i) { return values[i]; }, std::plus<>());
 *     blitz::scope([&](blitz::tasks &tasks) { for (auto &file : files) tasks.spawn([&] { read(file); }); });
 *     blitz::future<std::string> page = blitz::future_submit([url] { return load(url); });
 *     blitz::sort(names);
 *
 *   join, for_each, reduce, scope             structured work: done when the verb returns
 *   submit, future_submit, future             work in the background, without and with a result
 *   pool, call, broadcast                     pools of one's own
 *   priority, token, options, cancelled       priority and cancellation
 *   sort, stable_sort                         sorts of arrays
 *   reducer                                   a variable that parallel work adds to without locks
 *
 * Header only: each verb is the one of that name in blitz.h, where its rules are. A verb that waits calls its callables by
 * reference; others move them to the heap. Values and callables may be move-only.
 *
 * Exceptions: a verb that waits completes, then throws to its caller the exception that the serial program would have met
 * first. All work that comes before it in serial order is done; work that comes after it may be done: all functions of a
 * join, all tasks of a scope, and the pieces of a loop that had begun. Other exceptions are dropped. future::get throws
 * what the task threw. An exception of a task without a future ends the program by std::terminate. Without memory a verb
 * throws std::bad_alloc before any work has run; other errors of blitz.h are std::system_error.
 */
#ifndef BLITZ_HPP
#define BLITZ_HPP

#if !defined(__cplusplus) || __cplusplus < 201703L
#    error "blitz.hpp needs C++17 (-std=c++17 or later); blitz.h and blitz/cilk.h are for C and C++11"
#else

#    include <blitz.h>
#    include <blitz/reducer.h>
#    include <blitz/sort.h>

#    include <atomic>
#    include <cerrno>
#    include <chrono>
#    include <cstddef>
#    include <cstdint>
#    include <exception>
#    include <functional>
#    include <iterator>
#    include <memory>
#    include <mutex>
#    include <new>
#    include <optional>
#    include <system_error>
#    include <tuple>
#    include <type_traits>
#    include <utility>
#    include <variant>

namespace blitz {

/* ---- Priority and cancellation ---- */

/* Thrown by a loop, a reduction or future::get whose work was cancelled. */
class cancelled : public std::exception {
  public:
    /* A constant text. */
    const char *what() const noexcept override {
        return "blitz: cancelled";
    }
};

/* blitz_token: cancels work that has not begun. It must outlive all work that is bound to it. Any thread. */
class token {
  public:
    /* With a parent, which must live as long, it counts as cancelled when the parent is. */
    explicit token(const token *parent = nullptr) noexcept {
        blitz_token_init(&token_, parent ? &parent->token_ : nullptr);
    }
    token(const token &) = delete;
    token &operator=(const token &) = delete;

    /* blitz_token_cancel. */
    void cancel() noexcept {
        blitz_token_cancel(&token_);
    }
    /* blitz_token_is_cancelled. */
    bool is_cancelled() const noexcept {
        return blitz_token_is_cancelled(&token_) != 0;
    }
    /* For the verbs of blitz.h. */
    const blitz_token *get() const noexcept {
        return &token_;
    }

  private:
    blitz_token token_;
};

/* Order among submitted tasks. */
enum class priority { low = BLITZ_PRIORITY_LOW, normal = BLITZ_PRIORITY_NORMAL, high = BLITZ_PRIORITY_HIGH };

/* blitz_options: made from a priority, a token or both. */
struct options : blitz_options {
    /* A priority without a token. */
    options(enum priority value = priority::normal) noexcept
        : blitz_options{static_cast<int>(value), nullptr} {
    }
    /* A token, which must outlive the work. */
    options(const class token &bound) noexcept : options(priority::normal, bound) {
    }
    /* Both. */
    options(enum priority value, const class token &bound) noexcept
        : blitz_options{static_cast<int>(value), bound.get()} {
    }
};

/* Not for direct use. */
namespace detail {

/* The exception that the serial program would have met first: the one of the lowest place. */
class first_error {
  public:
    /* Calls fn() and keeps its exception. Returns false if there was one. */
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
    /* Called in a handler. Of one place the first exception counts. */
    void keep(std::size_t place) noexcept {
        std::lock_guard<std::mutex> lock(mutex_);
        if (!is_before(place))
            return;
        error_ = std::current_exception();
        place_.store(place, std::memory_order_relaxed);
    }
    /* Whether the serial program might reach this place: no exception is known before it. A hint while others run. */
    bool is_before(std::size_t place) const noexcept {
        return place < place_.load(std::memory_order_relaxed);
    }
    /* After the wait for all work. */
    void rethrow() {
        if (error_)
            std::rethrow_exception(error_);
    }

  private:
    std::mutex mutex_;
    std::exception_ptr error_;
    /* Place of the error; SIZE_MAX: no error. */
    std::atomic<std::size_t> place_{SIZE_MAX};
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

inline void check(int error) {
    if (error == ENOMEM)
        throw std::bad_alloc();
    if (error == ECANCELED)
        throw cancelled();
    if (error)
        throw std::system_error(error, std::generic_category());
}

/* Calls body(i, to) for pieces of [lo, hi). body advances i to `to`; after an exception i is its place. */
template <class Body>
void for_pieces(std::size_t lo, std::size_t hi, std::size_t grain, Body &body, const options &options) {
    struct loop {
        Body *body;
        first_error error;
    } loop{&body, {}};
    int error = blitz_for_with(
        lo, hi, grain,
        [](std::size_t from, std::size_t to, void *ctx) noexcept {
            auto *all = static_cast<struct loop *>(ctx);
            std::size_t i = from;
            if (all->error.is_before(from)) /* else the loop goes on for pieces that come before */
                try {
                    (*all->body)(i, to);
                } catch (...) {
                    all->error.keep(i);
                }
            return 0;
        },
        &loop, &options);
    loop.error.rethrow();
    check(error);
}

} // namespace detail

/* ---- Fork and join ---- */

/* Calls all functions, possibly in parallel, and returns when they are done. This thread calls the first one. */
template <class... Fns>
void join(Fns &&...fns) {
    static_assert(sizeof...(Fns) > 0, "join needs a function");
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

/* ---- Loops ---- */

/* Calls fn(i) for all indices of [lo, hi). grain as for blitz_for. Throws cancelled if the token of the options was
 * cancelled before all was done. */
template <class Fn>
void for_each(std::size_t lo, std::size_t hi, Fn &&fn, std::size_t grain = 0, const options &options = {}) {
    auto body = [&fn](std::size_t &i, std::size_t to) {
        for (; i < to; i++)
            fn(i);
    };
    detail::for_pieces(lo, hi, grain, body, options);
}

/* The same for the elements of a range with random access: fn(element). A vector, an array, a span. */
template <class Range, class Fn, class = decltype(std::begin(std::declval<Range &>()))>
void for_each(Range &&range, Fn &&fn, std::size_t grain = 0, const options &options = {}) {
    auto first = std::begin(range);
    using iterator = decltype(first);
    using difference = typename std::iterator_traits<iterator>::difference_type;
    static_assert(std::is_base_of_v<std::random_access_iterator_tag,
                                    typename std::iterator_traits<iterator>::iterator_category>,
                  "for_each needs a range with random access");
    static_assert(std::is_reference_v<typename std::iterator_traits<iterator>::reference>,
                  "elements must be objects: those of std::vector<bool> share words");
    auto count = static_cast<std::size_t>(std::distance(first, std::end(range)));
    auto body = [&fn, first](std::size_t &i, std::size_t to) {
        for (auto at = first + static_cast<difference>(i); i < to; ++at, i++)
            fn(*at);
    };
    detail::for_pieces(0, count, grain, body, options);
}

namespace detail {

/* The value of a part of the range, which begins at `first`. Null: the identity. */
template <class Value>
struct part {
    Value *value;
    std::size_t first;
};

} // namespace detail

/* Returns identity + map(lo) + ... + map(hi - 1), where + is combine(left, right): associative, with identity + x = x.
 * Operands keep their order. Values can be copied and moved. Throws cancelled as for_each.
 *
 * An exception of map(i) belongs to the index i, one of combine to the index where its right operand begins. The exception
 * of the lowest index is thrown. map has been called for all lower indices, and their values are combined, except for
 * operands that combine had taken when it threw. */
template <class Value, class Map, class Combine>
Value reduce(std::size_t lo, std::size_t hi, const Value &identity, Map &&map, Combine &&combine,
             std::size_t grain = 0, const options &options = {}) {
    struct loop {
        const Value *identity;
        std::remove_reference_t<Map> *map;
        std::remove_reference_t<Combine> *combine;
        detail::first_error error;

        /* sum = sum + map(i) + ... up to an exception. Returns the first index that was not added. *whole becomes false if
         * the exception destroyed the sum. */
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
        return 0; /* the loop goes on, so that combine sees every value, and none leaks */
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
    int error = blitz_reduce_with(lo, hi, grain, &op, &loop, &options, &result);
    std::unique_ptr<Value> owner(result.value);
    loop.error.rethrow();
    detail::check(error);
    return owner ? std::move(*owner) : identity;
}

/* ---- Scopes ---- */

class tasks;
template <class Fn>
void scope(Fn &&fn, const options &options = {});

/* A scope: its function and its tasks spawn into it. */
class tasks {
  public:
    tasks(const tasks &) = delete;
    tasks &operator=(const tasks &) = delete;

    /* Spawns fn(): it runs before the scope ends. Within the scope's function, or a task of it. Cost: an allocation. */
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
                if (!blitz_token_is_cancelled(self->group->token_))
                    self->group->error_.guard(self->place, self->fn);
            },
            made.release());
    }

  private:
    template <class Fn>
    friend void scope(Fn &&fn, const options &options);
    explicit tasks(const blitz_token *bound) : token_(bound) {
        blitz_scope_begin(&scope_);
    }
    blitz_scope scope_;
    /* Asked by the task, so that a skipped one is deleted. */
    const blitz_token *token_;
    std::atomic<std::size_t> spawned_{0};
    detail::first_error error_;
};

/* Calls fn(tasks), and returns when it and all spawned tasks are done. Throws the exception of the task that was spawned
 * first, since the serial program runs a task where it is spawned; else the exception of fn. The order of spawns by
 * different tasks is unspecified. Cancellation skips tasks that have not begun, and throws nothing. */
template <class Fn>
void scope(Fn &&fn, const options &options) {
    tasks group(options.token);
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

/* ---- Pools ---- */

/* A pool of its own threads, which the destructor ends: then no thread may be inside. Converts to blitz_pool *, so all verbs
 * with a pool take it. */
class pool {
  public:
    /* 0 workers: the default number. */
    explicit pool(unsigned workers = 0) {
        blitz_config config{};
        config.workers = workers;
        make(config);
    }
    /* Throws std::system_error for an unknown flag. */
    explicit pool(const blitz_config &config) {
        make(config);
    }
    pool(const pool &) = delete;
    pool &operator=(const pool &) = delete;
    ~pool() {
        blitz_pool_destroy(pool_);
    }

    /* For all verbs with a pool. */
    operator blitz_pool *() const noexcept {
        return pool_;
    }
    /* blitz_pool_workers. */
    unsigned workers() const noexcept {
        return blitz_pool_workers(pool_);
    }
    /* blitz_pool_resize. */
    void resize(unsigned workers) {
        detail::check(blitz_pool_resize(pool_, workers));
    }
    /* Waits until all submitted tasks are done. Throws std::system_error inside the pool. */
    void wait_idle() {
        detail::check(blitz_wait_idle(pool_));
    }

  private:
    void make(const blitz_config &config) {
        detail::check(blitz_pool_create(&config, &pool_));
    }
    blitz_pool *pool_ = nullptr;
};

/* Calls fn() inside a pool (null: the global one) and returns its result. */
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

/* Calls fn(index) once on each worker of a pool (null: the global one), between two tasks; index is its blitz_worker_index.
 * Throws the exception of the lowest index. */
template <class Fn>
void broadcast(blitz_pool *pool, Fn &&fn) {
    struct all {
        std::remove_reference_t<Fn> *fn;
        detail::first_error error;
    } all{&fn, {}};
    detail::check(blitz_broadcast(
        pool,
        [](unsigned index, void *arg) noexcept {
            auto *each = static_cast<struct all *>(arg);
            each->error.guard(index, [&] { (*each->fn)(index); });
        },
        &all));
    all.error.rethrow();
}

/* ---- Submitted tasks ---- */

/* Submits fn() to a pool (null: the global one). Its exceptions end the program. A cancelled task is skipped. */
template <class Fn>
void submit(blitz_pool *pool, Fn &&fn, const options &options = {}) {
    struct task {
        std::decay_t<Fn> fn;
        const blitz_token *token;
    };
    auto made = std::make_unique<task>(task{std::forward<Fn>(fn), options.token});
    blitz_options queued = options;
    queued.token = nullptr; /* asked below, so that a skipped task is deleted */
    detail::check(blitz_submit_with(
        pool,
        [](void *arg) noexcept {
            std::unique_ptr<task> self(static_cast<task *>(arg));
            if (!blitz_token_is_cancelled(self->token))
                self->fn();
        },
        made.get(), &queued));
    (void)made.release();
}

/* The same for the global pool. */
template <class Fn>
void submit(Fn &&fn, const options &options = {}) {
    submit(static_cast<blitz_pool *>(nullptr), std::forward<Fn>(fn), options);
}

namespace detail {

/* The outcome of a task with a future, shared by both: the last one deletes it. */
template <class Value>
struct outcome {
    std::atomic<int> holders{2};
    std::optional<std::conditional_t<std::is_void_v<Value>, std::monostate, Value>> value;
    std::exception_ptr error;

    outcome() = default;
    outcome(const outcome &) = delete;
    outcome &operator=(const outcome &) = delete;
    virtual ~outcome() = default;
    void let_go() noexcept {
        if (holders.fetch_sub(1, std::memory_order_acq_rel) == 1)
            delete this;
    }
};

/* With the callable, which is destroyed when it has run. */
template <class Value, class Fn>
struct outcome_of : outcome<Value> {
    std::optional<Fn> fn;
    const blitz_token *token;

    template <class From>
    outcome_of(From &&from, const blitz_token *bound) : fn(std::forward<From>(from)), token(bound) {
    }
    static std::intptr_t run(void *arg) noexcept {
        auto *self = static_cast<outcome_of *>(arg);
        try {
            if (blitz_token_is_cancelled(self->token))
                throw cancelled();
            if constexpr (std::is_void_v<Value>) {
                (*self->fn)();
                self->value.emplace();
            } else {
                self->value.emplace((*self->fn)());
            }
        } catch (...) {
            self->error = std::current_exception();
        }
        self->fn.reset();
        self->let_go();
        return 0;
    }
};

} // namespace detail

/* The result of a submitted task. Move-only; its destructor does not wait. One thread at a time. */
template <class Value>
class future {
    static_assert(!std::is_reference_v<Value>, "results are values");

  public:
    /* Of no task. */
    future() noexcept = default;
    /* Takes over the task. */
    future(future &&from) noexcept
        : future_(std::exchange(from.future_, nullptr)), outcome_(std::exchange(from.outcome_, nullptr)) {
    }
    /* Exchanges the tasks. */
    future &operator=(future &&from) noexcept {
        std::swap(future_, from.future_);
        std::swap(outcome_, from.outcome_);
        return *this;
    }
    ~future() {
        blitz_future_drop(future_);
        if (outcome_)
            outcome_->let_go();
    }

    /* False after get, after a move, and for a future of no task. The functions below need true. */
    bool valid() const noexcept {
        return future_ != nullptr;
    }
    /* blitz_future_is_done. */
    bool is_done() const noexcept {
        return blitz_future_is_done(future_) != 0;
    }
    /* Waits for the task, as blitz_future_wait. Throws std::system_error within the task, and cancelled in the child of a
     * fork() whose parent has the task. */
    void wait() {
        detail::check(blitz_future_wait(future_, nullptr));
    }
    /* Waits, but runs unrelated tasks meanwhile, as blitz_future_help: hold no lock. */
    void help() {
        detail::check(blitz_future_help(future_, nullptr));
    }
    /* Waits for a time at most. Returns whether the task is done. */
    template <class Rep, class Period>
    bool wait_for(std::chrono::duration<Rep, Period> time) {
        auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
        int error = blitz_future_wait_for(future_, ns > 0 ? static_cast<std::uint64_t>(ns) : 0, nullptr);
        if (error != ETIMEDOUT)
            detail::check(error);
        return error == 0;
    }
    /* Waits, then returns the result or throws the task's exception: cancelled, if the task was skipped. Once. */
    Value get() {
        wait();
        future done(std::move(*this));
        if (done.outcome_->error)
            std::rethrow_exception(done.outcome_->error);
        if constexpr (!std::is_void_v<Value>)
            return std::move(*done.outcome_->value);
    }

  private:
    /** @cond */
    template <class Fn>
    friend auto future_submit(blitz_pool *pool, Fn &&fn, const options &options)
        -> future<std::invoke_result_t<std::decay_t<Fn> &>>;
    /** @endcond */
    blitz_future *future_ = nullptr;
    detail::outcome<Value> *outcome_ = nullptr;
};

/* Submits fn() to a pool (null: the global one), and returns the future of its result. Cost: two allocations. */
template <class Fn>
auto future_submit(blitz_pool *pool, Fn &&fn, const options &options = {})
    -> future<std::invoke_result_t<std::decay_t<Fn> &>> {
    using value = std::invoke_result_t<std::decay_t<Fn> &>;
    using outcome = detail::outcome_of<value, std::decay_t<Fn>>;
    auto made = std::make_unique<outcome>(std::forward<Fn>(fn), options.token);
    blitz_options queued = options;
    queued.token = nullptr; /* asked by the task, so that its memory is freed */
    future<value> result;
    detail::check(blitz_future_submit(pool, outcome::run, made.get(), &queued, &result.future_));
    result.outcome_ = made.release();
    return result;
}

/* The same for the global pool. */
template <class Fn>
auto future_submit(Fn &&fn, const options &options = {}) {
    return future_submit(static_cast<blitz_pool *>(nullptr), std::forward<Fn>(fn), options);
}

/* ---- Sorts ---- */

namespace detail {

#    pragma GCC diagnostic push
#    pragma GCC diagnostic ignored "-Wold-style-cast" /* of blitz/sort.h, which is C */

/* The sorter of elements that are their bytes. An exception of the comparison is kept, and the sort goes on with a wrong
 * answer, which it survives. */
template <class Value, class Less>
struct sorter {
    struct context {
        const Less *less;
        first_error *error;
    };
    BLITZ_SORT_INLINE_ int by_less_(const void *a, const void *b, const void *ctx) noexcept {
        const auto *with = static_cast<const context *>(ctx);
        try {
            return (*with->less)(*static_cast<const Value *>(a), *static_cast<const Value *>(b)) ? 1 : 0;
        } catch (...) {
            with->error->keep(0);
            return 0;
        }
    }
    BLITZ_SORTER_FUNCTIONS_(by, Value, sizeof(Value))

    static void run(Value *base, std::size_t count, const Less &less, bool stable) {
        first_error error;
        const context with{&less, &error};
        const blitz_sorter made = BLITZ_SORTER_(by, sizeof(Value), &with);
        if constexpr (sizeof(Value) > BLITZ_SORT_BYTES_)
            check(blitz_sorter_big(&made, base, count, stable ? 1 : 0));
        else if (stable)
            check(blitz_sorter_stable(&made, base, count));
        else
            blitz_sorter_run(&made, base, count);
        error.rethrow();
    }
};

#    pragma GCC diagnostic pop

/* Moves each element to its place: order[i] is what comes to i. */
template <class Value>
void rearrange(Value *base, Value *const *order, std::size_t count) {
    static_assert(std::is_nothrow_move_constructible_v<Value> && std::is_nothrow_move_assignable_v<Value>,
                  "a sort needs elements whose moves do not throw");
    std::allocator<Value> allocator;
    Value *moved = allocator.allocate(count);
    for_each(0, count,
             [=](std::size_t i) { ::new (static_cast<void *>(moved + i)) Value(std::move(*order[i])); });
    for_each(0, count, [=](std::size_t i) {
        base[i] = std::move(moved[i]);
        moved[i].~Value();
    });
    allocator.deallocate(moved, count);
}

template <class Value, class Less>
void sort_array(Value *base, std::size_t count, const Less &less, bool stable) {
    static_assert(!std::is_const_v<Value>, "a sort needs elements that can change");
    if constexpr (std::is_trivially_copyable_v<Value>) {
        sorter<Value, Less>::run(base, count, less, stable);
    } else if (count > 1) {
        auto order = std::make_unique<Value *[]>(count);
        for (std::size_t i = 0; i < count; i++)
            order[i] = base + i;
        auto by_value = [&less](const Value *a, const Value *b) { return less(*a, *b); };
        sorter<Value *, decltype(by_value)>::run(order.get(), count, by_value, stable);
        rearrange(base, order.get(), count);
    }
}

} // namespace detail

/* Sorts an array, a vector or any other range with std::data and std::size. less(a, b): whether a must come before b;
 * several threads call it at the same time. Equal elements come out in any order.
 *
 * Elements that are trivially copyable are sorted as by blitz_sort. For others it sorts pointers to them and moves each
 * element twice; it takes memory for both, and throws std::bad_alloc before it changes anything. If less throws, the
 * elements are all there, in an unspecified order. */
template <class Range, class Less = std::less<>>
void sort(Range &&range, const Less &less = Less()) {
    detail::sort_array(std::data(range), std::size(range), less, false);
}

/* The same, but equal elements keep their order. Takes memory as blitz_stable_sort. */
template <class Range, class Less = std::less<>>
void stable_sort(Range &&range, const Less &less = Less()) {
    detail::sort_array(std::data(range), std::size(range), less, true);
}

/* ---- Reducers ---- */

/* A variable that parallel work adds to without locks, with the result of the serial program: blitz/reducer.h says where it
 * may be used.
 *
 *     blitz::reducer words([] { return std::string(); }, std::plus<>());
 *     blitz::for_each(0, n, [&](std::size_t i) { words.view() += name_of(i); });
 *     std::string all = words.get();
 *
 * identity() returns a new value e with combine(e, x) = x; combine(left, right) returns the combined value and is
 * associative. Both are called by several threads at the same time, and must not use the library. The function or task that
 * makes a reducer must end it, by get or the destructor. */
template <class Identity, class Combine>
class reducer {
  public:
    /* The type of the value. */
    using value_type = std::invoke_result_t<Identity &>;

    /* Begins the reducer. */
    reducer(Identity identity, Combine combine)
        : identity_(std::move(identity)), combine_(std::move(combine)), result_{nullptr} {
        detail::check(blitz_reducer_begin(&reducer_, &op, this, &result_));
    }
    reducer(const reducer &) = delete;
    reducer &operator=(const reducer &) = delete;
    ~reducer() {
        end();
        delete result_.value;
    }

    /* The view of the running task: valid until its next fork, sync, loop or return. */
    value_type &view() {
        auto *own = static_cast<slot *>(blitz_reducer_view(&reducer_));
        if (!own->value)
            own->value = new value_type(identity_());
        return *own->value;
    }
    /* Ends the reducer, and returns the combined value or throws the first exception of combine. All work that uses the
     * reducer must be over. Once. */
    value_type get() {
        end();
        error_.rethrow();
        std::unique_ptr<value_type> value(std::exchange(result_.value, nullptr));
        return value ? std::move(*value) : identity_();
    }

  private:
    /** @cond */
    /* Null: the identity. */
    struct slot {
        value_type *value;
    };
    /** @endcond */
    static void combine_slots(void *left_slot, void *right_slot, void *ctx) noexcept {
        auto *self = static_cast<reducer *>(ctx);
        auto *left = static_cast<slot *>(left_slot);
        std::unique_ptr<value_type> right(static_cast<slot *>(right_slot)->value);
        if (!left->value)
            left->value = right.release();
        else if (right)
            self->error_.guard(
                0, [&] { *left->value = self->combine_(std::move(*left->value), std::move(*right)); });
    }
    void end() noexcept {
        if (!ended_)
            blitz_reducer_end(&reducer_);
        ended_ = true;
    }

    static constexpr slot none{nullptr};
    static constexpr blitz_reducer_op op{sizeof(slot), &none, combine_slots};
    blitz_reducer reducer_;
    Identity identity_;
    Combine combine_;
    slot result_;
    detail::first_error error_;
    bool ended_ = false;
};

} // namespace blitz

#endif
#endif
