// beyond libomp: it frees a block twice
// flags: -rdynamic
// threads: 2
// beyond libgomp: it keeps the threads of each host thread apart, and creates some for each
// Thousands of short-lived host threads, four at a time, with a region each: their teams end, the threads stay.
#define _GNU_SOURCE
#include "../../sanitized.h"
#include "../check.h"

#include "../created.h"

#include <malloc.h>

enum { AT_ONCE = 4 };

static int members;

static void *run_host(void *arg) {
    int size = 1 + (int)(scramble((unsigned)(size_t)arg) % 3);
#pragma omp parallel num_threads(size)
#pragma omp task
    count_up(&members);
    return NULL;
}

static void run_hosts(int count) {
    for (int i = 0; i < count; i += AT_ONCE) {
        pthread_t host[AT_ONCE];
        for (int j = 0; j < AT_ONCE; j++)
            CHECK_EQ(create_host(&host[j], run_host, (void *)(size_t)(i + j)), 0);
        for (int j = 0; j < AT_ONCE; j++)
            pthread_join(host[j], NULL);
    }
}

/* Bytes that the program and its libraries hold in the heap and in malloc's mappings. */
static size_t held(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

int main(int argc, char **argv) {
    int hosts = (int)check_arg(argc, argv, 1, SANITIZED ? 1000 : 10000);

    run_hosts(hosts / 10);
    size_t before = held();
    int files = entries_of("/proc/self/fd");
    run_hosts(hosts);
    if (held() > before + (128 << 10))
        fprintf(stderr, "%zu bytes held after the first hosts, %zu at the end\n", before, held());
    CHECK(held() <= before + (128 << 10));
    CHECK_EQ(entries_of("/proc/self/fd"), files);
    if (created() > AT_ONCE * 2)
        fprintf(stderr, "%d threads created where %d are enough\n", created(), AT_ONCE * 2);
    CHECK(created() <= AT_ONCE * 2);
    CHECK_EQ(entries_of("/proc/self/task"), created() + 1 + UNDER_TSAN); /* TSan has a thread of its own */
    printf("members %d\n", members);
    return check_done("threads_hosts");
}
