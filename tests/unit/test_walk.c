/* test_walk.c: bz_elf_walk: walks over the loaded objects, and concurrent forks. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../asserts.h"
#include "base/atomic.h"
#include "os/elf.h"

/* ThreadSanitizer believes that the child has threads of its parent. */
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
    return "die_after_fork=0:report_thread_leaks=0";
}

enum { TRIES = 20 };

static struct bz_a32 walks;

static int stay_for_a_while(struct dl_phdr_info *info, size_t size, void *arg) {
    (void)info, (void)size, (void)arg;
    bz_store_release(&walks, 1);
    usleep(5000);
    return 1;
}

static int see_one(struct dl_phdr_info *info, size_t size, void *arg) {
    (void)size, (void)arg;
    return info->dlpi_name ? 7 : 1;
}

static void *walk(void *arg) {
    bz_elf_walk(stay_for_a_while, arg);
    return arg;
}

/* The child of a fork can walk, although another thread of the parent walks with the C library's lock held. The fork
 * gives up on a walk of ten seconds, as on a busy machine, so that the test tries again. */
static void a_fork_waits_for_walks(void **state) {
    (void)state;
    int status = 1;
    for (int tries = 0; status != 0 && tries < TRIES; tries++) {
        pthread_t walker;
        bz_store_relaxed(&walks, 0);
        assert_int_equal(pthread_create(&walker, NULL, walk, NULL), 0);
        while (!bz_load_acquire(&walks))
            usleep(100);
        pid_t pid = fork();
        if (pid == 0) {
            alarm(tries < TRIES - 1 ? 1 : HANG_SECONDS);
            _exit(bz_elf_walk(see_one, NULL) != 7);
        }
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_int_equal(pthread_join(walker, NULL), 0);
        assert_int_equal(bz_elf_walk(see_one, NULL), 7);
    }
    assert_int_equal(status, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_fork_waits_for_walks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
