/* caches.c: see caches.h. The lines lie in a table with open addressing, which doubles when it is half full. */
#include "caches.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS (CACHES_CORES_MAX / 64)
#define FIRST_ROOM ((size_t)1 << 12)

struct caches {
    unsigned cores, sockets;
    uint64_t socket[CACHES_CORES_MAX][WORDS]; /* of a socket: its cores */
    struct caches_line *lines;                /* those without holders are free */
    size_t room, used;
};

unsigned caches_socket(const struct caches *caches, unsigned core) {
    unsigned socket = core * caches->sockets / caches->cores;
    return socket < caches->sockets ? socket : caches->sockets - 1;
}

struct caches *caches_new(unsigned cores, unsigned sockets) {
    if (cores == 0 || cores > CACHES_CORES_MAX || sockets == 0 || sockets > cores)
        return NULL;
    struct caches *caches = calloc(1, sizeof *caches);
    struct caches_line *lines = calloc(FIRST_ROOM, sizeof *lines);
    if (!caches || !lines) {
        free(caches);
        free(lines);
        return NULL;
    }
    caches->cores = cores;
    caches->sockets = sockets;
    caches->lines = lines;
    caches->room = FIRST_ROOM;
    for (unsigned core = 0; core < CACHES_CORES_MAX; core++)
        caches->socket[caches_socket(caches, core)][core / 64] |= (uint64_t)1 << core % 64;
    return caches;
}

void caches_free(struct caches *caches) {
    free(caches->lines);
    free(caches);
}

/* ---- the table ---- */

static bool is_free(const struct caches_line *line) {
    uint64_t any = 0;
    for (unsigned i = 0; i < WORDS; i++)
        any |= line->holders[i];
    return any == 0;
}

/* The line's place, or the place where it goes. */
static struct caches_line *place(struct caches_line *lines, size_t room, uint64_t number) {
    size_t at = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (room - 1);
    while (!is_free(&lines[at]) && lines[at].number != number)
        at = (at + 1) & (room - 1);
    return &lines[at];
}

static void grow(struct caches *caches) {
    size_t room = 2 * caches->room;
    struct caches_line *lines = calloc(room, sizeof *lines);
    if (!lines) {
        fprintf(stderr, "caches: no memory for %zu lines\n", room);
        exit(1);
    }
    for (size_t i = 0; i < caches->room; i++)
        if (!is_free(&caches->lines[i]))
            *place(lines, room, caches->lines[i].number) = caches->lines[i];
    free(caches->lines);
    caches->lines = lines;
    caches->room = room;
}

void caches_each(struct caches *caches, void (*visit)(struct caches_line *line, void *arg), void *arg) {
    for (size_t i = 0; i < caches->room; i++)
        if (!is_free(&caches->lines[i]))
            visit(&caches->lines[i], arg);
}

/* ---- the protocol ---- */

static bool holds(const struct caches_line *line, unsigned core) {
    return (line->holders[core / 64] >> core % 64 & 1) != 0;
}

static void add_holder(struct caches_line *line, unsigned core) {
    line->holders[core / 64] |= (uint64_t)1 << core % 64;
}

/* Holders other than the core, in all sockets or in the core's own. */
static unsigned count_others(const struct caches *caches, const struct caches_line *line, unsigned core,
                             bool own_socket) {
    const uint64_t *near = caches->socket[caches_socket(caches, core)];
    unsigned count = 0;
    for (unsigned i = 0; i < WORDS; i++)
        count += (unsigned)__builtin_popcountll(own_socket ? line->holders[i] & near[i] : line->holders[i]);
    return count - holds(line, core);
}

/* No core has it: a core that reads it also has it alone. */
static struct caches_answer fetch_from_memory(struct caches *caches, struct caches_line *line, unsigned core,
                                              uint64_t number) {
    if (2 * ++caches->used > caches->room) {
        grow(caches);
        line = place(caches->lines, caches->room, number);
    }
    *line = (struct caches_line){.number = number, .alone = true};
    add_holder(line, core);
    return (struct caches_answer){.kind = CACHES_MEMORY, .line = line};
}

static struct caches_answer read_line(const struct caches *caches, struct caches_line *line, unsigned core) {
    struct caches_answer answer = {.kind = CACHES_HIT, .line = line};
    if (holds(line, core))
        return answer;
    answer.kind = CACHES_FETCH;
    answer.far = count_others(caches, line, core, true) == 0;
    line->alone = false;
    add_holder(line, core);
    return answer;
}

static struct caches_answer write_line(const struct caches *caches, struct caches_line *line, unsigned core) {
    struct caches_answer answer = {.kind = CACHES_HIT, .line = line};
    bool had = holds(line, core);
    if (had && line->alone)
        return answer;
    answer.kind = had ? CACHES_CLAIM : CACHES_FETCH;
    answer.dropped = count_others(caches, line, core, false);
    answer.far = answer.dropped > count_others(caches, line, core, true);
    memset(line->holders, 0, sizeof line->holders);
    add_holder(line, core);
    line->alone = true;
    return answer;
}

struct caches_answer caches_access(struct caches *caches, unsigned core, uint64_t number, bool writes) {
    struct caches_line *line = place(caches->lines, caches->room, number);
    if (is_free(line))
        return fetch_from_memory(caches, line, core, number);
    return writes ? write_line(caches, line, core) : read_line(caches, line, core);
}
