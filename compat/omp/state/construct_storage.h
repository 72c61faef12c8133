/* Memory that the members of a team share in one construct (loop/construct_storage.h). */
#ifndef BOMP_STATE_CONSTRUCT_STORAGE_H
#define BOMP_STATE_CONSTRUCT_STORAGE_H

#include <stddef.h>

#include "runtime.h"

/* What messages call a construct that members share. */
enum bomp_construct {
    BOMP_CONSTRUCT_OTHER,
    BOMP_CONSTRUCT_LOOP,
    BOMP_CONSTRUCT_ORDERED,
    BOMP_CONSTRUCT_DOACROSS,
    BOMP_CONSTRUCT_SECTIONS
};

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
        void *kept;  /* with the lock, or by whoever cleans the construct */
        size_t room; /* bytes at kept */
    } blocks[BOMP_STORAGE_USES];
};

#endif
