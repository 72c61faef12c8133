/* Checks that a program links with old_libc.cmake's C library, using all calls of the libraries that depend on headers
 * and flags. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static void clean(void *arg) {
    (void)arg;
}

int main(int argc, char **argv) {
    struct stat status;
    unsigned long long number = strtoul(argv[0], NULL, 10) + strtoull(argv[0], NULL, 10);
    pthread_cleanup_push(clean, argv);
    number += (unsigned long long)(fstat(0, &status) + stat(argv[0], &status) + fcntl(0, F_GETFL, 0));
    pthread_cleanup_pop(1);
    return printf("%llu\n", number + (unsigned long long)(strtol(argv[0], NULL, 10) + argc)) < 0;
}
