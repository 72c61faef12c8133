/* source.h: where in the program's source an address is: the name of its function, file and line, for reports. Taken from
 * the symbol tables and line tables (DWARF 2 to 5) of the files that are loaded, or of their separate debug files. Nothing
 * is read or allocated before the first request.
 *
 * For reports: it maps files, and takes from some microseconds to a second for the first address in a large program's file,
 * then some microseconds. Uses neither malloc nor streams. Any thread, also in callbacks of tools and concurrently, but one
 * thread at a time for each `struct bomp_sources`. After bomp_sources_open nothing takes a lock or calls the dynamic
 * linker. Files that are damaged, or no longer those that are loaded, give less, never wrong memory. */
#ifndef BOMP_SOURCE_H
#define BOMP_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The loaded objects at one moment, and what was read of their files. */
struct bomp_sources;

/* NULL: no memory. What is loaded later is not known to it. Cost: some microseconds for each loaded object. */
struct bomp_sources *bomp_sources_open(void);

/* Unmaps all. NULL does nothing. */
void bomp_sources_close(struct bomp_sources *sources);

#define BOMP_SOURCE_NAME 160
#define BOMP_SOURCE_PATH 256

/* All texts end with a null byte and are the caller's own copy; what is longer is cut. */
struct bomp_source {
    /* As its author calls it: what compilers add is gone, so that code of a construct has the name of the function that the
     * construct is in. "": not known. Of data: the variable, or the name of the critical construct. */
    char name[BOMP_SOURCE_NAME];
    /* For a call of blitz.h (spawned.h): the called function; "": other addresses, or unknown. */
    char spawned[BOMP_SOURCE_NAME];
    char path[BOMP_SOURCE_PATH];   /* the source file as the compiler was given it; "": not known */
    char module[BOMP_SOURCE_PATH]; /* the file that is loaded; "": the address is in none */
    unsigned line;                 /* 0: not known */
    uintptr_t offset;              /* from the beginning of the symbol, or else of the module */
    bool is_critical; /* data that compilers make for a critical construct; unnamed, if `name` is "" */
    bool has_symbol;  /* offset counts from a symbol */
    /* There is a line table that was left alone, because it is compressed in a way not known here. */
    bool is_compressed;
};

/* Of code. A return address, as codeptr_ra of OMPT is one, stands behind the call that is meant; behind the first byte of a
 * function, that function is meant. Whether anything is known, if only the module. */
bool bomp_source_of_return(struct bomp_sources *sources, const void *code, struct bomp_source *source);
bool bomp_source_of_code(struct bomp_sources *sources, const void *code, struct bomp_source *source);

/* Of a variable of the program's, such as a lock; false for memory of the heap and of stacks. */
bool bomp_source_of_data(struct bomp_sources *sources, const void *data, struct bomp_source *source);

/* The last part of a path. */
const char *bomp_source_base(const char *path);

/* Writes what a person wants to read: "solver.c:42 (advance)", or else what is known: "advance+0x1f in libsolver.so",
 * "libsolver.so+0x1234", "0x7f0012345678"; of a call of blitz.h "update at solver.c:42 (advance)". Always ends with a null
 * byte, if room > 0; returns the length as snprintf does. */
size_t bomp_source_print(char *to, size_t room, const struct bomp_source *source, const void *code);

#endif
