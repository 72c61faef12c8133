#include <blitz/algo.h>
#include <stdio.h>

enum { COUNT = 1000000 };
static int numbers[COUNT], found[COUNT];

static int ends_in_625(const void *elem, void *ctx) {
    (void)ctx;
    return *(const int *)elem % 1000 == 625; /* not 0: yes */
}

int main(void) {
    size_t kept;
    for (int i = 0; i < COUNT; i++)
        numbers[i] = i;
    size_t first = blitz_find_first(numbers, COUNT, sizeof(int), ends_in_625, NULL); /* stops early */
    size_t count = blitz_count_if(numbers, COUNT, sizeof(int), ends_in_625, NULL);
    if (blitz_compact(numbers, COUNT, sizeof(int), ends_in_625, NULL, found, &kept))
        return 1;
    printf("%zu %zu %d\n", first, count, found[kept - 1]);
    return first != 625 || count != 1000 || kept != 1000 || found[999] != 999625;
}
