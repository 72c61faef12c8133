/* Mutual exclusion: locks, critical, atomic and ordered constructs. Called where tools are told alone. A mutex is named by
 * the address of its word. */
#ifndef BOMP_TOOL_MUTEX_H
#define BOMP_TOOL_MUTEX_H

#include "omp/tool/tool.h"

/* Of those that ompt_enumerate_mutex_impls tells: a parking lot; a member's position in a doacross loop, which nobody has
 * for himself. */
#define BOMP_TOOL_MUTEX 1
#define BOMP_TOOL_POSITION 2

/* The thread asks for it: to acquired it may wait. `hint`: an omp_sync_hint_t. test: it does not wait, and need not get it;
 * its state stays. */
void bomp_tell_acquire(ompt_mutex_t kind, unsigned hint, const void *word, const void *code);
void bomp_tell_acquired(ompt_mutex_t kind, const void *word, const void *code);
/* The same of an ordered construct of a doacross loop, which may wait until a position has been reached. */
void bomp_tell_acquire_position(const void *word, const void *code);
/* The same of a nestable lock, which it has `count` times now. */
void bomp_tell_got(ompt_mutex_t kind, int count, const void *word, const void *code);
void bomp_tell_test(ompt_mutex_t kind, const void *word, const void *code);
void bomp_tell_tested(ompt_mutex_t kind, const void *word, const void *code);
void bomp_tell_released(ompt_mutex_t kind, const void *word, const void *code);

/* A nestable lock is taken once more by whoever has it, and given back once. */
void bomp_tell_nested(ompt_scope_endpoint_t endpoint, const void *word, const void *code);

void bomp_tell_lock_init(ompt_mutex_t kind, unsigned hint, const void *lock, const void *code);
void bomp_tell_lock_destroy(ompt_mutex_t kind, const void *lock, const void *code);

void bomp_tell_flush(const void *code);
void bomp_tell_error(ompt_severity_t severity, const char *message, size_t length, const void *code);

#endif
