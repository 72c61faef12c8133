/*
 * machine.c: a library to preload that shows a program a made-up machine, so that places and binding can be tested with
 * more CPUs than exist, under any OpenMP runtime. Nothing is really bound: masks are kept in a table.
 *
 *   MACHINE      a folder with the files below /sys/devices/system, under their full path
 *   MACHINE_CPUS the CPUs of the process, as 0-3,8; the machine has all CPUs up to the highest one
 *
 * Replaces the affinity calls, sysconf for the number of CPUs, and fopen and open of those files for reading.
 */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MASK_BYTES 1024
#define THREADS 1024

struct mask {
    unsigned char bytes[MASK_BYTES];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the table */
static struct {
    pid_t thread;
    struct mask mask;
} table[THREADS];
static int known;
static struct mask process; /* written once, before main */
static int cpus;            /* the same: one more than the highest number */
static struct mask
    next_mask; /* of the thread that is made with the attributes below; by one thread at a time */
static const pthread_attr_t *next_attr;

__attribute__((constructor)) static void read_cpus(void) {
    const char *text = getenv("MACHINE_CPUS");
    for (char *end; text != NULL && *text != '\0'; text = *end == ',' ? end + 1 : end) {
        long first = strtol(text, &end, 10);
        long last = *end == '-' ? strtol(end + 1, &end, 10) : first;
        for (long cpu = first; cpu <= last && cpu < MASK_BYTES * 8; cpu++) {
            process.bytes[cpu / 8] |= (unsigned char)(1u << (cpu % 8));
            cpus = cpu >= cpus ? (int)cpu + 1 : cpus;
        }
    }
}

/* The entry of a thread, 0 for the caller; with the lock held. */
static struct mask *of(pid_t thread) {
    thread = thread != 0 ? thread : gettid();
    for (int i = 0; i < known; i++) {
        if (table[i].thread == thread) {
            return &table[i].mask;
        }
    }
    if (known == THREADS) {
        abort();
    }
    if (cpus == 0) {
        read_cpus(); /* another constructor came before ours */
    }
    table[known].thread = thread;
    table[known].mask = process;
    return &table[known++].mask;
}

static int get(pid_t thread, size_t size, void *mask) {
    pthread_mutex_lock(&lock);
    struct mask *own = of(thread);
    int rc = size * 8 < (size_t)cpus ? EINVAL : 0;
    if (rc == 0) {
        memset(mask, 0, size);
        memcpy(mask, own->bytes, size < MASK_BYTES ? size : MASK_BYTES);
    }
    pthread_mutex_unlock(&lock);
    return rc;
}

static int set(pid_t thread, size_t size, const void *mask) {
    struct mask wanted = {{0}};
    memcpy(wanted.bytes, mask, size < MASK_BYTES ? size : MASK_BYTES);
    bool any = false;
    for (int cpu = 0; cpu < MASK_BYTES * 8; cpu++) {
        if (cpu >= cpus) {
            wanted.bytes[cpu / 8] &= (unsigned char)~(1u << (cpu % 8));
        }
        any = any || (wanted.bytes[cpu / 8] >> (cpu % 8) & 1u) != 0;
    }
    if (!any) {
        return EINVAL;
    }
    pthread_mutex_lock(&lock);
    *of(thread) = wanted;
    pthread_mutex_unlock(&lock);
    return 0;
}

static int as_errno(int rc) {
    errno = rc != 0 ? rc : errno;
    return rc != 0 ? -1 : 0;
}

int sched_getaffinity(pid_t thread, size_t size, cpu_set_t *mask) {
    return as_errno(get(thread, size, mask));
}

int sched_setaffinity(pid_t thread, size_t size, const cpu_set_t *mask) {
    return as_errno(set(thread, size, mask));
}

/* Only for the calling thread: a handle does not lead to a number. */
int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *mask) {
    return pthread_equal(thread, pthread_self()) ? get(0, size, mask) : ENOSYS;
}

int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *mask) {
    return pthread_equal(thread, pthread_self()) ? set(0, size, mask) : ENOSYS;
}

int pthread_attr_setaffinity_np(pthread_attr_t *attr, size_t size, const cpu_set_t *mask) {
    memset(&next_mask, 0, sizeof next_mask);
    memcpy(next_mask.bytes, mask, size < MASK_BYTES ? size : MASK_BYTES);
    next_attr = attr;
    return 0;
}

/* Threads start with their creator's mask, or with that of the attributes. */
struct start {
    void *(*main)(void *);
    void *arg;
    struct mask mask;
};

static void *start_thread(void *raw) {
    struct start start = *(struct start *)raw;
    free(raw);
    (void)set(0, sizeof start.mask, &start.mask);
    return start.main(start.arg);
}

static void *real(const char *name) {
    return dlsym(RTLD_NEXT, name);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*main)(void *), void *arg) {
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    *(void **)&create = real("pthread_create");
    struct start *start = malloc(sizeof *start);
    if (start == NULL) {
        return EAGAIN;
    }
    *start = (struct start){.main = main, .arg = arg};
    if (attr != NULL && attr == next_attr) {
        start->mask = next_mask;
    } else {
        (void)get(0, sizeof start->mask, &start->mask);
    }
    int rc = create(thread, attr, start_thread, start);
    if (rc != 0) {
        free(start);
    }
    return rc;
}

long sysconf(int name) {
    long (*next)(int);
    *(void **)&next = real("sysconf");
    return name == _SC_NPROCESSORS_CONF || name == _SC_NPROCESSORS_ONLN ? cpus : next(name);
}

/* The path of a file; `moved` has room for it. */
static const char *where(const char *path, char moved[4096]) {
    const char *machine = getenv("MACHINE");
    if (machine == NULL || strncmp(path, "/sys/devices/system/", 20) != 0) {
        return path;
    }
    snprintf(moved, 4096, "%s%s", machine, path);
    return moved;
}

FILE *fopen(const char *path, const char *mode) {
    FILE *(*next)(const char *, const char *);
    char moved[4096];
    *(void **)&next = real("fopen");
    return next(where(path, moved), mode);
}

int open(const char *path, int flags, ...) {
    int (*next)(const char *, int, ...);
    char moved[4096];
    va_list args;
    va_start(args, flags);
    int mode = flags & O_CREAT ? va_arg(args, int) : 0;
    va_end(args);
    *(void **)&next = real("open");
    return next(where(path, moved), flags, mode);
}
