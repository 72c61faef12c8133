/*
 * test_topology.c: os/topology.h, against this machine for the affinity mask and against made-up file trees for the
 * cgroup quota.
 */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "os/cpus.h"
#include "os/topology.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../asserts.h"

/* Affinity. */

static void cpus_are_those_of_the_mask(void **state) {
    (void)state;
    cpu_set_t mask;
    assert_int_equal(sched_getaffinity(0, sizeof mask, &mask), 0);
    assert_int_equal(bz_topology_affinity_count(), CPU_COUNT(&mask));
}

static void bind_to_first(void) {
    uint64_t *all = calloc(bz_cpus_words(), sizeof *all);
    cpu_set_t one;
    CPU_ZERO(&one);
    assert_int_equal(bz_cpus_of_thread(all), 0);
    CPU_SET(bz_cpus_next(all, bz_cpus_words(), 0), &one);
    free(all);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
}

static void a_narrower_mask_is_seen(void **state) {
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        bind_to_first();
        _exit(bz_topology_affinity_count() == 1 && bz_topology_default_workers() == 1 ? 0 : 1);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
}

static void *count_while_bound(void *unused) {
    (void)unused;
    bind_to_first();
    return (void *)(uintptr_t)bz_topology_affinity_count();
}

static void a_bound_thread_counts_for_the_process(void **state) {
    (void)state;
    pthread_t thread;
    void *count;
    if (bz_topology_affinity_count() == 1)
        skip(); /* nothing narrower to bind to */
    assert_int_equal(pthread_create(&thread, NULL, count_while_bound, NULL), 0);
    pthread_join(thread, &count);
    assert_int_equal((uintptr_t)count, bz_topology_affinity_count());
}

/* Quota: a file tree for each test. */

static char root[] = "/tmp/blitz-test-topology-XXXXXX";

