// repeat: 4
// Dependences, priorities and detached tasks with C++ objects as arguments: copied when the task is created, destroyed when
// it has run, whether it runs at once or later.
#include "../check.h"

#include <string>
#include <vector>

static int alive;

struct counted {
    std::string text;
    explicit counted(const char *t) : text(t) {
        count_up(&alive);
    }
    counted(const counted &other) : text(other.text) {
        count_up(&alive);
    }
    ~counted() {
        __atomic_fetch_sub(&alive, 1, __ATOMIC_RELAXED);
    }
};

static std::string chain(int links) {
    std::string result;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < links; i++) {
        counted link(i % 2 ? "odd" : "even, and longer than what fits in place");
#pragma omp task depend(inout : result) firstprivate(link) shared(result) if (i % 7)
        result += link.text[0];
    }
    return result;
}

static std::size_t vectors(int count) {
    std::vector<int> total;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < count; i++) {
        std::vector<int> part(static_cast<std::size_t>(i), i);
        counted guard("guard");
#pragma omp task depend(mutexinoutset : total) firstprivate(part, guard) shared(total) priority(i)
        {
            total.insert(total.end(), part.begin(), part.end());
            part.clear();
        }
        CHECK_EQ(part.size(), static_cast<std::size_t>(i));
    }
    return total.size();
}

static int detached(int count) {
    int done = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < count; i++) {
        counted object("an object that is copied once for each task");
        omp_event_handle_t event;
#pragma omp task detach(event) firstprivate(object) shared(done) if (i % 5 != 4)
        {
            CHECK_EQ(object.text.size(), 43);
            count_up(&done);
            if (i % 5 == 4 || i % 2)
                omp_fulfill_event(event);
        }
        if (i % 5 != 4 && i % 2 == 0)
            omp_fulfill_event(event);
    }
    return done;
}

int main(int argc, char **argv) {
    int rounds = static_cast<int>(check_arg(argc, argv, 1, 30));
    for (int r = 0; r < rounds; r++) {
        CHECK_EQ(chain(100).size(), 100);
        CHECK_EQ(vectors(60), 60 * 59 / 2);
        CHECK_EQ(detached(50), 50);
        CHECK_EQ(count_read(&alive), 0);
    }
    std::printf("%s\n", chain(10).c_str());
    return check_done("cxx_depend");
}
