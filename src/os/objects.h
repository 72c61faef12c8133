/* objects.h: what the loaded objects of the process, the program and its libraries, ask of each other. Part of the
 * contract of os.h, whose conventions hold here. */
#ifndef BZ_OS_OBJECTS_H
#define BZ_OS_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dl_phdr_info;

/* dl_iterate_phdr, while no fork is under way. All walks of the library are by it. */
int bz_elf_walk(int (*look)(struct dl_phdr_info *info, size_t size, void *arg), void *arg);

/* Whether some object that is loaded now, and was not when *seen was written, imports one of these functions, a list ended
 * by NULL: refers to it by that name for the dynamic linker to find it in another object. *seen is 0 at first, and written
 * by this function. What is looked up by dlsym() alone is not seen. Cost: under a microsecond if nothing was loaded since;
 * else that, and 2 ns for each import, for each object. */
bool bz_os_imports(const char *const *names, uint64_t *seen);

/* What objects are linked with: beginnings of names, each list ended by NULL. */
struct bz_links {
    const char *const *libraries; /* as objects name those that they need */
    const char *const *versions;  /* of what they import */
    const char *const
        *functions; /* imported without a version, and not weakly: their absence would be an error */
};

/* Whether some object that is loaded now is linked with one of these. What an object has itself does not count, and so
 * it does not matter which libraries of that kind are loaded, or under which names. Cost: below a microsecond for each
 * object and 2 ns for each import. */
bool bz_os_is_linked(const struct bz_links *links);

/* The function `name` of the library that calls itself `library`, if that is loaded, whoever may see it; NULL: there is
 * none. Unlike dlopen() and dlsym() it does not wait for a thread that runs the constructors of what it loads. What it
 * returns is gone with the library. Cost: as above. */
void *bz_os_defined(const char *library, const char *name);

/* The same of the first object that has it, in the order in which they were loaded, but for those that have a function
 * `marks` names, a list ended by NULL. */
void *bz_os_defined_by_any(const char *name, const char *const *marks);

/* A library that is known by a function that it alone has, under whichever name it is loaded. */
struct bz_provider {
    const char *mark; /* constant */
    /* Written and read under the lock that the C library holds for a walk. */
    struct bz_provided {
        uint64_t changes; /* objects loaded and unloaded up to the last look */
        bool is_there;
        uintptr_t base; /* if it is there */
    } known;
};

/* Its function `name`; NULL: it has none, or the library is not loaded, or no loaded object imports the mark. It finds the
 * library whichever objects may see that, and never waits for constructors of what another thread loads. Cost: some 50 ns;
 * that of bz_os_imports and bz_os_defined after objects were loaded or unloaded. Whoever calls the function needs the
 * library to stay meanwhile. */
void *bz_os_provided(struct bz_provider *provider, const char *name);

/* Whether a library is loaded whose name for itself begins so, beside the object that the address `us` is in, if
 * that is not NULL. Cost: as above. */
bool bz_os_is_loaded_too(const char *library, const void *us);

/* Whether two addresses are in the same object. Unlike dladdr() it looks at no symbols. Cost: some nanoseconds for each
 * object. */
bool bz_os_are_together(const void *one, const void *other);

/* What objects may ask of one library, that in which the address `us` is. Lists are beginnings of names, ended by NULL. */
struct bz_wanted {
    const char *const *reserved; /* functions that only libraries of its kind have */
    const char *const *shared;   /* functions that others may have, too */
    const char *const *exempt;   /* those of both that nobody asks of it */
    const char *const *versions; /* of what is asked of libraries of its kind */
    const char *mark;            /* a function that each library of its kind has, and no other */
    const void *us;
};

/* An import that is not there; texts too long are cut. */
struct bz_missing {
    char name[96], version[32]; /* "": none */
    char object[160];           /* the file that imports it; "": the program */
};

/* Whether some object that is loaded now, when it is not as *seen says that it was, asks the library for a function that
 * the library does not have in that version: imports it, not weakly, in one of these versions or in none. It does not ask if
 * it is of that kind itself; if a library of that kind serves it that is not ours, by what the linker has found for it so
 * far; if an object of another kind has the function; or if nobody has it, it wants no version, and others may have it.
 * *seen is as for bz_os_imports, but left as it was while it is too early to say whom some object asks: the linker has
 * found nothing for it yet, and the library comes behind the C library. An object without a hash table in GNU's form is not
 * looked at. Cost: that of bz_os_imports. */
bool bz_os_is_missing(const struct bz_wanted *wanted, uint64_t *seen, struct bz_missing *missing);

/* Bytes that the thread-local variables of all loaded objects take in each thread, each object's aligned as it asks for.
 * Cost: some microseconds. */
size_t bz_os_thread_local_bytes(void);

#endif
