#include "omp/base/text.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#include "runtime.h"

bool bomp_take_word(const char **at, const struct bomp_words *words, uint32_t *value) {
    for (uint32_t i = 0; i < words->count; i++) {
        if (bz_scan_word(at, words->words[i])) {
            *value = words->first + i % words->values;
            return true;
        }
    }
    return false;
}

void bomp_text_put(struct bomp_text *out, const char *format, ...) {
    size_t room = out->length < out->size ? out->size - out->length : 0;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(room > 0 ? out->text + out->length : NULL, room, format, args);
    va_end(args);
    out->length += length > 0 ? (size_t)length : 0;
}

void bomp_text_put_cpus(struct bomp_text *out, const uint64_t *set, size_t words, bool counts) {
    for (unsigned first = bz_cpus_next(set, words, 0); first != UINT_MAX;) {
        unsigned end = first + 1;
        while (bz_cpus_next(set, words, end) == end)
            end++;
        bomp_text_put(out,
                      end == first + 1 ? "%u"
                      : counts         ? "%u:%u"
                                       : "%u-%u",
                      first, counts ? end - first : end - 1);
        first = bz_cpus_next(set, words, end);
        bomp_text_put(out, first != UINT_MAX ? "," : "");
    }
}
