// threads: 2
// Settings of the environment, read when the program is loaded: each in a child process, with its message after the
// library's name, and its exit status.
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif
#include "../omp/check.h"
#include "../omp/child.h"

#include <openacc.h>
#include <string.h>

static char *self;

/* The program's action in the child process. */
static int act(const char *what) {
    int a = 1;
    if (strcmp(what, "set") == 0)
        acc_set_device_num(0, acc_device_host);
    if (strcmp(what, "ask") == 0)
        printf("%d of %d\n", acc_get_device_num(acc_device_host), acc_get_num_devices(acc_device_default));
    setenv("ACC_DEVICE_TYPE", "nvidia", 1); /* too late */
    setenv("ACC_DEVICE_NUM", "3", 1);
#pragma acc parallel copy(a)
    a++;
    printf("%s: %d\n", what, a);
    return 0;
}

static void start(void *arg) {
    char **words = arg;
    dup2(STDERR_FILENO, STDOUT_FILENO);
    setenv(words[0], words[1], 1);
    execl(self, self, words[2], (char *)NULL);
}

static void try(const char *name, const char *value, const char *what) {
    const char *words[] = {name, value, what};
    int status = child_run(start, words, 60);
    printf("%s='%s' %s: status %d\n", name, value, what, status);
    /* The text after the library's name; for a line that names the variable, only the name. Once, even if GCC's library
     * is also loaded and prints the same. */
    const char *last = "";
    for (char *line = strtok(child_heard, "\n"); line; line = strtok(NULL, "\n")) {
        char *text = strncmp(line, "lib", 3) == 0 ? strstr(line, ": ") + 2 : line;
        char *end = strstr(text, name);
        if (end) {
            text = end;
            end[strlen(name)] = '\0';
        }
        if (strcmp(text, last) != 0)
            printf("    %s\n", text);
        last = text;
    }
}

int main(int argc, char **argv) {
    self = argv[0];
    if (argc > 1)
        return act(argv[1]);
    static const char *const types[] = {"host",   "HOST", "Host",     "",      "nvidia",
                                        "radeon", "none", "not_host", " host", "abc"};
    static const char *const numbers[] = {"0", " 0 ", "1", "-1", "", "abc", "99999999999", "2147483647"};
    static const char *const acts[] = {"run", "set", "ask"};
    for (int act = 0; act < 3; act++) {
        for (size_t i = 0; i < sizeof types / sizeof *types; i++)
            try("ACC_DEVICE_TYPE", types[i], acts[act]);
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
            try("ACC_DEVICE_NUM", numbers[i], acts[act]);
    }
    try("GOMP_OPENACC_DIM", "2:3:4", "run");
    try("GOMP_OPENACC_DIM", "abc", "run");
    try("ACC_PROFLIB", "/no/such/library.so", "run");
    try("ACC_PROFLIB", "libm.so.6", "run");
    try("ACC_PROFLIB", ";;", "run");
    return check_done("environment");
}
