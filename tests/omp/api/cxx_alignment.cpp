// Over-aligned firstprivate objects in tasks, trivially copied and with copy constructors, and in regions.
#include "../check.h"

#include <cstdint>
#include <cstring>

struct alignas(64) line {
    unsigned char bytes[64];
};

template <std::size_t Align>
struct alignas(Align) counted {
    explicit counted(int n) : value(n) {
    }
    counted(const counted &other) : value(other.value) {
        CHECK_EQ(reinterpret_cast<std::uintptr_t>(this) % Align, 0);
    }
    ~counted() {
        value = -1;
    }

    int value;
    char tail[Align + 3];
};

#ifdef __clang__ /* its calls do not pass a task's alignment: the maximum is 64 */
enum { LINES = 64, LARGE = 64, PAGE = 64 };
#else
enum { LINES = 128, LARGE = 256, PAGE = 4096 };
#endif

static long sum;

template <typename T>
static bool aligned(const T &object) {
    return reinterpret_cast<std::uintptr_t>(&object) % alignof(T) == 0;
}

static void add(long n) {
    __atomic_fetch_add(&sum, n, __ATOMIC_RELAXED);
}

template <std::size_t Align>
static void tasks_of(int count, bool deferred) {
    for (int i = 0; i < count; i++) {
        counted<Align> object(i);
        line plain;
        char odd = 'x';

        std::memset(plain.bytes, i, sizeof plain.bytes);
#pragma omp task firstprivate(object, plain, odd) if (deferred)
        {
            CHECK(aligned(object));
            CHECK(aligned(plain));
            CHECK_EQ(plain.bytes[63], i & 0xff);
            CHECK_EQ(odd, 'x');
            add(object.value);
        }
#pragma omp task firstprivate(plain)
        {
            CHECK(aligned(plain));
            add(plain.bytes[0]);
        }
        std::memset(plain.bytes, 0xff, sizeof plain.bytes);
        object.value = -7;
    }
}

int main() {
    line shared_line;
    long expected = 0;

    std::memset(shared_line.bytes, 9, sizeof shared_line.bytes);
#pragma omp parallel firstprivate(shared_line)
    {
        CHECK(aligned(shared_line));
        CHECK_EQ(shared_line.bytes[10], 9);
#pragma omp single
        {
            tasks_of<32>(50, true);
            tasks_of<64>(50, true);
            tasks_of<LARGE>(50, true);
            tasks_of<PAGE>(10, true);
            tasks_of<LINES>(20, false);
        }
    }
    const int sizes[] = {50, 50, 50, 10, 20};
    for (int size : sizes)
        expected += size * (size - 1);
    CHECK_EQ(sum, expected);
    printf("sum %ld\n", sum);
    return check_done("cxx_alignment");
}
