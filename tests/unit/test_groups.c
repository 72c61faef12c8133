/* test_groups.c: os/groups.h, on made-up file trees. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "os/groups.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../asserts.h"
#include "os/cpus.h"

#define WORDS 20 /* 1280 CPUs */

static char root[64];

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *ftw) {
    (void)status, (void)type, (void)ftw;
    return remove(path);
}

static int set_up(void **state) {
    (void)state;
    strcpy(root, "/tmp/test_groups_XXXXXX");
    return mkdtemp(root) == NULL;
}

static int tear_down(void **state) {
    (void)state;
    return nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* A file below /sys/devices/system, with the folders above it. */
static void put(const char *path, const char *text) {
    char full[300];
    snprintf(full, sizeof full, "%s/sys/devices/system/%s", root, path);
    for (char *at = full + strlen(root) + 1; (at = strchr(at, '/')) != NULL; at++) {
        *at = '\0';
        (void)mkdir(full, 0700);
        *at = '/';
    }
    FILE *file = fopen(full, "w");
    assert_non_null(file);
    fprintf(file, "%s\n", text);
    fclose(file);
}

static void put_cpu(unsigned cpu, const char *path, const char *text) {
    char full[200];
    snprintf(full, sizeof full, "cpu/cpu%u/%s", cpu, path);
    put(full, text);
}

static char parts[1000];

static int write_part(const uint64_t *part, void *arg) {
    int *left = arg;
    size_t used = strlen(parts);
    const char *before = used > 0 ? " " : "";
    for (unsigned cpu = bz_cpus_next(part, WORDS, 0); cpu != UINT_MAX;
         cpu = bz_cpus_next(part, WORDS, cpu + 1)) {
        used += (size_t)snprintf(parts + used, sizeof parts - used, "%s%u", before, cpu);
        before = ",";
    }
    return left != NULL && --*left == 0 ? ECANCELED : 0;
}

static const char *groups(enum bz_cpu_group group, const char *cpus) {
    uint64_t set[WORDS] = {0};
    bz_cpus_add_list(set, WORDS, cpus);
    parts[0] = '\0';
    assert_int_equal(bz_cpu_groups(root, group, set, WORDS, write_part, NULL), 0);
    return parts;
}

static void files_say_what_belongs_together(void **state) {
    (void)state;
    for (unsigned cpu = 0; cpu < 8; cpu++) {
        static const char *const cores[] = {"0,4", "1,5", "2,6", "3,7"};
        put_cpu(cpu, "topology/thread_siblings_list", cores[cpu % 4]);
        put_cpu(cpu, "topology/core_siblings_list", cpu % 2 ? "1,3,5,7" : "0,2,4,6");
        put_cpu(cpu, "cache/index0/level", "1");
        put_cpu(cpu, "cache/index0/shared_cpu_list", cores[cpu % 4]);
        put_cpu(cpu, "cache/index1/level", "3");
        put_cpu(cpu, "cache/index1/shared_cpu_list", cpu % 4 < 2 ? "0-1,4-5" : "2-3,6-7");
        put_cpu(cpu, "cache/index2/level", "2");
        put_cpu(cpu, "cache/index2/shared_cpu_list", "0-7");
    }
    put("node/online", "1,3");
    put("node/node1/cpulist", "4-7");
    put("node/node3/cpulist", "0-3");
    assert_string_equal(groups(BZ_GROUP_CORE, "0-7"), "0,4 1,5 2,6 3,7");
    assert_string_equal(groups(BZ_GROUP_CORE, "1-4"), "1 2 3 4");
    assert_string_equal(groups(BZ_GROUP_SOCKET, "0-7"), "0,2,4,6 1,3,5,7");
    assert_string_equal(groups(BZ_GROUP_SOCKET, "1-4"), "1,3 2,4");
    assert_string_equal(groups(BZ_GROUP_CACHE, "0-7"), "0,1,4,5 2,3,6,7");
    assert_string_equal(groups(BZ_GROUP_NODE, "0-7"), "4,5,6,7 0,1,2,3");
    assert_string_equal(groups(BZ_GROUP_NODE, "0-3"), "0,1,2,3");
    /* Stopped. */
    uint64_t set[WORDS] = {0xff};
    int left = 2;
    parts[0] = '\0';
    assert_int_equal(bz_cpu_groups(root, BZ_GROUP_CORE, set, WORDS, write_part, &left), ECANCELED);
    assert_string_equal(parts, "0,4 1,5");
}

static void files_may_be_missing(void **state) {
    (void)state;
    assert_string_equal(groups(BZ_GROUP_CORE, "0-2,1279"), "0 1 2 1279");
    assert_string_equal(groups(BZ_GROUP_SOCKET, "0-2"), "0,1,2");
    assert_string_equal(groups(BZ_GROUP_CACHE, "0-2"), "0,1,2");
    assert_string_equal(groups(BZ_GROUP_NODE, "0-2"), "0,1,2");
    put_cpu(1, "topology/thread_siblings_list", "1-2");
    put_cpu(1, "topology/core_siblings_list", "1-2");
    put("node/online", "0");
    put("node/node0/cpulist", "2");
    assert_string_equal(groups(BZ_GROUP_CORE, "0-3"), "0 1,2 3");
    assert_string_equal(groups(BZ_GROUP_SOCKET, "0-3"), "1,2 0,3");
    assert_string_equal(groups(BZ_GROUP_NODE, "0-3"), "2 0,1,3");
}

static void nonsense_is_survived(void **state) {
    (void)state;
    put_cpu(0, "topology/thread_siblings_list", "x");
    put_cpu(1, "topology/thread_siblings_list", "5-1,9999999-99999999");
    put_cpu(2, "topology/thread_siblings_list", "");
    put_cpu(3, "topology/thread_siblings_list", "0-");
    assert_string_equal(groups(BZ_GROUP_CORE, "0-3"), "0 1,2,3");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(files_say_what_belongs_together, set_up, tear_down),
        cmocka_unit_test_setup_teardown(files_may_be_missing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nonsense_is_survived, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
