/* choice.c: chooses the construct that plays a node. */
#include "soak.h"

#include <string.h>

enum { DEEP = 5 };

static int allowed(const struct construct *construct, struct scene s) {
    switch (construct->where) {
    case NOT_DEEP:
        return s.level < DEEP;
    case OUTSIDE:
        return (int)s.outside;
    default:
        return 1;
    }
}

static unsigned salt_of(const char *name) {
    unsigned salt = 2166136261u;
    for (; *name; name++)
        salt = (salt ^ (unsigned char)*name) * 16777619u;
    return salt;
}

/* Each row draws as many numbers as its weight, and the highest number wins. A new row takes over some nodes and leaves
 * the others as they were, so old seeds keep most of their meaning. */
static const struct construct *choose(const struct construct *table, struct scene s, struct node n) {
    const struct construct *best = table;
    unsigned highest = 0;
    for (const struct construct *row = table; row->name; row++)
        for (unsigned i = 0; i < row->weight && allowed(row, s); i++) {
            unsigned drawn = pick(n, salt_of(row->name) + i, 1u << 30);
            if (drawn > highest) {
                highest = drawn;
                best = row;
            }
        }
    return best;
}

static int left_out(const char *name) {
    const char *list = getenv("SOAK_WITHOUT");
    size_t length = strlen(name);
    for (; list; list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL)
        if (strncmp(list, name, length) == 0 && (list[length] == ',' || list[length] == '\0'))
            return 1;
    return 0;
}

void play_chosen(const struct construct *table, struct scene s, struct node n) {
    const struct construct *construct = choose(table, s, n);
    if (left_out(construct->name))
        construct = table;
    trail('+', construct->name, n);
    construct->play(s, n);
    trail('-', construct->name, n);
}
