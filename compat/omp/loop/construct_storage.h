/* Construct storage: memory that the members of a team share in one construct, until the last one has left it. */
#ifndef BOMP_CONSTRUCT_STORAGE_H
#define BOMP_CONSTRUCT_STORAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime.h"

struct bomp_member;

enum bomp_storage_use {
    BOMP_STORAGE_PROGRAM,   /* the program's own */
    BOMP_STORAGE_DOACROSS,  /* doacross.c */
    BOMP_STORAGE_REDUCTION, /* a pointer to a reduction that the construct uses */
    BOMP_STORAGE_USES
};

struct bomp_storage {
    struct bz_a32 lock; /* guards making a block */
    struct bz_a32 used; /* 1: a block was made. Written with the lock, or when the construct is cleaned */
    struct bomp_storage_block {
        struct {
            void *v;
        } memory;    /* NULL: not made yet. Written with the lock, read by all */
        size_t size; /* written with the lock, or when the construct is cleaned */
    } blocks[BOMP_STORAGE_USES];
};

/* A block of the construct that the caller has entered: `size` bytes (rounded up to cache lines, aligned to one), the same
 * for all members. The first one that asks gets them zeroed and calls fill(block, arg), unless NULL. No memory is fatal. */
void *bomp_storage_get(struct bomp_member *self, enum bomp_storage_use use, size_t size,
                       void (*fill)(void *block, const void *arg), const void *arg);

/* Enters the next construct. False: the member has left a cancelled region. */
bool bomp_construct_enter(struct bomp_member *self);
/* Begins one that the member does not share. */
void bomp_construct_enter_alone(struct bomp_member *self);

/* No member is in the construct: frees the blocks. */
void bomp_storage_free(struct bomp_storage *storage);
static inline void bomp_storage_clear(struct bomp_storage *storage) {
    if (bz_unlikely(bz_load_relaxed(&storage->used))) /* relaxed: only the caller can reach the construct */
        bomp_storage_free(storage);
}

#endif
