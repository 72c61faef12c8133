// beyond libomp: a limit of threads outlives its teams region
// Target regions and teams on the host with C++ objects: references, members, firstprivate objects, lambdas.
#include "../check.h"

#include <array>
#include <numeric>
#include <vector>

struct Point {
    int x = 1, y = 2;
    int norm() const {
        return x * x + y * y;
    }
};

struct Holder {
    int scale = 3;
    std::array<int, 10> values{};

    int run() {
        int result = 0;
#pragma omp target map(tofrom : result)
        {
            for (auto &value : values)
                value += scale;
            result = std::accumulate(values.begin(), values.end(), 0);
        }
        return result;
    }
};

template <typename T>
static T sum_teams(const std::vector<T> &numbers) {
    T sum{};
    const T *data = numbers.data();
    auto size = numbers.size();
#pragma omp target teams distribute parallel for map(to : data [0:size]) reduction(+ : sum) num_teams(2)
    for (std::size_t i = 0; i < size; i++)
        sum += data[i];
    return sum;
}

int main() {
    Point point;
    int norm = 0;
    int &reference = norm;
#pragma omp target firstprivate(point) map(tofrom : reference)
    {
        point.x = 5;
        reference = point.norm();
    }
    CHECK_EQ(norm, 29);
    CHECK_EQ(point.x, 1);

    Holder holder;
    CHECK_EQ(holder.run(), 30);
    CHECK_EQ(holder.values[3], 3);

    std::vector<long> longs(1000);
    std::iota(longs.begin(), longs.end(), 0L);
    CHECK_EQ(sum_teams(longs), 499500);
    std::vector<double> doubles(100, 0.5);
    CHECK(sum_teams(doubles) == 50.0);

    int calls = 0;
    auto count = [&calls](int n) { calls += n; };
#pragma omp teams num_teams(3)
    {
#pragma omp parallel num_threads(2)
#pragma omp critical
        count(omp_get_team_num() + 1);
    }
    CHECK_EQ(calls, 12);
    return check_done("cxx_target");
}
