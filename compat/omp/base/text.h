/* Text of settings: the words that one may be, and text that is put together. */
#ifndef BOMP_TEXT_H
#define BOMP_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Words for the values from `first` on, `values` of them: then words for the same values follow in the same order. */
struct bomp_words {
    uint32_t first, values;
    const char *const *words;
    size_t count; /* of words */
};
#define BOMP_WORDS(first, values, ...)                                                                       \
    {                                                                                                        \
        first, values, (const char *const[]){__VA_ARGS__},                                                   \
            sizeof(const char *const[]){__VA_ARGS__} / sizeof(const char *)                                  \
    }

/* Takes a word off *at. False: none of them is there, and nothing has changed. */
bool bomp_take_word(const char **at, const struct bomp_words *words, uint32_t *value);

/* Ended by a null byte; what has no room is only counted. */
struct bomp_text {
    char *text;
    size_t size, length;
    bool llvm; /* in libomp's spelling */
};

__attribute__((format(printf, 2, 3))) void bomp_text_put(struct bomp_text *out, const char *format, ...);

/* The ranges of a set of CPUs, 0-3,8; with `counts` 0:4,8. */
void bomp_text_put_cpus(struct bomp_text *out, const uint64_t *set, size_t words, bool counts);

#endif
