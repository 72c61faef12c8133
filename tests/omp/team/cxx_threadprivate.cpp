// threadprivate objects with constructors: one for each thread that uses them, copyin by assignment.
#include "../check.h"

#include <string>
#include <vector>

static int made;

struct state {
    state() : number(1000), log{"new"} {
        count_up(&made);
    }
    state(const state &) = default;
    state &operator=(const state &) = default;

    int number;
    std::vector<std::string> log;
};

extern state mine;
extern std::string name;
#pragma omp threadprivate(mine, name)
state mine;
std::string name("unset");

int main() {
    int threads = omp_get_max_threads();
    std::size_t words = 0;

    mine.number = 1;
    for (int round = 0; round < 5; round++) {
#pragma omp parallel
        {
            int me = omp_get_thread_num();

            if (round == 0) {
                CHECK_EQ(mine.number, me == 0 ? 1 : 1000);
                CHECK(name == "unset");
                mine.number = me;
                name = "thread " + std::to_string(me);
            }
            CHECK_EQ(mine.number, me);
            CHECK(name == "thread " + std::to_string(me));
            mine.log.push_back(name);
            /* A task sees the data of its thread. */
#pragma omp task
            {
                CHECK_EQ(mine.number, omp_get_thread_num());
                CHECK(name == "thread " + std::to_string(omp_get_thread_num()));
            }
        }
    }
#pragma omp parallel reduction(+ : words)
    words += mine.log.size();
    CHECK_EQ(words, 6 * threads);
    CHECK_EQ(made, threads);

    mine.number = 42;
    mine.log.assign(3, "copied");
#pragma omp parallel copyin(mine)
    {
        CHECK_EQ(mine.number, 42);
        CHECK_EQ(mine.log.size(), 3);
        CHECK(mine.log.back() == "copied");
    }
    CHECK_EQ(made, threads);
    printf("words %zu made %d\n", words, made);
    return check_done("cxx_threadprivate");
}
