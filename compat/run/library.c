/* library.c: see library.h. */
#include "run/library.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/object.h"
#include "run/say.h"

#define FILE_NAME "libgomp.so.1"

/* A library is Blitz if it defines this name, which libgomp and libomp lack. */
static const char *const mark[] = {"blitz_version ", NULL};

const char *run_own_file(void) {
    const char *started = (const char *)getauxval(AT_EXECFN);
    char *self = realpath("/proc/self/exe", NULL);
    return self || !started ? self : realpath(started, NULL); /* no /proc */
}

const char *run_own_folder(void) {
    const char *self = run_own_file();
    return self ? run_folder(self) : NULL;
}

static bool are_one(const char *one, const char *other) {
    struct stat a, b;
    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool run_library_is(const struct run_library *library, const char *path) {
    return are_one(path, library->file) || are_one(path, library->folder);
}

bool run_library_has_tools(const struct run_library *library) {
    return access(run_text("%s/" RUN_TOOLS, library->folder), R_OK) == 0;
}

/* The library in the folder; no file: not found. */
static struct run_library at(const char *folder) {
    struct run_library library = {NULL, NULL};
    char *whole = realpath(folder, NULL);
    char *file = whole ? run_text("%s/%s", whole, FILE_NAME) : NULL;
    if (file && access(file, R_OK) == 0) {
        struct run_object object = run_object_open(file);
        if (object.kind == RUN_LIBRARY && run_object_has(&object, mark, false)) {
            library.folder = whole;
            library.file = file;
        }
        run_object_close(&object);
    }
    return library;
}

/* Refuses characters that separate paths for the loader, and $, which it replaces. */
static struct run_library checked(struct run_library library) {
    const char *bad = strpbrk(library.folder, " \t\n:;$");
    if (bad)
        run_fail(RUN_FAILED,
                 "the name of the library's folder, '%s', contains '%c', which the loader cannot handle; use "
                 "another folder",
                 library.folder, *bad);
    return library;
}

static struct run_library where_said(const char *said) {
    struct stat about;
    if (stat(said, &about) != 0)
        run_fail(RUN_FAILED, "no library at '%s': %s", said, strerror(errno));
    const char *folder = S_ISDIR(about.st_mode) ? said : run_folder(said);
    const char *places[] = {folder, run_text("%s/blitz", folder), run_text("%s/lib/blitz", folder)};
    for (int i = 0; i < 3; i++) {
        struct run_library library = at(places[i]);
        if (library.file)
            return checked(library);
    }
    run_fail(RUN_FAILED, "no library at '%s': no %s of Blitz in %s, %s or %s", said, FILE_NAME, places[0],
             places[1], places[2]);
}

struct run_library run_library_find(const char *said) {
    const char *variable = getenv("BLITZ_LIB");
    if (!said && variable && *variable)
        said = variable;
    if (said)
        return where_said(said);
    static const char *const below[] = {RUN_LIBDIR, "../lib", "../lib64"};
    const char *own = run_own_folder();
    char *searched = run_text("%s", "");
    for (int i = 0; own && i < 3; i++) {
        const char *place = run_text("%s/%s/blitz", own, below[i]);
        struct run_library library = at(place);
        if (library.file)
            return checked(library);
        if (i == 0 || strcmp(below[i], below[0]) != 0)
            searched = run_text("%s%s%s", searched, *searched ? ", " : "", place);
    }
    run_fail(RUN_FAILED, "no %s of Blitz in %s; set its place with --library or BLITZ_LIB", FILE_NAME,
             own ? searched : "the folder next to this command's, which cannot be found");
}
