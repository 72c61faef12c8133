/* program.c: see program.h. */
#include "run/program.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "run/library.h"
#include "run/say.h"

#define SCRIPTS_MAX 5 /* nested script interpreters: the limit of Linux */

/* ---- SIGCHLD ---- */

static bool is_taken;
static struct sigaction inherited;

void run_child_signal_take(void) {
    struct sigaction usual = {.sa_handler = SIG_DFL};
    is_taken = sigaction(SIGCHLD, &usual, &inherited) == 0;
}

void run_child_signal_back(void) {
    if (is_taken)
        (void)sigaction(SIGCHLD, &inherited, NULL);
}

/* ---- search ---- */

/* 0, or an errno value: why it cannot be executed. */
static int why_not(const char *path) {
    struct stat about;
    if (stat(path, &about) != 0)
        return errno;
    if (S_ISDIR(about.st_mode))
        return EISDIR;
    return access(path, X_OK) == 0 ? 0 : errno;
}

static const char *path_variable(void) {
    const char *path = getenv("PATH");
    if (path)
        return path;
    size_t size = confstr(_CS_PATH, NULL, 0);
    char *usual = run_take(size + 1);
    usual[0] = '\0';
    (void)confstr(_CS_PATH, usual, size);
    return usual;
}

/* The first executable one; NULL: none, and *error is that of the first existing one. */
static const char *search(const char *name, int *error) {
    *error = ENOENT;
    const char *at = path_variable();
    for (bool more = true; more; at++) {
        size_t length = strcspn(at, ":");
        char *path = length > 0 ? run_text("%.*s/%s", (int)length, at, name) : run_text("./%s", name);
        int why = why_not(path);
        if (why == 0) {
            *error = 0;
            return path;
        }
        if (why != ENOENT && why != ENOTDIR && why != EISDIR && *error == ENOENT)
            *error = why;
        at += length;
        more = *at == ':';
    }
    return NULL;
}

_Noreturn static void refuse(const char *name, int error) {
    bool missing = error == ENOENT || error == ENOTDIR;
    run_fail(missing ? RUN_NOT_FOUND : RUN_NO_EXECUTE, "cannot run '%s': %s", name, strerror(error));
}

/* ---- the loaded file ---- */

/* The first word of a script's first line. */
static const char *interpreter_of(const struct run_object *script) {
    const char *at = script->interpreter + strspn(script->interpreter, " \t");
    return run_text("%.*s", (int)strcspn(at, " \t\r"), at);
}

static void follow(struct run_program *program) {
    program->loaded = program->path;
    program->object = run_object_open(program->path);
    for (int scripts = 0; program->object.kind == RUN_SCRIPT && scripts < SCRIPTS_MAX; scripts++) {
        const char *interpreter = interpreter_of(&program->object);
        int error = *interpreter ? why_not(interpreter) : ENOEXEC;
        if (error != 0)
            run_fail(error == ENOENT ? RUN_NOT_FOUND : RUN_NO_EXECUTE,
                     "cannot run '%s': its interpreter '%s': %s", program->name, interpreter,
                     strerror(error));
        run_object_close(&program->object);
        program->loaded = interpreter;
        program->object = run_object_open(interpreter);
    }
}

struct run_program run_program_find(const char *name) {
    struct run_program program = {.name = name, .path = name};
    int error = *name == '\0' ? ENOENT : 0;
    if (error == 0) {
        if (strchr(name, '/'))
            error = why_not(name);
        else
            program.path = search(name, &error);
    }
    if (error != 0)
        refuse(name, error);
    follow(&program);
    return program;
}

void run_program_execute(const struct run_program *program, char **argv) {
    const char *path = program->path;
    run_child_signal_back();
    (void)execv(path, argv);
    if (errno == ENOEXEC && program->object.kind == RUN_OTHER) /* text without #!: it starts a shell */
        (void)execvp(path, argv);
    refuse(program->name, errno);
}

/* ---- whether it can be served ---- */

/* Privileges that the program gets and its user lacks, for which the loader ignores the environment; NULL: none. */
static const char *privileges(const char *path) {
    struct stat about;
    struct statvfs system;
    if (stat(path, &about) != 0 || prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ||
        (statvfs(path, &system) == 0 && (system.f_flag & ST_NOSUID)))
        return NULL;
    if ((about.st_mode & S_ISUID) && about.st_uid != getuid())
        return "runs as another user (set-user-ID)";
    if ((about.st_mode & S_ISGID) && (about.st_mode & S_IXGRP) && about.st_gid != getgid())
        return "runs as another group (set-group-ID)";
    if (getuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0)
        return "gets capabilities from its file";
    return NULL;
}

void run_program_refuse(const struct run_program *program) {
    static const char *const runtime[] = {"GOMP_parallel ", "__kmpc_fork_call ", NULL};
    const struct run_object *object = &program->object;
    const char *whose = program->loaded == program->path
                            ? program->name
                            : run_text("%s, which runs %s,", program->loaded, program->name);
    if (object->kind == RUN_OTHER_MACHINE)
        run_fail(RUN_FAILED, "%s is for %s, which Blitz does not serve", whose, object->machine);
    if (object->kind == RUN_STATIC)
        run_fail(RUN_FAILED, "%s is linked statically: Blitz cannot replace its OpenMP runtime", whose);
    const char *why = privileges(program->loaded);
    if (why)
        run_fail(RUN_FAILED, "%s %s: the loader ignores LD_LIBRARY_PATH and LD_PRELOAD for it", whose, why);
    const char *self = run_own_file(), *own = self ? run_object_open(self).interpreter : NULL;
    if (object->kind == RUN_DYNAMIC && own && strcmp(run_base(own), run_base(object->interpreter)) != 0)
        run_fail(RUN_FAILED, "%s is for another C library, whose loader is %s: Blitz needs glibc", whose,
                 object->interpreter);
    if (object->kind == RUN_DYNAMIC && run_object_has(object, runtime, true))
        run_fail(RUN_FAILED, "%s has an OpenMP runtime linked into it: Blitz cannot take its place", whose);
}
