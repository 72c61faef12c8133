/*
 * stops LIBRARY: every function that the tables say is not served ends the program with status 1 and one line that
 * names it. Each is called in a process of its own.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define STOP_full(...)
#define STOP_part(...)
#define STOP_host(...)
#define STOP_stop(...) __VA_ARGS__
#define NAME_C(name) #name,
#define NAME_C_F(name) #name, #name "_",
#define NAME_C_F_F8(name) #name, #name "_", #name "_8_",
#define GOMP(group, name, node, status) STOP_##status(#name, )
#define OMP(group, name, node, status, shape, languages) STOP_##status(NAME_##languages(name))
#define OMP_OLD(name, node)
static const char *const names[] = {
#include "gomp.def"

#include "api.def"
};

/* The child: standard error into the pipe, and the call. */
static void call(void *function, int error) {
    dup2(error, STDERR_FILENO);
    ((void (*)(void))(uintptr_t)function)();
    _exit(0);
}

/* Whether the function says its line and exits; what it does instead goes to standard output. */
static int stops(void *library, const char *name) {
    char wanted[200];
    char said[1000];
    int ends[2];
    int status;
    void *function = dlsym(library, name);
    if (function == NULL || pipe(ends) != 0) {
        printf("%s: %s\n", name, function == NULL ? "not exported" : "no pipe");
        return 0;
    }
    pid_t child = fork();
    if (child == 0) {
        call(function, ends[1]);
    }
    close(ends[1]);
    size_t length = 0;
    ssize_t got;
    while ((got = read(ends[0], said + length, sizeof said - 1 - length)) > 0) {
        length += (size_t)got;
    }
    said[length] = '\0';
    close(ends[0]);
    waitpid(child, &status, 0);
    snprintf(wanted, sizeof wanted, "libblitz-omp: %s is not supported by this version\n", name);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 1 || strcmp(said, wanted) != 0) {
        printf("%s: status %#x, says: %s\n", name, (unsigned)status, said);
        return 0;
    }
    return 1;
}

int main(int argc, char **argv) {
    int count = (int)(sizeof names / sizeof names[0]);
    int good = 0;
    void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (library == NULL) {
        printf("usage: stops LIBRARY; %s\n", argc == 2 ? dlerror() : "");
        return 2;
    }
    for (int i = 0; i < count; i++) {
        good += stops(library, names[i]);
    }
    printf("%d of %d functions that are not served stop the program\n", good, count);
    return good == count && count > 0 ? 0 : 1;
}
