/*
 * created.h: counts the threads that the runtime creates during the life of the process, not only live ones. The
 * program's pthread_create replaces the one of the C library, and counts. Needs `flags: -rdynamic`.
 */
#ifndef CREATED_H
#define CREATED_H

#ifndef _GNU_SOURCE
#    error "define _GNU_SOURCE first"
#endif

#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>

static int created_threads;
static __thread int created_by_program;

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*main)(void *), void *arg) {
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    if (!created_by_program)
        __atomic_fetch_add(&created_threads, 1, __ATOMIC_RELAXED);
    return real(thread, attr, main, arg);
}

/* A thread of the program, which does not count. */
static inline int create_host(pthread_t *thread, void *(*main)(void *), void *arg) {
    created_by_program = 1;
    int error = pthread_create(thread, NULL, main, arg);
    created_by_program = 0;
    return error;
}

static inline int created(void) {
    return __atomic_load_n(&created_threads, __ATOMIC_RELAXED);
}

/* Entries of a folder below /proc/self: threads ("task") or open files ("fd"), including the one that reads the
 * folder. */
static inline int entries_of(const char *folder) {
    int count = 0;
    DIR *dir = opendir(folder);
    if (!dir)
        return -1;
    for (struct dirent *entry; (entry = readdir(dir));)
        count += entry->d_name[0] != '.';
    closedir(dir);
    return count;
}

#endif
