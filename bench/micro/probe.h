/* A probe: an operation of the scheduler that micro.cc times. The probes are C, since the scheduler's headers are. */
#ifndef PROBE_H
#define PROBE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All three are called on the same thread. */
struct probe {
    const char *name;
    void (*open)(void);          /* NULL: nothing to do */
    void (*run)(uint64_t times); /* does the operation that often */
    void (*close)(void);
};

struct probe_list {
    const struct probe *probes;
    size_t count;
};

extern const struct probe_list probe_deque, probe_slab, probe_fork, probe_team;

/* Ends the program: the measurement would mean nothing. */
void probe_fail(const char *what) __attribute__((noreturn));

#ifdef __cplusplus
}
#endif

#endif
