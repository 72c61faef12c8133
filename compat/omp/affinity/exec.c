/* exec.c: see exec.h. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "omp/affinity/exec.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "omp/base/export.h"
#include "runtime.h"

#define EXEC_LIST(name)
#define EXEC_MASK(name)

enum which {
#define EXEC(name) WHICH_##name,
#include "omp/affinity/exec.def"
#undef EXEC
    WHICH_COUNT
};

static const char *const names[WHICH_COUNT] = {
#define EXEC(name) #name,
#include "omp/affinity/exec.def"
#undef EXEC
};

typedef void function(void);

/* The C library's. Written by anyone who finds one, with the same value; read by all. */
static struct { function *v; } found[WHICH_COUNT];

static function *next(enum which which) {
    function *real = bz_load_relaxed(&found[which]); /* relaxed: a constant of the C library's */
    if (!real) {
        *(void **)&real = dlsym(RTLD_NEXT, names[which]);
        bz_store_relaxed(&found[which], real);
    }
    return real;
}

/* Nothing may be looked for later in the child of vfork or in a signal handler. */
__attribute__((constructor)) static void find_all(void) {
    for (unsigned i = 0; i < WHICH_COUNT; i++)
        (void)next((enum which)i);
}

bool bomp_exec_guarded(void) {
    return dlsym(RTLD_DEFAULT, "execve") == (void *)(uintptr_t)execve;
}

