// beyond libomp: lastprivate variables of dynamic loops are sometimes wrong
// Loops over iterators and class ranges, collapsed iterator loops, lastprivate objects, reductions of classes.
#include "../check.h"

#include <complex>
#include <deque>
#include <string>
#include <vector>

struct longest {
    std::string text;

    void take(const std::string &other) {
        if (other.size() > text.size() || (other.size() == text.size() && other < text))
            text = other;
    }
};

#pragma omp declare reduction(longest:longest : omp_out.take(omp_in.text))
#pragma omp declare reduction(+ : std::complex <double> : omp_out += omp_in)

static void iterators() {
    std::vector<int> v(500);
    std::deque<long> d(300, 2);
    long sum = 0;

#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 7)
        for (auto i = v.begin(); i < v.end(); ++i)
            *i = static_cast<int>(i - v.begin());
#pragma omp for schedule(guided) reduction(+ : sum)
        for (auto i = v.rbegin(); i < v.rend(); i += 5)
            sum += *i;
#pragma omp for collapse(2) schedule(dynamic) reduction(+ : sum)
        for (auto i = d.begin(); i < d.end(); i += 10)
            for (auto k = v.begin(); k < v.begin() + 20; k++)
                sum += *i * *k;
#pragma omp for schedule(static, 3) reduction(+ : sum)
        for (const int &x : v)
            sum += x;
    }
    CHECK_EQ(sum, 25150 + 30 * 2 * 190 + 124750);
    printf("sum %ld\n", sum);
}

static void objects(int n) {
    std::string last = "none";
    longest best;
    std::complex<double> total(0, 0);

#pragma omp parallel for schedule(dynamic, 3) lastprivate(last) reduction(longest : best) reduction(+ : total)
    for (int i = 0; i < n; i++) {
        last = "iteration " + std::to_string(i);
        best.take(std::string(static_cast<std::size_t>(i % 37), 'a'));
        total += std::complex<double>(i, -1);
    }
    CHECK(last == "iteration " + std::to_string(n - 1));
    CHECK_EQ(best.text.size(), 36);
    CHECK(total.real() == n * (n - 1) / 2 && total.imag() == -n);
    printf("%s, total %.0f%+.0fi\n", last.c_str(), total.real(), total.imag());
}

int main() {
    iterators();
    objects(400);
    return check_done("cxx_loops");
}
