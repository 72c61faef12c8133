/* test_source.c: tools/source: names as users know them, places of this program itself; see also
 * tests/tools/source.sh. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "tools/source/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>

#include "../asserts.h"
#include "os/objects.h"
#include "os/os.h"
#include "tools/source/module.h"
#include "tools/source/symbol_name.h"

int test_source_variable[10] = {1};
int critical_word __asm__(".gomp_critical_user_ledger");
int critical_of_clang __asm__(".gomp_critical_user_journal.AS0.var");
int critical_word = 1, critical_of_clang = 1;

struct pair {
    const char *symbol, *name;
};

static void functions_have_their_authors_names(void **state) {
    static const struct pair pairs[] = {
        {"main", "main"},
        {"main._omp_fn.0", "main"},
        {"main._omp_cpyfn.12", "main"},
        {"f._omp_fn.0.constprop.0", "f"},
        {"f.isra.0.cold", "f"},
        {"main.omp_outlined", "main"},
        {"work.omp_outlined_debug__.3", "work"},
        {"_Z3addii", "add"},
        {"_ZL6hiddenv", "hidden"},
        {"_ZN4mesh6Volume4stepEd._omp_fn.1", "mesh::Volume::step"},
        {"_ZN4mesh6VolumeC2Ev", "mesh::Volume::Volume"},
        {"_ZN4mesh6VolumeD0Ev", "mesh::Volume::~Volume"},
        {"_ZNK3foo12_GLOBAL__N_13barEv", "foo::(anonymous)::bar"},
        {"_ZZ4mainENKUlvE_clEv", "_ZZ4mainENKUlvE_clEv"},
        {"_Z3maxIiET_S0_S0_", "_Z3maxIiET_S0_S0_"},
        {"_ZN3abc", "_ZN3abc"},
        {"_Z99abc", "_Z99abc"},
        {"__solver_MOD_advance._omp_fn.0", "solver::advance"},
        {"__MOD_", "__MOD_"},
        {"MAIN__", "MAIN__"},
    };
    char name[BOMP_SOURCE_NAME];
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        assert_true(bomp_name_of_function(name, sizeof name, pairs[i].symbol));
        assert_string_equal(name, pairs[i].name);
    }
    assert_false(bomp_name_of_function(name, sizeof name, ".omp_outlined..3"));
    assert_string_equal(name, ".omp_outlined..3");
    (void)bomp_name_of_function(name, 4, "abcdef");
    assert_string_equal(name, "abc");
}

static void variables_have_their_authors_names(void **state) {
    char name[BOMP_SOURCE_NAME];
    (void)state;
    assert_false(bomp_name_of_data(name, sizeof name, "table"));
    assert_string_equal(name, "table");
    assert_false(bomp_name_of_data(name, sizeof name, "counter.0"));
    assert_string_equal(name, "counter");
    assert_true(bomp_name_of_data(name, sizeof name, ".gomp_critical_user_ledger"));
    assert_string_equal(name, "ledger");
    assert_true(bomp_name_of_data(name, sizeof name, ".gomp_critical_user_.var"));
    assert_string_equal(name, "");
}

static __attribute__((noinline)) const void *who_calls(void) {
    return __builtin_return_address(0);
}

static void own_places_are_known(void **state) {
    struct bomp_source source;
    char text[200], short_text[8], wanted[200];
    (void)state;
    struct bomp_sources *sources = bomp_sources_open();
    assert_non_null(sources);
    const void *code = who_calls();
    int line = __LINE__ - 1;
    assert_true(bomp_source_of_return(sources, code, &source));
    assert_string_equal(source.name, "own_places_are_known");
    assert_string_equal(bomp_source_base(source.module), "test_source");
    assert_true(source.has_symbol && source.offset > 0);
    if (source.line > 0) { /* built with -g */
        assert_int_equal(source.line, line);
        assert_string_equal(bomp_source_base(source.path), "test_source.c");
        size_t length = bomp_source_print(text, sizeof text, &source, code);
        snprintf(wanted, sizeof wanted, "test_source.c:%d (own_places_are_known)", line);
        assert_string_equal(text, wanted);
        assert_int_equal(length, strlen(wanted));
        assert_int_equal(bomp_source_print(short_text, sizeof short_text, &source, code), length);
        assert_string_equal(short_text, "test_so");
    }
    assert_true(bomp_source_of_code(sources, (const void *)(uintptr_t)own_places_are_known, &source));
    assert_string_equal(source.name, "own_places_are_known");
    assert_int_equal(source.offset, 0);
    bomp_sources_close(sources);
}

