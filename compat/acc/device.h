/* device.h: the host as OpenACC's only device. It shares the program's memory and its queues are empty: whatever is put into
 * one is done when the call returns, so they are in order and need no waits.
 *
 * Programs see whether it is known (the default type means it, whatever the environment says), active (between
 * initialisation and shutdown) and in use (something has needed it since). Each belongs to the process; libgomp
 * keeps the last one for each thread, and ends a program whose second thread asks about queues first. */
#ifndef BACC_DEVICE_H
#define BACC_DEVICE_H

#include "omp/bomp.h"
#include "runtime.h"

/* The environment, read at the first call: once, while the library is loaded, in programs that were linked with it. */
void bacc_device_load(void);

/* GOMP_DEBUG asks for a line for each compute construct. Written while the environment is read; relaxed. */
extern struct bz_aflag bacc_device_debug;

/* Called by constructs and functions that use the device: the first call initialises it. */
BOMP_NAMED void bacc_device_use(void);

/* Fatal if the device is not in use. */
BOMP_NAMED void bacc_device_check_used(void);

/* Fatal if there is no queue of that argument. */
void bacc_device_check_queue(int queue);

/* Data regions that are open: a device that has one may not be shut down. Relaxed. */
extern struct bz_a32 bacc_device_regions;

#endif