/* Make the file and the folders above it. */
static void put(const char *path, const char *content) {
    char full[1024];
    int length = snprintf(full, sizeof full, "%s%s", root, path);
    assert_in_range(length, 1, sizeof full - 1);
    for (char *slash = strchr(full + strlen(root) + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        assert_true(mkdir(full, 0700) == 0 || errno == EEXIST);
        *slash = '/';
    }
    FILE *file = fopen(full, "w");
    assert_non_null(file);
    assert_true(fputs(content, file) >= 0);
    fclose(file);
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where) {
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}

static int make_root(void **state) {
    (void)state;
    strcpy(root + strlen(root) - 6, "XXXXXX");
    return mkdtemp(root) == NULL ? -1 : 0;
}

static int remove_root(void **state) {
    (void)state;
    return nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void put_v1(const char *folder, const char *quota, const char *period) {
    char path[512];
    snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", folder);
    put(path, quota);
    snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
    put(path, period);
}

static unsigned quota(void) {
    unsigned cpus = 0;
    (void)bz_quota_read(root, &cpus);
    return cpus;
}

static void nothing_to_read_is_no_quota(void **state) {
    (void)state;
    assert_int_equal(quota(), 0);
    put("/proc/self/cgroup", "0::/user\n");
    assert_int_equal(quota(), 0);
}

static void v2_quota_is_rounded_down_but_not_to_nothing(void **state) {
    (void)state;
    static const struct {
        const char *content;
        unsigned quota;
    } cases[] = {
        {"400000 100000\n", 4},
        {"399999 100000\n", 3},
        {"100000 100000\n", 1},
        {"50000 100000\n", 1},
        {"1000 100000\n", 1},
        {"150000 50000\n", 3},
        {"400000 100000", 4},
        {"max 100000\n", 0},
        {"", 0},
        {"\n", 0},
        {"400000\n", 0},
        {"0 100000\n", 0},
        {"400000 0\n", 0},
        {"-400000 100000\n", 0},
        {"400000x 100000\n", 0},
        {"99999999999999999999999 1\n", 0},
        {"9000000000000000000 1\n", 0},
    };
    put("/proc/self/cgroup", "0::/job\n");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        put("/sys/fs/cgroup/job/cpu.max", cases[i].content);
        assert_int_equal(quota(), cases[i].quota);
    }
}

static void v2_quota_is_the_least_up_to_the_mount(void **state) {
    (void)state;
    put("/proc/self/cgroup", "0::/a/b/c\n");
    put("/sys/fs/cgroup/a/b/c/cpu.max", "800000 100000\n");
    assert_int_equal(quota(), 8);
    put("/sys/fs/cgroup/a/cpu.max", "500000 100000\n");
    assert_int_equal(quota(), 5);
    put("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    assert_int_equal(quota(), 5);
    put("/sys/fs/cgroup/cpu.max", "300000 100000\n"); /* the mount point itself: the root of a namespace */
    assert_int_equal(quota(), 3);
    put("/sys/fs/cgroup/a/b/c/cpu.max", "200000 100000\n");
    assert_int_equal(quota(), 2);
    put("/sys/fs/cpu.max", "100000 100000\n"); /* above it: no cgroup */
    put("/sys/fs/cgroup/a/b/c/d/cpu.max", "100000 100000\n");
    put("/sys/fs/cgroup/x/cpu.max", "100000 100000\n");
    assert_int_equal(quota(), 2);
}

static void v2_quota_of_the_root_cgroup(void **state) {
    (void)state;
    put("/proc/self/cgroup", "0::/\n");
    assert_int_equal(quota(), 0);
    put("/sys/fs/cgroup/cpu.max", "300000 100000\n");
    assert_int_equal(quota(), 3);
}

static void v1_quota_of_the_cpu_controller(void **state) {
    (void)state;
    put("/proc/self/cgroup", "4:cpuset:/other\n3:name=systemd:/other\n2:cpuacct,cpu:/jobs/one\n0::/other\n");
    put_v1("/sys/fs/cgroup/cpuset/other", "100000\n", "100000\n");
    put_v1("/sys/fs/cgroup/cpuset/jobs/one", "100000\n", "100000\n");
    put_v1("/sys/fs/cgroup/cpu/other", "100000\n", "100000\n");
    assert_int_equal(quota(), 0);
    put_v1("/sys/fs/cgroup/cpu", "-1\n", "100000\n");
    put_v1("/sys/fs/cgroup/cpu/jobs/one", "-1\n", "100000\n");
    assert_int_equal(quota(), 0);
    put_v1("/sys/fs/cgroup/cpu/jobs", "450000\n", "100000\n");
    assert_int_equal(quota(), 4);
    put_v1("/sys/fs/cgroup/cpu/jobs/one", "150000\n", "50000\n");
    assert_int_equal(quota(), 3);
    put("/sys/fs/cgroup/cpu/jobs/one/cpu.cfs_period_us", "");
    assert_int_equal(quota(), 4);
}

static void both_versions_count(void **state) {
    (void)state;
    put("/proc/self/cgroup", "1:cpu:/old\n0::/new\n");
    put_v1("/sys/fs/cgroup/cpu/old", "300000", "100000");
    assert_int_equal(quota(), 3);
    put("/sys/fs/cgroup/new/cpu.max", "200000 100000\n");
    assert_int_equal(quota(), 2);
    put_v1("/sys/fs/cgroup/cpu/old", "100000", "100000");
    assert_int_equal(quota(), 1);
}

static void a_container_with_the_hosts_path_has_its_mount_point(void **state) {
    (void)state;
    put("/proc/self/cgroup", "1:cpu:/docker/abc\n");
    put_v1("/sys/fs/cgroup/cpu", "600000", "100000");
    assert_int_equal(quota(), 6);
    put("/proc/self/cgroup", "0::/system.slice/docker-abc.scope\n");
    put("/sys/fs/cgroup/cpu.max", "200000 100000\n");
    assert_int_equal(quota(), 2);
    put("/proc/self/cgroup", "0::/../other\n"); /* outside of the cgroup namespace */
    put("/sys/fs/other/cpu.max", "100000 100000\n");
    assert_int_equal(quota(), 2);
}

static void files_that_cannot_be_read_are_no_limit(void **state) {
    (void)state;
    put("/proc/self/cgroup", "0::/job\n");
    put("/sys/fs/cgroup/job/cpu.max/is_a_folder", "\n"); /* reading it fails even for root */
    put("/sys/fs/cgroup/cpu.max", "400000 100000\n");
    assert_int_equal(quota(), 4);
}

static void nonsense_is_passed_over(void **state) {
    (void)state;
    put("/proc/self/cgroup", "\n:\n::\nno colon\n7:cpu\n0::/job\n0:cpu\n:");
    put("/sys/fs/cgroup/job/cpu.max", "200000 100000\n");
    assert_int_equal(quota(), 2);
}

static void a_quota_that_changes_is_followed(void **state) {
    (void)state;
    put("/proc/self/cgroup", "0::/job\n");
    assert_int_equal(quota(), 0);
    put("/sys/fs/cgroup/job/cpu.max", "200000 100000\n");
    assert_int_equal(quota(), 2);
    put("/sys/fs/cgroup/job/cpu.max", "max 100000\n");
    assert_int_equal(quota(), 0);
    put("/sys/fs/cgroup/cpu.max", "300000 100000\n");
    assert_int_equal(quota(), 3);
    put("/sys/fs/cgroup/other/cpu.max", "100000 100000\n");
    put("/proc/self/cgroup", "0::/other\n");
    assert_int_equal(quota(), 1);
}

static void what_was_known_holds_while_files_are_gone(void **state) {
    unsigned cpus = 2;
    (void)remove_root(state);
    assert_false(bz_quota_read(root, &cpus));
    assert_int_equal(cpus, 2);
    assert_int_equal(mkdir(root, 0700), 0);
    put("/proc/self/cgroup", "0::/job\n");
    assert_false(bz_quota_read(root, &cpus)); /* there is no /sys */
    assert_int_equal(cpus, 2);
}

static void throttled_time_is_the_sum_of_all_groups(void **state) {
    (void)state;
    assert_int_equal(bz_quota_throttled_ns(root), 0);
    put("/proc/self/cgroup", "0::/job\n");
    assert_int_equal(bz_quota_throttled_ns(root), 0);
    put("/sys/fs/cgroup/job/cpu.stat", "usage_usec 77\nnr_throttled 3\nthrottled_usec 250\n");
    assert_int_equal(bz_quota_throttled_ns(root), 250000);
    put("/sys/fs/cgroup/cpu.stat", "throttled_usec 50\nthrottled 9\n");
    assert_int_equal(bz_quota_throttled_ns(root), 300000);
    put("/proc/self/cgroup", "2:cpuacct,cpu:/one\n");
    put("/sys/fs/cgroup/cpu/one/cpu.stat", "nr_periods 5\nthrottled_time 1234\n");
    assert_int_equal(bz_quota_throttled_ns(root), 1234);
}

static void default_workers_is_the_lesser_of_mask_and_quota(void **state) {
    (void)state;
    unsigned cpus = bz_topology_affinity_count(), granted = bz_quota();
    assert_int_equal(bz_topology_default_workers(), granted != 0 && granted < cpus ? granted : cpus);
    assert_int_equal(bz_quota(), granted);
}

/* A real group, where the system has the hierarchy and permits it. */

static bool write_to(const char *dir, const char *name, const char *text) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *file = fopen(path, "r+"); /* only the system creates it */
    if (file == NULL)
        return false;
    bool written = fputs(text, file) >= 0;
    return fclose(file) == 0 && written;
}

/* Whether a process in a group below `base` with that quota sees `expected`, or our own limit if that is lower; -1:
 * such a group cannot be created. */
static int sees_real_quota(const char *base, const char *quota_file, const char *quota, unsigned expected) {
    char dir[256];
    int status = -1;
    unsigned outer = bz_quota();
    snprintf(dir, sizeof dir, "%s/blitz-test-%d", base, (int)getpid());
    if (mkdir(dir, 0700) != 0)
        return -1;
    if (write_to(dir, quota_file, quota)) {
        pid_t child = fork();
        if (child == 0) {
            if (!write_to(dir, "cgroup.procs", "0"))
                _exit(2);
            _exit(bz_quota() != (outer != 0 && outer < expected ? outer : expected));
        }
        waitpid(child, &status, 0);
    }
    while (rmdir(dir) != 0 && errno == EBUSY)
        usleep(1000); /* the kernel needs a moment to notice that the child has ended */
    return !WIFEXITED(status) || WEXITSTATUS(status) == 2 ? -1 : WEXITSTATUS(status) == 0;
}

static void a_real_quota_is_seen(void **state) {
    (void)state;
    static const struct {
        const char *base, *file, *quota;
        unsigned expected;
    } tries[] = {
        {"/sys/fs/cgroup/cpu", "cpu.cfs_quota_us", "250000", 2},
        {"/sys/fs/cgroup/cpu", "cpu.cfs_quota_us", "50000", 1},
        {"/sys/fs/cgroup/cpu,cpuacct", "cpu.cfs_quota_us", "250000", 2},
        {"/sys/fs/cgroup", "cpu.max", "250000 100000", 2},
        {"/sys/fs/cgroup", "cpu.max", "50000 100000", 1},
    };
    int made = 0;
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        int seen = sees_real_quota(tries[i].base, tries[i].file, tries[i].quota, tries[i].expected);
        assert_int_not_equal(seen, 0);
        made += seen > 0;
    }
    if (made == 0)
        skip();
}

#define quota_test(test) cmocka_unit_test_setup_teardown(test, make_root, remove_root)

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(cpus_are_those_of_the_mask),
        cmocka_unit_test(a_narrower_mask_is_seen),
        cmocka_unit_test(a_bound_thread_counts_for_the_process),
        quota_test(nothing_to_read_is_no_quota),
        quota_test(v2_quota_is_rounded_down_but_not_to_nothing),
        quota_test(v2_quota_is_the_least_up_to_the_mount),
        quota_test(v2_quota_of_the_root_cgroup),
        quota_test(v1_quota_of_the_cpu_controller),
        quota_test(both_versions_count),
        quota_test(a_container_with_the_hosts_path_has_its_mount_point),
        quota_test(files_that_cannot_be_read_are_no_limit),
        quota_test(nonsense_is_passed_over),
        quota_test(a_quota_that_changes_is_followed),
        quota_test(what_was_known_holds_while_files_are_gone),
        quota_test(throttled_time_is_the_sum_of_all_groups),
        quota_test(default_workers_is_the_lesser_of_mask_and_quota),
        cmocka_unit_test(a_real_quota_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
