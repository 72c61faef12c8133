/* phrase.h: places, locks, tasks and waits in words. The monitor's own. */
#ifndef BOMP_WATCHDOG_PHRASE_H
#define BOMP_WATCHDOG_PHRASE_H

#include "tools/common/text.h"
#include "tools/source/source.h"
#include "tools/watchdog/scene.h"

struct bomp_hang_phrases {
    struct bomp_text *text; /* all is appended to it */
    struct bomp_sources *sources;
    uint64_t now; /* bz_os_tick_ns() */
};

void bomp_hang_phrases_begin(struct bomp_hang_phrases *phrases, struct bomp_text *text);
void bomp_hang_phrases_end(struct bomp_hang_phrases *phrases);

/* Each function appends such a text.
 *
 * "solver.c:42 (advance)" */
void bomp_hang_say_place(struct bomp_hang_phrases *phrases, const void *code);

/* ", for 2.1 s"; ", 2.1 s ago" */
void bomp_hang_say_for(struct bomp_hang_phrases *phrases, uint64_t since);
void bomp_hang_say_since(struct bomp_hang_phrases *phrases, uint64_t since);

/* "critical \"ledger\"", "the lock `table_lock`", "the lock at 0x5561..." */
void bomp_hang_say_lock(struct bomp_hang_phrases *phrases, uint32_t kind, uint64_t object);

/* "member 0 of 2 of the region of solver.c:42 (advance)"; the first one with the thread that it is on. */
void bomp_hang_say_task(struct bomp_hang_phrases *phrases, const struct bomp_hang_item *task);
void bomp_hang_say_task_only(struct bomp_hang_phrases *phrases, const struct bomp_hang_item *task);

/* The wait: "barrier of solver.c:50 (advance)". */
void bomp_hang_say_wait(struct bomp_hang_phrases *phrases, const struct bomp_hang_item *task);

/* The state: "waits for the lock `x` at ..., held by ...", "runs ...", "is blocked outside of OpenMP, in read". */
void bomp_hang_say_state(struct bomp_hang_phrases *phrases, const struct bomp_hang_item *task);

/* "inout of `table`" */
void bomp_hang_say_depend(struct bomp_hang_phrases *phrases, const struct bomp_hang_item *task,
                          unsigned depend);

/* "waits for critical \"ledger\", held by " and the other task. */
void bomp_hang_say_reason(struct bomp_hang_phrases *phrases, const struct bomp_hang_item *task,
                          const struct bomp_hang_reason *reason);

#endif
