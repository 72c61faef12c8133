/* loader.c: see loader.h. LD_TRACE_LOADED_OBJECTS makes glibc's loader print the output of ldd(1); LD_WARN and
 * LD_DEBUG=bindings add where it found each name. */
#include "run/loader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/files.h"
#include "run/program.h"
#include "run/say.h"

void run_change(run_changes changes) {
    for (; changes && *changes; changes++) {
        char *value = strchr(*changes, '=');
        int error;
        if (value) {
            char *name = run_text("%.*s", (int)(value - *changes), *changes);
            error = setenv(name, value + 1, 1);
        } else {
            error = unsetenv(*changes);
        }
        if (error != 0)
            run_fail(RUN_FAILED, "cannot set '%s' in the environment: %s", *changes, strerror(errno));
    }
}

/* In the child: becomes the loader with the program; its answer goes to `file`. */
_Noreturn static void ask(const char *program, run_changes changes, int file, const char *debug) {
    char *argv[] = {(char *)(uintptr_t)program, NULL};
    run_change(changes);
    run_child_signal_back();
    int null = open("/dev/null", O_RDWR);
    if (setenv("LD_TRACE_LOADED_OBJECTS", "1", 1) != 0 || unsetenv("LD_DEBUG_OUTPUT") != 0 ||
        (debug ? setenv("LD_DEBUG", debug, 1) || setenv("LD_WARN", "yes", 1) || setenv("LD_BIND_NOW", "1", 1)
               : unsetenv("LD_DEBUG")) != 0 ||
        dup2(null, STDIN_FILENO) < 0 || dup2(file, STDOUT_FILENO) < 0 ||
        dup2(debug ? file : null, STDERR_FILENO) < 0)
        _exit(RUN_FAILED);
    (void)execv(program, argv);
    _exit(RUN_FAILED);
}

/* The output of the loader; NULL: it failed. */
static char *answer(const char *program, run_changes changes, const char *debug) {
    int file = run_memory_file();
    pid_t child = fork();
    if (child < 0)
        run_fail(RUN_FAILED, "cannot run the dynamic loader for '%s': %s", program, strerror(errno));
    if (child == 0)
        ask(program, changes, file, debug);
    int status = 0;
    pid_t ended;
    while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR)
        ;
    off_t size = lseek(file, 0, SEEK_END);
    char *text = run_take((size_t)(size > 0 ? size : 0) + 1);
    ssize_t got = size > 0 ? pread(file, text, (size_t)size, 0) : 0;
    text[got > 0 ? got : 0] = '\0';
    (void)close(file);
    return ended == child && WIFEXITED(status) && WEXITSTATUS(status) != RUN_FAILED ? text : NULL;
}

/* ---- what is loaded ---- */

static void add_path(struct run_loaded *loaded, char *path) {
    loaded->paths = run_take_again(loaded->paths, (loaded->count + 1) * sizeof *loaded->paths);
    loaded->paths[loaded->count++] = path;
}

/* "<tab>NAME => PATH (ADDRESS)", "<tab>PATH (ADDRESS)" or "<tab>NAME => not found" */
static void take_line(struct run_loaded *loaded, char *line) {
    if (*line != '\t')
        return;
    line++;
    char *arrow = strstr(line, " => ");
    char *path = arrow ? arrow + 4 : line;
    char *end = strstr(path, " (0x");
    if (arrow && strncmp(path, "not found", 9) == 0) {
        *arrow = '\0';
        loaded->missing = line;
    } else if (end) {
        *end = '\0';
        if (*path == '/')
            add_path(loaded, path);
    }
}

struct run_loaded run_loaded(const char *program, run_changes changes) {
    struct run_loaded loaded = {0};
    char *text = answer(program, changes, NULL);
    loaded.known = !!text;
    add_path(&loaded, (char *)(uintptr_t)program);
    for (char *rest = text, *line; text && (line = strsep(&rest, "\n"));)
        take_line(&loaded, line);
    return loaded;
}

/* ---- bindings ---- */

/* The text between two others after *at, which moves past the second one; NULL: not found. */
static char *between(char **at, const char *before, const char *behind) {
    char *begin = *at ? strstr(*at, before) : NULL;
    begin = begin ? begin + strlen(before) : NULL;
    char *end = begin ? strstr(begin, behind) : NULL;
    if (!end)
        return NULL;
    *end = '\0';
    *at = end + strlen(behind);
    return begin;
}

/* "PID: binding file OBJECT [N] to SERVER [N]: normal symbol `NAME' [VERSION]" or "undefined symbol:
 * NAME<tab>(OBJECT)" */
static bool take_binding(struct run_binding *binding, char *line) {
    char *at = line;
    *binding = (struct run_binding){.version = ""};
    binding->object = between(&at, "binding file ", " [");
    if (binding->object) {
        binding->server = between(&at, "] to ", " [");
        binding->symbol = between(&at, " symbol `", "'");
        char *version = between(&at, "[", "]");
        binding->version = version ? version : "";
        return binding->server && binding->symbol;
    }
    char *symbol = between(&at, "undefined symbol: ", "\t(");
    char *comma = symbol ? strstr(symbol, ", version ") : NULL;
    if (comma) {
        *comma = '\0';
        binding->version = comma + strlen(", version ");
    }
    char *end = symbol ? strrchr(at, ')') : NULL;
    if (end)
        *end = '\0';
    binding->symbol = symbol;
    binding->object = at;
    return !!end;
}

struct run_bindings run_bindings(const char *program, run_changes changes, run_names names) {
    struct run_bindings bindings = {0};
    char *text = answer(program, changes, "bindings");
    bindings.known = !!text;
    for (char *rest = text, *line; text && (line = strsep(&rest, "\n"));) {
        struct run_binding binding;
        if (!take_binding(&binding, line) || !run_names_have(names, binding.symbol))
            continue;
        bindings.list = run_take_again(bindings.list, (bindings.count + 1) * sizeof binding);
        bindings.list[bindings.count++] = binding;
    }
    return bindings;
}