static void variables_are_known(void **state) {
    struct bomp_source source;
    int on_stack = 0;
    void *on_heap = malloc(1);
    (void)state;
    struct bomp_sources *sources = bomp_sources_open();
    assert_true(bomp_source_of_data(sources, &test_source_variable[3], &source));
    assert_string_equal(source.name, "test_source_variable");
    assert_int_equal(source.offset, 3 * sizeof(int));
    assert_false(source.is_critical);
    assert_true(bomp_source_of_data(sources, &critical_word, &source));
    assert_string_equal(source.name, "ledger");
    assert_true(source.is_critical);
    assert_true(bomp_source_of_data(sources, &critical_of_clang, &source));
    assert_string_equal(source.name, "journal");
    assert_false(bomp_source_of_data(sources, &on_stack, &source));
    assert_false(bomp_source_of_data(sources, on_heap, &source));
    assert_false(bomp_source_of_code(sources, on_heap, &source));
    assert_false(bomp_source_of_code(sources, NULL, &source));
    assert_string_equal(source.module, "");
    bomp_sources_close(sources);
    free(on_heap);
}

/* Functions of libraries, whose files may list only exports, and of the kernel's object, which is in no file. */
static void libraries_are_known(void **state) {
    struct bomp_source source;
    char text[200];
    (void)state;
    struct bomp_sources *sources = bomp_sources_open();
    const char *code = bz_os_defined("libc.so.6", "getppid"); /* a function that no sanitizer replaces */
    assert_non_null(code);
    assert_true(bomp_source_of_code(sources, code + 1, &source));
    assert_memory_equal(bomp_source_base(source.module), "libc", 4);
    (void)bomp_source_print(text, sizeof text, &source, code);
    assert_non_null(strstr(text, "getppid"));
    uintptr_t vdso = getauxval(AT_SYSINFO_EHDR);
    bool found = false;
    for (uintptr_t at = vdso; vdso != 0 && at < vdso + bz_os_page_size() && !found; at += 16) {
        found = bomp_source_of_code(sources, (const void *)at, &source) && source.has_symbol;
    }
    assert_true(found || vdso == 0);
    assert_true(!found || strstr(source.module, "vdso"));
    bomp_sources_close(sources);
    bomp_sources_close(NULL);
}

/* Notes that no segment contains may lie at any address, here at an unmapped one. */
static void notes_that_are_not_loaded_are_left_alone(void **state) {
    static struct bomp_module module;
    static const char loaded[4096];
    ElfW(Phdr) programs[] = {
        {.p_type = PT_NOTE, .p_vaddr = 16, .p_memsz = 64},
        {.p_type = PT_LOAD, .p_vaddr = (uintptr_t)loaded, .p_memsz = sizeof loaded, .p_flags = PF_R},
        {.p_type = PT_NOTE, .p_vaddr = (uintptr_t)loaded + 4000, .p_memsz = (size_t)1 << 40},
    };
    const struct dl_phdr_info info = {.dlpi_name = "none.so", .dlpi_phdr = programs, .dlpi_phnum = 3};
    (void)state;
    bomp_module_init(&module, &info);
    assert_int_equal(module.part_count, 1);
    assert_int_equal(module.build_id_size, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_have_their_authors_names),
        cmocka_unit_test(variables_have_their_authors_names),
        cmocka_unit_test(own_places_are_known),
        cmocka_unit_test(variables_are_known),
        cmocka_unit_test(libraries_are_known),
        cmocka_unit_test(notes_that_are_not_loaded_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
