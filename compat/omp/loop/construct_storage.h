/* Construct storage: memory that the members of a team share in one construct, beyond the words that every construct has:
 * what the program asks for, and what rarer constructs need. Whoever comes first makes it, all get the same, and it is
 * valid until the last member has left the construct. */
#ifndef BOMP_CONSTRUCT_STORAGE_H
#define BOMP_CONSTRUCT_STORAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime.h"

struct bomp_member;

enum bomp_storage_use {
    BOMP_STORAGE_PROGRAM,   /* the program's own */
    BOMP_STORAGE_DOACROSS,  /* doacross.c */
    BOMP_STORAGE_REDUCTION, /* reduction.c: a pointer to one, of which the construct is a user */
    BOMP_STORAGE_USES
};

struct bomp_storage {
    struct bz_a32 lock; /* guards making a block */
    struct bomp_storage_block {
        struct {
            void *v;
        } memory;    /* NULL: nobody has asked in this construct. Written with the lock, read by all */
        size_t size; /* with the lock, or by whoever cleans the construct */
    } blocks[BOMP_STORAGE_USES];
};

/* A block of the construct that the caller is in, which it has entered in one of the two ways below: `size` bytes (rounded
 * up to cache lines, aligned to one), the same for all members. Whoever comes first gets them zeroed, and calls
 * fill(block, arg) before anyone else sees them (NULL: nothing to fill in). No memory is fatal. Cost: three loads, but
 * for the first. */
void *bomp_storage_get(struct bomp_member *self, enum bomp_storage_use use, size_t size,
                       void (*fill)(void *block, const void *arg), const void *arg);

/* Goes on to the next construct. False: the member has gone from the region, and it is not entered. */
bool bomp_construct_enter(struct bomp_member *self);
/* Begins one that the member has for itself. */
void bomp_construct_enter_alone(struct bomp_member *self);

/* Nobody is in the construct any more: gives the blocks back; with them the whole, which may be NULL. */
void bomp_storage_clear(struct bomp_storage *storage);
void bomp_storage_free(struct bomp_storage *storage);

#endif
