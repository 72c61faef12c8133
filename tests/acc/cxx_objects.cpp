// threads: 2
// C++: classes, templates, lambdas and references in and around constructs; exceptions that stay inside.
#include "../omp/check.h"

#include <numeric>
#include <openacc.h>
#include <stdexcept>
#include <vector>

template <typename T>
class field {
  public:
    explicit field(int count) : count_(count), values_(new T[count]) {
#pragma acc enter data copyin(this [0:1]) create(values_ [0:count_])
    }
    ~field() {
#pragma acc exit data delete (values_ [0:count_], this [0:1])
        delete[] values_;
    }
    field(const field &) = delete;
    field &operator=(const field &) = delete;

    void fill(T start) {
        T *values = values_;
        int count = count_;
#pragma acc parallel loop present(values [0:count])
        for (int i = 0; i < count; i++)
            values[i] = start + i;
    }

    T sum() const {
        T total = 0;
        const T *values = values_;
        int count = count_;
#pragma acc parallel loop reduction(+ : total) present(values [0:count]) async
        for (int i = 0; i < count; i++)
            total += values[i];
#pragma acc wait
        return total;
    }

  private:
    int count_;
    T *values_;
};

template <typename F>
static void each(std::vector<int> &values, F f) {
    int *data = values.data();
    int count = int(values.size());
#pragma acc parallel loop copy(data [0:count])
    for (int i = 0; i < count; i++)
        data[i] = f(data[i]);
}

static void lambdas() {
    std::vector<int> values(100);
    std::iota(values.begin(), values.end(), 0);
    int shift = 5;
    each(values, [=](int x) { return x + shift; });
    each(values, [&shift](int x) { return x * shift; });
    CHECK_EQ(values[99], 520);
}

static void references() {
    int value = 1;
    int &same = value;
#pragma acc parallel copy(same)
    same++;
#pragma acc parallel firstprivate(same)
    same++;
    CHECK_EQ(value, 2);
}

static void exceptions() {
    int caught = 0;
#pragma acc parallel copy(caught)
    {
        try {
            throw std::runtime_error("inside");
        } catch (const std::exception &) {
            caught++;
        }
    }
    CHECK_EQ(caught, 1);
}

int main() {
    field<double> doubles(100);
    doubles.fill(0.5);
    CHECK(doubles.sum() == 5000);
    field<long> longs(1000);
    longs.fill(1);
    CHECK_EQ(longs.sum(), 500500);
    CHECK_EQ(acc_on_device(acc_device_host), 1);
    lambdas();
    references();
    exceptions();
    return check_done("cxx_objects");
}
