/* object.h: what an ELF file says of itself: for which machine it is, how it is loaded, and the names that it imports and
 * has. Files are not trusted: nothing outside them is read. */
#ifndef RUN_OBJECT_H
#define RUN_OBJECT_H

#include <stdbool.h>
#include <stddef.h>

enum run_kind {
    RUN_UNREADABLE,    /* it cannot be opened, or is damaged */
    RUN_SCRIPT,        /* begins with #! */
    RUN_OTHER,         /* no ELF file */
    RUN_OTHER_MACHINE, /* an ELF file for another machine than this command */
    RUN_STATIC,        /* no loader is asked for */
    RUN_DYNAMIC,
    RUN_LIBRARY /* the same, but nothing that is executed: a loader, or a library */
};

struct run_object {
    enum run_kind kind;
    const char *machine; /* of another machine, its name */
    const char
        *interpreter; /* of a script, its first line behind #!; of a program, the loader that it asks for */
    const unsigned char *bytes;
    size_t size;
};

struct run_object run_object_open(const char *path);
void run_object_close(struct run_object *object);

/* Beginnings of names, or whole names where one ends with a blank. The list ends with NULL. */
typedef const char *const *run_names;

/* Whether it imports one of these; whether it has one, for others to import, or with `inside` even for itself alone, as
 * far as its symbols were not stripped. */
bool run_object_imports(const struct run_object *object, run_names names);
bool run_object_has(const struct run_object *object, run_names names, bool inside);

/* The first of these names that the other object imports and this one has not; NULL: none. */
const char *run_object_lacks(const struct run_object *object, const struct run_object *other,
                             run_names names);

/* The last part of a path. */
const char *run_base(const char *path);

/* Whether the list has the name. */
bool run_names_have(run_names names, const char *name);

#endif
