/* Imports, dependences and names of loaded objects. */
#include "os/objects.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../asserts.h"
#include "os/files.h"
#include "os/os.h"

static const char *const none[] = {NULL};

static bool needs(const char *library) {
    const char *const libraries[] = {"bz_none", library, NULL};
    return bz_os_is_linked(&(struct bz_links){libraries, none, none});
}

static bool needs_version(const char *version) {
    const char *const versions[] = {version, NULL};
    return bz_os_is_linked(&(struct bz_links){none, versions, none});
}

static bool needs_function(const char *function) {
    const char *const functions[] = {function, NULL}, *const versions[] = {"BZ_NONE", NULL};
    return bz_os_is_linked(&(struct bz_links){none, versions, functions});
}

static void links_are_found_by_their_beginnings(void **state) {
    (void)state;
    assert_true(needs("libcmocka"));
    assert_true(needs("libc.so.6"));
    assert_false(needs("ibc.so.6"));
    assert_false(needs("libc.so.6.6"));
    assert_true(needs_version("GLIBC_2."));
    assert_false(needs_version("GLIBC_3."));
    assert_false(needs_version("BZ_NONE"));
}

/* cmocka's have no versions, the C library's do; a library that defines a function does not import it. */
static void imports_without_a_version_are_functions(void **state) {
    (void)state;
    assert_true(needs_function("_cmocka_run_group"));
    assert_false(needs_function("sched_yield"));
    assert_false(needs_function("bz_os_is_"));
    assert_true(bz_os_is_linked(&(struct bz_links){none, none, (const char *const[]){"sched_yield", NULL}}));
    assert_false(bz_os_is_linked(&(struct bz_links){none, none, none}));
}

static void neighbours_are_others(void **state) {
    (void)state;
    assert_true(bz_os_is_loaded_too("libcmocka", none));
    assert_true(bz_os_is_loaded_too("libc.so", none));
    assert_false(bz_os_is_loaded_too("libc.so", stderr)); /* in the C library's memory */
    assert_false(bz_os_is_loaded_too("libbz", none));
}

static void a_function_is_found_wherever_it_is(void **state) {
    static const char *const no_library[] = {NULL}, *const c_libraries[] = {"no_such_function", "getpid",
                                                                            NULL};
    (void)state;
    assert_ptr_equal(bz_os_defined_by_any("getppid", no_library), bz_os_defined("libc.so.6", "getppid"));
    assert_non_null(bz_os_defined_by_any("getppid", no_library));
    assert_null(bz_os_defined_by_any("getppid", c_libraries)); /* the only library that has it has both */
    assert_null(bz_os_defined_by_any("no_such_function", no_library));
}

/* A function that it alone defines and others import identifies a provider; here cmocka. */
static void a_provider_is_known_by_its_mark(void **state) {
    static const char cmocka[] = "_cmocka_run_group_tests";
    static struct bz_a64 absent[4]; /* of each call below */
    (void)state;
    void *found = bz_os_defined("libcmocka.so.0", "_assert_true");
    assert_non_null(found);
    for (int i = 0; i < 3; i++) {
        assert_ptr_equal(bz_os_provided(cmocka, "_assert_true", &absent[0]), found);
        assert_null(bz_os_provided(cmocka, "getpid", &absent[1])); /* the C library's */
        assert_null(bz_os_provided("no_such_function", "_assert_true", &absent[2]));
        assert_null(bz_os_provided("cmocka_set_message_output", "_assert_true", &absent[3])); /* unasked */
        /* Something comes, and goes. */
        void *loaded = dlopen(i == 1 ? "libutil.so.1" : "libm.so.6", RTLD_NOW);
        assert_ptr_equal(bz_os_provided(cmocka, "_assert_true", &absent[0]), found);
        if (loaded)
            (void)dlclose(loaded);
    }
    assert_int_equal(absent[0].v, 0);
    assert_null(bz_os_provided("no_such_function", "_assert_true", &absent[2]));
    assert_null(bz_os_provided(cmocka, "_assert_true", &absent[2])); /* nothing is looked for again */
}

/* Links are resolved, as the kernel reports files; memory outside of any file has no name. */
static void files_are_known_by_what_is_mapped(void **state) {
    static char in_program;
    char *self = bz_os_mapped_file(&in_program), *libc = bz_os_mapped_file(stderr);
    char *program = realpath("/proc/self/exe", NULL);
    (void)state;
    if (!program)
        skip(); /* no /proc */
    assert_string_equal(self, program);
    assert_true(libc && libc[0] == '/');
    assert_null(bz_os_mapped_file(&self));
    assert_null(bz_os_mapped_file(NULL));
    bz_free(self);
    bz_free(libc);
    free(program);
}

/* Whether `functions` are missing: functions of the C library that no sanitizer replaces. */
static bool is_missing(const char *functions, const char *exempt, const char *version, const char *mark,
                       const void *us) {
    const char *const reserved[] = {functions, NULL}, *const but[] = {exempt, NULL},
                      *const versions[] = {version, NULL};
    struct bz_wanted kinds[] = {{reserved, none, but, versions, reserved, mark, us}, {.mark = NULL}};
    struct bz_missing missing;
    uint64_t seen = 0;
    bool found = bz_os_is_missing(kinds, &seen, &missing);
    assert_true(seen > 0);
    assert_true(missing.changed);
    assert_int_equal(missing.noted, strcmp(functions, "bz_none_") != 0);
    if (found) {
        assert_int_equal(strncmp(missing.name, functions, strlen(functions)), 0);
        assert_int_equal(strncmp(missing.version, version, strlen(version)), 0);
    }
    assert_false(bz_os_is_missing(kinds, &seen, &missing)); /* nothing was loaded since */
    assert_false(missing.changed);
    return found;
}

static void what_a_library_lacks(void **state) {
    (void)state;
    static const char *const libc = "gnu_get_libc_version", *const cmocka = "_cmocka_run_group_tests";
    assert_false(is_missing("__libc_start", "bz_", "GLIBC_", libc, stderr)); /* it has them */
    assert_false(is_missing("__libc_start", "bz_", "GLIBC_", cmocka, none)); /* another kind has */
    assert_true(is_missing("__libc_start", "bz_", "GLIBC_", libc, none));    /* only one of its kind does */
    assert_false(is_missing("__libc_start", "__libc_start", "GLIBC_", libc, none)); /* exempt */
    assert_false(is_missing("__libc_start", "bz_", "BZ_", libc, none));             /* other versions */
    assert_false(is_missing("bz_none_", "bz_", "GLIBC_", libc, none)); /* no object imports them */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_library_lacks),
        cmocka_unit_test(links_are_found_by_their_beginnings),
        cmocka_unit_test(imports_without_a_version_are_functions),
        cmocka_unit_test(neighbours_are_others),
        cmocka_unit_test(a_function_is_found_wherever_it_is),
        cmocka_unit_test(a_provider_is_known_by_its_mark),
        cmocka_unit_test(files_are_known_by_what_is_mapped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
