// repeat: 20
// firstprivate objects with copy constructors: copied when the task is created, destroyed once, never copied by memcpy.
#include "../check.h"

#include <string>

static int constructed, copied, destroyed;

class token {
  public:
    explicit token(int n) : number(n), self(this) {
        count_up(&constructed);
    }
    token(const token &other) : number(other.number), self(this) {
        CHECK(other.self == &other);
        count_up(&copied);
    }
    token &operator=(const token &) = delete;
    ~token() {
        CHECK(self == this);
        number = -1;
        count_up(&destroyed);
    }

    int number;

  private:
    const token *self;
};

static long sum;

static void add(long n) {
    __atomic_fetch_add(&sum, n, __ATOMIC_RELAXED);
}

/* The original is destroyed before the task is likely to run. */
static void create(int i, bool deferred) {
    token mine(i);
    std::string text = "a text too long for the small string buffer, number " + std::to_string(i);

#pragma omp task firstprivate(mine, text) if (deferred)
    {
        CHECK_EQ(mine.number, i);
        CHECK(text.substr(text.size() - std::to_string(i).size()) == std::to_string(i));
        add(mine.number);
        mine.number = 0;
        text.clear();
    }
    CHECK_EQ(mine.number, i);
    mine.number = -5;
    text = "overwritten";
}

static void create_below(int depth, token carried) {
    if (depth == 0) {
        add(carried.number);
        return;
    }
    for (int k = 0; k < 2; k++) {
#pragma omp task firstprivate(carried, depth)
        create_below(depth - 1, carried);
    }
}

static void in_other_clauses() {
    token outer(1), inner(2);

#pragma omp parallel firstprivate(outer)
    {
        CHECK_EQ(outer.number, 1);
        outer.number = 5;
#pragma omp for schedule(dynamic) firstprivate(inner)
        for (int i = 0; i < 20; i++) {
            CHECK(inner.number == 2 || inner.number == 3);
            inner.number = 3;
        }
    }
    CHECK_EQ(outer.number, 1);
    CHECK_EQ(inner.number, 2);
}

int main(int argc, char **argv) {
    int count = static_cast<int>(check_arg(argc, argv, 1, 300));
    long expected = 0;

#pragma omp parallel
#pragma omp single
    for (int i = 0; i < count; i++)
        create(i, i % 5 != 0);
    for (int i = 0; i < count; i++)
        expected += i;
    CHECK_EQ(sum, expected);
    CHECK_EQ(constructed, count);
    CHECK_EQ(copied, count);
    CHECK_EQ(destroyed, constructed + copied);

#pragma omp parallel
#pragma omp master
    create_below(6, token(3));
    CHECK_EQ(sum, expected + 64 * 3);
    CHECK_EQ(destroyed, constructed + copied);
    in_other_clauses();
    CHECK_EQ(copied, count + (2 + 4 + 8 + 16 + 32 + 64) * 2 + 2 * omp_get_max_threads());
    CHECK_EQ(destroyed, constructed + copied);
    printf("sum %ld constructed %d\n", sum, constructed);
    return check_done("cxx_copies");
}
