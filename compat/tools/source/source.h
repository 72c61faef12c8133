/* source.h: the function, file and line of an address, for reports, from the symbol and line tables (DWARF 2 to 5) of the
 * loaded files or of their debug files. Nothing is read before the first request.
 *
 * The first address in a large program's file takes up to a second, later ones some microseconds. Uses neither malloc nor
 * streams. Any thread, also in callbacks of tools, but one at a time for each `struct bomp_sources`. After bomp_sources_open
 * nothing takes a lock or calls the dynamic linker. Damaged or replaced files give less information, never bad accesses. */
#ifndef BOMP_SOURCE_H
#define BOMP_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The objects loaded at one moment, and information from their files. */
struct bomp_sources;

/* NULL: no memory. Later loaded objects are unknown to it. Cost: some microseconds for each loaded object. */
struct bomp_sources *bomp_sources_open(void);

/* Unmaps all. NULL does nothing. */
void bomp_sources_close(struct bomp_sources *sources);

#define BOMP_SOURCE_NAME 160
#define BOMP_SOURCE_PATH 256

/* All texts end with a null byte and are copies; long ones are cut. */
struct bomp_source {
    /* As in the source: code of a construct has the name of the function around it. "": not known. Of data: the variable, or
     * the name of the critical construct. */
    char name[BOMP_SOURCE_NAME];
    /* For a call of blitz.h (spawned.h): the called function; "": other addresses, or unknown. */
    char spawned[BOMP_SOURCE_NAME];
    char path[BOMP_SOURCE_PATH];   /* the source file, as given to the compiler; "": not known */
    char module[BOMP_SOURCE_PATH]; /* the loaded file; "": the address is in none */
    unsigned line;                 /* 0: not known */
    uintptr_t offset;              /* in the symbol, or else in the module */
    bool is_critical;              /* data of a critical construct; unnamed if `name` is "" */
    bool has_symbol;               /* offset counts from a symbol */
    /* The line table is compressed, and was not read. */
    bool is_compressed;
};

/* Of code. A return address, such as OMPT's codeptr_ra, stands for the call before it; one byte into a function, for that
 * function. False: not even the module is known. */
bool bomp_source_of_return(struct bomp_sources *sources, const void *code, struct bomp_source *source);
bool bomp_source_of_code(struct bomp_sources *sources, const void *code, struct bomp_source *source);

/* Of a variable, such as a lock; false for the heap and for stacks. */
bool bomp_source_of_data(struct bomp_sources *sources, const void *data, struct bomp_source *source);

/* The last part of a path. */
const char *bomp_source_base(const char *path);

/* Writes "solver.c:42 (advance)", or the part that is known: "advance+0x1f in libsolver.so",
 * "libsolver.so+0x1234", "0x7f0012345678"; of a call of blitz.h "update at solver.c:42 (advance)". Always ends with a null
 * byte, if room > 0; returns the length as snprintf does. */
size_t bomp_source_print(char *to, size_t room, const struct bomp_source *source, const void *code);

#endif
