/* capacity.h: how much work a CPU does in a time, beside others, on machines whose CPUs are unlike. Asked for by
 * BLITZ_HYBRID: without it, or where all CPUs are alike or the system does not say, nothing is known of any. */
#ifndef BOMP_CAPACITY_H
#define BOMP_CAPACITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Something is known. Written by bomp_capacity_load, constant from then on. */
extern bool bomp_capacity_matters;

/* Reads the system's files, with root (for tests; no slash at its end) before their paths. Once, before any other thread;
 * in tests again. */
void bomp_capacity_load(const char *root);

/* Of a CPU, as the system scales it: 1024 for the most. 0: not known. */
uint32_t bomp_capacity_of_cpu(unsigned cpu);

/* The mean of the CPUs of a set of words words. 0: it is empty, or that of one of them is not known. */
uint32_t bomp_capacity_of_set(const uint64_t *set, size_t words);

#endif
