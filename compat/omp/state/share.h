/* Memory that the members of a team share in one construct (loop/share.h). */
#ifndef BOMP_STATE_SHARE_H
#define BOMP_STATE_SHARE_H

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

enum bomp_share_use {
    BOMP_SHARE_PROGRAM,   /* the program's own */
    BOMP_SHARE_DOACROSS,  /* doacross.c */
    BOMP_SHARE_REDUCTION, /* reduction.c: a pointer to one, of which the construct is a user */
    BOMP_SHARE_USES
};

struct bomp_share {
    struct bz_a32 lock; /* guards making a block */
    struct bomp_share_block {
        struct {
            void *v;
        } memory;    /* NULL: nobody has asked in this construct. Written with the lock, read by all */
        void *kept;  /* with the lock, or by whoever cleans the construct */
        size_t room; /* bytes at kept */
    } blocks[BOMP_SHARE_USES];
};

#endif