/* Returns what the C library's function of that name returns, called without a pin and our mask; `failed` if it has none. */
#define START(name, failed, ...)                                                                             \
    __typeof__(&name) real = (__typeof__(&name))next(WHICH_##name);                                          \
    if (!real) {                                                                                             \
        errno = ENOSYS;                                                                                      \
        return failed;                                                                                       \
    }                                                                                                        \
    uint64_t signals = bz_os_signals_lift();                                                                 \
    bool lifted = bz_pin_lift();                                                                             \
    __typeof__(real(__VA_ARGS__)) result = real(__VA_ARGS__);                                                \
    if (lifted)                                                                                              \
        bz_pin_restore();                                                                                    \
    bz_os_signals_restore(signals);                                                                          \
    return result

BOMP_EXPORT int execve(const char *path, char *const argv[], char *const envp[]) {
    START(execve, -1, path, argv, envp);
}

BOMP_EXPORT int execv(const char *path, char *const argv[]) {
    START(execv, -1, path, argv);
}

BOMP_EXPORT int execvp(const char *file, char *const argv[]) {
    START(execvp, -1, file, argv);
}

BOMP_EXPORT int execvpe(const char *file, char *const argv[], char *const envp[]) {
    START(execvpe, -1, file, argv, envp);
}

BOMP_EXPORT int fexecve(int fd, char *const argv[], char *const envp[]) {
    START(fexecve, -1, fd, argv, envp);
}

int execveat(int fd, const char *path, char *const argv[], char *const envp[],
             int flags); /* since glibc 2.34 */

BOMP_EXPORT int execveat(int fd, const char *path, char *const argv[], char *const envp[], int flags) {
    START(execveat, -1, fd, path, argv, envp, flags);
}

BOMP_EXPORT int posix_spawn(pid_t *restrict pid, const char *restrict path,
                            const posix_spawn_file_actions_t *actions,
                            const posix_spawnattr_t *restrict attributes, char *const argv[restrict],
                            char *const envp[restrict]) {
    START(posix_spawn, ENOSYS, pid, path, actions, attributes, argv, envp);
}

BOMP_EXPORT int posix_spawnp(pid_t *restrict pid, const char *restrict file,
                             const posix_spawn_file_actions_t *actions,
                             const posix_spawnattr_t *restrict attributes, char *const argv[restrict],
                             char *const envp[restrict]) {
    START(posix_spawnp, ENOSYS, pid, file, actions, attributes, argv, envp);
}

BOMP_EXPORT int system(const char *command) {
    START(system, -1, command);
}

BOMP_EXPORT FILE *popen(const char *command, const char *mode) {
    START(popen, NULL, command, mode);
}

/* The arguments from `first` on, up to and with the NULL that ends them, as argv; `list` is behind them then. */
#define COLLECT(argv, first, list)                                                                           \
    va_list list;                                                                                            \
    size_t count = 1;                                                                                        \
    va_start(list, first);                                                                                   \
    for (const char *arg = first; arg; arg = va_arg(list, const char *))                                     \
        count++;                                                                                             \
    va_end(list);                                                                                            \
    char **argv = __builtin_alloca(count * sizeof *argv);                                                    \
    va_start(list, first);                                                                                   \
    argv[0] = (char *)first;                                                                                 \
    for (size_t i = 1; i < count; i++)                                                                       \
        argv[i] = va_arg(list, char *);

BOMP_EXPORT int execl(const char *path, const char *first, ...) {
    COLLECT(argv, first, list);
    va_end(list);
    return execv(path, argv);
}

BOMP_EXPORT int execlp(const char *file, const char *first, ...) {
    COLLECT(argv, first, list);
    va_end(list);
    return execvp(file, argv);
}

BOMP_EXPORT int execle(const char *path, const char *first, ...) {
    COLLECT(argv, first, list);
    char *const *envp = va_arg(list, char *const *);
    va_end(list);
    return execve(path, argv, envp);
}

/* The handler runs before the mask is back, or the process is gone. In a signal handler, too. */
BOMP_EXPORT int raise(int number) {
    __typeof__(&raise) real = (__typeof__(&raise))next(WHICH_raise);
    if (!real) {
        errno = ENOSYS;
        return -1;
    }
    uint64_t signals = bz_os_signals_lift();
    int result = real(number);
    bz_os_signals_restore(signals);
    return result;
}

BOMP_EXPORT int pthread_kill(pthread_t thread, int number) {
    __typeof__(&pthread_kill) real = (__typeof__(&pthread_kill))next(WHICH_pthread_kill);
    if (!real)
        return ENOSYS;
    bool own = pthread_equal(thread, pthread_self());
    bool waits = !own && bz_os_signals_waits((uintptr_t)thread, number);
    uint64_t signals = own ? bz_os_signals_lift() : 0;
    int result = real(thread, number);
    if (waits && result == 0)
        bz_os_signals_open((uintptr_t)thread, number);
    bz_os_signals_restore(signals);
    return result;
}

BOMP_EXPORT int pthread_sigqueue(pthread_t thread, int number, const union sigval value) {
    __typeof__(&pthread_sigqueue) real = (__typeof__(&pthread_sigqueue))next(WHICH_pthread_sigqueue);
    if (!real)
        return ENOSYS;
    bool waits = bz_os_signals_waits((uintptr_t)thread, number);
    int result = real(thread, number, value);
    if (waits && result == 0)
        bz_os_signals_open((uintptr_t)thread, number);
    return result;
}

BOMP_EXPORT int tgkill(pid_t process, pid_t thread, int number) {
    __typeof__(&tgkill) real = (__typeof__(&tgkill))next(WHICH_tgkill);
    if (!real) {
        errno = ENOSYS;
        return -1;
    }
    int result = real(process, thread, number);
    if (result == 0 && process == getpid())
        bz_os_signals_open_id((uint32_t)thread, number);
    return result;
}

BOMP_EXPORT int timer_create(clockid_t clock, struct sigevent *restrict event, timer_t *restrict timer) {
    __typeof__(&timer_create) real = (__typeof__(&timer_create))next(WHICH_timer_create);
    if (!real) {
        errno = ENOSYS;
        return -1;
    }
    int result = real(clock, event, timer);
    if (result == 0 && event && event->sigev_notify == SIGEV_THREAD_ID)
        bz_os_signals_open_id((uint32_t)event->_sigev_un._tid, event->sigev_signo);
    return result;
}
