/* caches.h: the caches of a machine, one for each core, that share memory by MESI: a line is in one core alone, which
 * may write to it (modified or exclusive: neither asks another cache), or in several, which may read it, or in none.
 * They have no limit of size: a line leaves one only because another core writes to it. For one thread at a time. */
#ifndef LINES_CACHES_H
#define LINES_CACHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CACHES_CORES_MAX 256
#define CACHES_LINE 64

/* The transfer that an access needs. */
enum caches_kind {
    CACHES_HIT,    /* nothing: the core has the line, and for a write has it alone */
    CACHES_MEMORY, /* no core has it */
    CACHES_FETCH,  /* another core sends it; for a write, that one and all others lose it */
    CACHES_CLAIM   /* a write by one of several that have it: the others lose it */
};

struct caches_line {
    uint64_t number; /* address / CACHES_LINE */
    uint64_t holders[CACHES_CORES_MAX / 64];
    bool alone;         /* one holder, which may write */
    uint64_t free_at;   /* the caller's: when its transfer ends */
    uint64_t transfers; /* the caller's: how often it has changed hands */
};

struct caches_answer {
    enum caches_kind kind;
    bool far;                 /* another socket sends it or loses it */
    unsigned dropped;         /* cores that lose it */
    struct caches_line *line; /* valid until the next access */
};

/* Fetches and claims are transfers: a message to another core and one back, which the core waits for. */
static inline bool caches_is_transfer(enum caches_kind kind) {
    return kind == CACHES_FETCH || kind == CACHES_CLAIM;
}

struct caches;

/* The caches of `cores` cores, in order in `sockets` sockets of one size. NULL: no memory, or too many. */
struct caches *caches_new(unsigned cores, unsigned sockets);
void caches_free(struct caches *caches);

unsigned caches_socket(const struct caches *caches, unsigned core);

/* A core reads from a line, or writes to it. Ends the process without memory. */
struct caches_answer caches_access(struct caches *caches, unsigned core, uint64_t number, bool writes);

/* Visits all lines that any core has had. */
void caches_each(struct caches *caches, void (*visit)(struct caches_line *line, void *arg), void *arg);

#endif
