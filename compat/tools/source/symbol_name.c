/* symbol_name.c: see symbol_name.h.
 *
 * Compilers add: gcc "main._omp_fn.0" and "main._omp_cpyfn.1"; clang from 17 on "main.omp_outlined", before that
 * ".omp_outlined.", and ".omp_task_entry." for tasks; both "f.part.0", "f.constprop.0", "f.isra.0", "f.cold", "f.llvm.123".
 * A point is in no name of C, C++ or Fortran. */
#include "tools/source/symbol_name.h"

#include <string.h>

/* A text of limited length, which always ends in a null byte. */
struct text {
    char *to;
    size_t room, length;
};

static void put(struct text *text, const char *part, size_t length) {
    for (size_t i = 0; i < length && text->length + 1 < text->room; i++)
        text->to[text->length++] = part[i];
    if (text->room > 0)
        text->to[text->length] = '\0';
}

static void put_all(struct text *text, const char *part) {
    put(text, part, strlen(part));
}

/* ---- C++: _Z, then a name, or N, names and E, then types, which are left away ---- */

struct mangled {
    const char *at, *end;
};

static bool next_is(struct mangled *name, const char *what) {
    size_t length = strlen(what);
    if ((size_t)(name->end - name->at) < length || memcmp(name->at, what, length) != 0)
        return false;
    name->at += length;
    return true;
}

/* A length, then this many letters. */
static bool take_word(struct mangled *name, const char **word, size_t *length) {
    size_t number = 0;
    const char *at = name->at;
    while (at < name->end && *at >= '0' && *at <= '9' && number < 100000)
        number = 10 * number + (size_t)(*at++ - '0');
    if (number == 0 || number > (size_t)(name->end - at))
        return false;
    *word = at;
    *length = number;
    name->at = at + number;
    return true;
}

/* One part of a name. False: not a plain word. */
static bool put_part(struct text *text, struct mangled *name, struct mangled *last) {
    const char *word;
    size_t length;
    if (take_word(name, &word, &length)) {
        bool unnamed = length >= 10 && memcmp(word, "_GLOBAL__N", 10) == 0;
        put(text, unnamed ? "(anonymous)" : word, unnamed ? 11 : length);
        *last = (struct mangled){word, word + length};
        return true;
    }
    bool begins = next_is(name, "C1") || next_is(name, "C2");
    if ((begins || next_is(name, "D1") || next_is(name, "D2") || next_is(name, "D0")) && last->at) {
        put(text, "~", begins ? 0 : 1);
        put(text, last->at, (size_t)(last->end - last->at));
        return true;
    }
    if (next_is(name, "cl")) {
        put_all(text, "operator()");
        return true;
    }
    return false;
}

/* Whether the name was understood. */
static bool put_cplusplus(struct text *text, const char *symbol, size_t length) {
    struct mangled name = {symbol, symbol + length}, last = {0};
    if (!next_is(&name, "_Z"))
        return false;
    (void)next_is(&name, "L");
    bool nested = next_is(&name, "N");
    if (nested)
        (void)next_is(&name, "K");
    if (next_is(&name, "St"))
        put_all(text, "std::");
    for (bool first = true; nested ? !next_is(&name, "E") : first; first = false) {
        if (!first)
            put_all(text, "::");
        (void)next_is(&name, "L");
        if (!put_part(text, &name, &last))
            return false;
    }
    return name.at == name.end || *name.at != 'I'; /* not a template */
}

/* gfortran: __module_MOD_procedure. */
static bool put_fortran(struct text *text, const char *symbol, size_t length) {
    const char *inner = memmem(symbol, length, "_MOD_", 5);
    if (length < 2 || memcmp(symbol, "__", 2) != 0 || !inner || inner < symbol + 3)
        return false;
    put(text, symbol + 2, (size_t)(inner - symbol) - 2);
    put_all(text, "::");
    put(text, inner + 5, length - (size_t)(inner + 5 - symbol));
    return true;
}

bool bomp_name_of_function(char *to, size_t room, const char *symbol) {
    struct text text = {to, room, 0};
    size_t length = strcspn(symbol, ".");
    put(&text, "", 0);
    if (length == 0) {
        put_all(&text, symbol);
        return false;
    }
    if (put_cplusplus(&text, symbol, length))
        return true;
    text.length = 0;
    if (put_fortran(&text, symbol, length))
        return true;
    text.length = 0;
    put(&text, symbol, length);
    return true;
}

/* gcc ".gomp_critical_user_NAME", clang ".gomp_critical_user_NAME.var" or ".gomp_critical_user_NAME.AS0.var". */
bool bomp_name_of_data(char *to, size_t room, const char *symbol) {
    static const char prefix[] = ".gomp_critical_user_";
    struct text text = {to, room, 0};
    put(&text, "", 0);
    if (strncmp(symbol, prefix, sizeof prefix - 1) == 0) {
        const char *name = symbol + sizeof prefix - 1;
        put(&text, name, strcspn(name, "."));
        return true;
    }
    put(&text, symbol, strcspn(symbol, ".")); /* f.0 is a static variable of a function */
    return false;
}
