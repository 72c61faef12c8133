/* types.h: types of slices: a construct and its place in the program. */
#ifndef BOMP_TRACE_TYPES_H
#define BOMP_TRACE_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/source/source.h"

/* report/data.js has the same numbers. */
enum bomp_trace_class {
    BOMP_TRACE_OTHER,   /* beyond the table */
    BOMP_TRACE_INITIAL, /* the initial task, which has no slice */
    BOMP_TRACE_REGION,  /* of the thread that opens it */
    BOMP_TRACE_MEMBER,  /* implicit task */
    BOMP_TRACE_TASK,
    BOMP_TRACE_SYNC, /* detail: ompt_sync_region_t, or BOMP_TRACE_AWAIT */
    BOMP_TRACE_WORK, /* detail: ompt_work_t */
    BOMP_TRACE_MASKED,
    BOMP_TRACE_WAIT, /* detail: ompt_mutex_t; for a lock */
    BOMP_TRACE_HOLD,
    BOMP_TRACE_CHUNK /* of a loop; detail: ompt_work_t */
};

/* A wait for one task. */
#define BOMP_TRACE_AWAIT 100

/* Slices that enclose all others while a task runs. */
static inline bool bomp_trace_is_task(enum bomp_trace_class class) {
    return class == BOMP_TRACE_TASK || class == BOMP_TRACE_MEMBER || class == BOMP_TRACE_INITIAL;
}

struct bomp_trace_type {
    uint8_t class, detail;
    uint16_t site; /* numbers of the tables of lane.h */
    uint16_t lock;
};

#define BOMP_TRACE_TYPES_MOST 4096u

/* For one thread. Type 0 is BOMP_TRACE_OTHER. */
struct bomp_trace_types {
    unsigned count;
    struct bomp_trace_type types[BOMP_TRACE_TYPES_MOST];
    uint16_t slots[2 * BOMP_TRACE_TYPES_MOST]; /* by hash; 0: free */
};

/* The number of the type, which is added if it is new. When half of the table is used, as by a program with a lock for each
 * object, types lose their locks, so that tasks, loops and barriers keep types of their own. */
unsigned bomp_trace_types_number(struct bomp_trace_types *types, struct bomp_trace_type type);

/* "task", "implicit barrier" and so on. */
const char *bomp_trace_type_word(struct bomp_trace_type type);

#define BOMP_TRACE_PLACE_ROOM 320

/* A type's place in the program. */
struct bomp_trace_place {
    char text[BOMP_TRACE_PLACE_ROOM]; /* "": not known */
    const char *path;                 /* of the source, or "" */
    unsigned line;
    struct bomp_source source;
};

void bomp_trace_type_place(struct bomp_trace_place *place, struct bomp_trace_type type,
                           struct bomp_sources *sources);

#endif
