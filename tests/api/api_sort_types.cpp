// api_sort_types.cpp: blitz/sort.h is C++17, too.
#include <blitz/sort.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

struct item {
    int key, number;
};
static bool item_less(const item *a, const item *b) {
    return a->key < b->key;
}
BLITZ_DEFINE_SORT(sort_items, item, item_less); /* two in one namespace */
#define VALUE_LESS(a, b) (*(a) < *(b))
BLITZ_DEFINE_SORT(sort_floats, float, VALUE_LESS);

} // namespace

int main() {
    std::vector<item> items(30000);
    std::vector<float> floats(items.size());
    unsigned x = 1;
    for (size_t i = 0; i < items.size(); i++) {
        x = x * 1664525u + 1013904223u;
        items[i] = {static_cast<int>(x >> 22), static_cast<int>(i)};
        floats[i] = static_cast<float>(x) / 3;
    }
    std::vector<float> expected = floats, merged(floats.size());
    std::sort(expected.begin(), expected.end());
    const size_t half = floats.size() / 2;
    sort_floats(floats.data(), half);
    int error = sort_floats_stable(floats.data() + half, floats.size() - half);
    sort_floats_merge(floats.data(), half, floats.data() + half, floats.size() - half, merged.data());
    if (error || merged != expected) {
        std::puts("floats are not in order");
        return 1;
    }
    sort_items(items.data(), half);
    for (size_t i = 0; i < half; i++)
        items[i].number = static_cast<int>(i);
    const bool sorted = sort_items_stable(items.data(), items.size()) == 0 &&
                        std::is_sorted(items.begin(), items.end(), [](const item &a, const item &b) {
                            return a.key < b.key || (a.key == b.key && a.number < b.number);
                        });
    if (!sorted)
        std::puts("items are not in order");
    return sorted ? 0 : 1;
}
