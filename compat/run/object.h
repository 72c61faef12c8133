/* object.h: the machine of an ELF file, how it is loaded, and the names that it imports and defines. Files are not trusted:
 * nothing outside them is read. */
#ifndef RUN_OBJECT_H
#define RUN_OBJECT_H

#include <stdbool.h>
#include <stddef.h>

enum run_kind {
    RUN_UNREADABLE,    /* it cannot be opened, or is damaged */
    RUN_SCRIPT,        /* begins with #! */
    RUN_OTHER,         /* no ELF file */
    RUN_OTHER_MACHINE, /* an ELF file for another machine than this command */
    RUN_STATIC,        /* needs no loader */
    RUN_DYNAMIC,
    RUN_LIBRARY /* dynamic, but not a program: a library or a loader */
};

struct run_object {
    enum run_kind kind;
    const char *machine; /* the name of another machine */
    /* Of a script, its first line after #!; of a program, its loader. */
    const char *interpreter;
    const unsigned char *bytes;
    size_t size;
};

struct run_object run_object_open(const char *path);
void run_object_close(struct run_object *object);

/* Beginnings of names; an entry that ends with a blank is a whole name. The list ends with NULL. */
typedef const char *const *run_names;

/* Whether the object imports one of these names; exports one; with `inside`, also defines one for itself, unless its symbols
 * were stripped. */
bool run_object_imports(const struct run_object *object, run_names names);
bool run_object_has(const struct run_object *object, run_names names, bool inside);

/* The first of these names that the other object imports and this one lacks; NULL: none. */
const char *run_object_lacks(const struct run_object *object, const struct run_object *other,
                             run_names names);

/* The last part of a path, and the part before it. */
const char *run_base(const char *path);
const char *run_folder(const char *path);

/* Whether the list has the name. */
bool run_names_have(run_names names, const char *name);

#endif
