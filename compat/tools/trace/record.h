/* record.h: the records of a thread, in order, and how they are packed into words. slices.c makes a timeline of them after
 * the program.
 *
 * A record has one or two words. The upper half of the first word is the ticks since the previous record. The lower half is,
 * from the low end, the kind, a bit for the second word, and 26 bits more:
 *
 *   CREATE and CREATE_RUN with one word      site, and detail above it; the id is one more than the previous one of these
 *   SWITCH with one word                     three bits of detail, and id above them
 *   TIME                                     nothing; the second word is the ticks themselves
 *   others                                   detail; the second word has the id, and the site above it
 *
 * So a task takes two words if it runs at once, else three: the first touch of memory is a large part of a trace's cost. */
#ifndef BOMP_TRACE_RECORD_H
#define BOMP_TRACE_RECORD_H

#include <stdint.h>

/* Ids of tasks and regions, and sites (table.h), are 0 where they are unknown. */
enum bomp_trace_kind {
    BOMP_TRACE_NOTHING,
    BOMP_TRACE_TIME,         /* only in the packed form */
    BOMP_TRACE_THREAD_BEGIN, /* id: the system's number of the thread; detail: ompt_thread_t */
    BOMP_TRACE_THREAD_END,
    BOMP_TRACE_REGION_BEGIN,  /* id: the region's; detail: threads asked for; in the task that runs */
    BOMP_TRACE_REGION_END,    /* id */
    BOMP_TRACE_INITIAL_BEGIN, /* id: of the initial task */
    BOMP_TRACE_MEMBER_BEGIN,  /* id: of the implicit task; detail: thread number */
    BOMP_TRACE_MEMBER_OF,     /* the same one's region: id; detail: threads */
    BOMP_TRACE_MEMBER_END,    /* id: of the implicit or initial task */
    BOMP_TRACE_CREATE,        /* id: of the new task; detail: BOMP_TRACE_IS_... */
    BOMP_TRACE_CREATE_RUN,    /* the same, and it runs at once */
    BOMP_TRACE_SWITCH,     /* id: of the task that runs now; detail: ompt_task_status_t of the one before */
    BOMP_TRACE_FULFILL,    /* id: of a detached task whose event is fulfilled */
    BOMP_TRACE_SYNC_BEGIN, /* detail: ompt_sync_region_t */
    BOMP_TRACE_SYNC_END,
    BOMP_TRACE_WORK_BEGIN, /* detail: ompt_work_t */
    BOMP_TRACE_WORK_END,
    BOMP_TRACE_MASKED_BEGIN,
    BOMP_TRACE_MASKED_END,
    BOMP_TRACE_WAIT_BEGIN, /* for a lock; id: its number (table.h); detail: ompt_mutex_t */
    BOMP_TRACE_WAIT_END,
    BOMP_TRACE_HOLD_BEGIN,
    BOMP_TRACE_HOLD_END,
    BOMP_TRACE_CANCEL,   /* detail: ompt_cancel_flag_t; id: of a task that is discarded */
    BOMP_TRACE_AFTER,    /* id: of a task that the last one of CREATE waits for */
    BOMP_TRACE_DISPATCH, /* id: the first iteration of a chunk, its lower half; site and detail: how many */
    BOMP_TRACE_CHUNKS,   /* id: chunks since the last one of DISPATCH; site and detail: their iterations */
    BOMP_TRACE_KINDS
};

/* Of tasks. */
enum {
    BOMP_TRACE_IS_UNDEFERRED = 1,
    BOMP_TRACE_IS_UNTIED = 2,
    BOMP_TRACE_IS_FINAL = 4,
    BOMP_TRACE_IS_MERGEABLE = 8,
    BOMP_TRACE_IS_MERGED = 16,
    BOMP_TRACE_IS_TARGET = 32,
    BOMP_TRACE_IS_TASKWAIT = 64,
    BOMP_TRACE_HAS_DEPENDENCES = 128
};

/* A record, unpacked. */
struct bomp_trace_record {
    enum bomp_trace_kind kind;
    uint64_t when; /* ticks */
    uint32_t id;
    uint16_t site; /* where the program called from */
    uint16_t detail;
};

#define BOMP_TRACE_KIND_MASK 31u
#define BOMP_TRACE_TWO_WORDS 32u
#define BOMP_TRACE_MORE_SHIFT 6
#define BOMP_TRACE_MORE_MASK ((1u << 26) - 1)
#define BOMP_TRACE_DETAIL_BITS 3 /* of SWITCH; of the statuses of OMPT, 8 becomes 0 */
_Static_assert(BOMP_TRACE_KINDS <= BOMP_TRACE_KIND_MASK + 1, "a kind fits into its bits");

static inline enum bomp_trace_kind bomp_trace_kind(uint64_t word) {
    return (enum bomp_trace_kind)(word & BOMP_TRACE_KIND_MASK);
}

#endif
