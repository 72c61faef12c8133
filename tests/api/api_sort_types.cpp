// api_sort_types.cpp: blitz/sort.h is also C++17.
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

/* Without a default constructor, and with an alignment of its own. */
struct alignas(32) place {
    explicit place(int where) : at(where) {
    }
    int at;
};
#define PLACE_LESS(a, b) ((a)->at < (b)->at)
BLITZ_DEFINE_SORT(sort_places, place, PLACE_LESS);

/* Pointers, and what they are constant to. */
#define NAME_LESS(a, b) (**(a) < **(b))
BLITZ_DEFINE_SORT(sort_names, const char *, NAME_LESS);

static bool names_are_sorted() {
    const char *names[] = {"c", "b", "a"};
    sort_names(names, 3);
    return *names[0] == 'a' && *names[2] == 'c';
}

static bool places_are_sorted() {
    std::vector<place> places, merged(20000, place(0));
    for (int i = 0; i < 20000; i++)
        places.emplace_back(i * 7919 % 20011);
    sort_places(places.data(), 10000);
    if (sort_places_stable(places.data() + 10000, 10000))
        return false;
    sort_places_merge(places.data(), 10000, places.data() + 10000, 10000, merged.data());
    return std::is_sorted(merged.begin(), merged.end(),
                          [](const place &a, const place &b) { return a.at < b.at; });
}

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
    const bool placed = places_are_sorted() && names_are_sorted();
    if (!placed)
        std::puts("places are not in order");
    return sorted && placed ? 0 : 1;
}
