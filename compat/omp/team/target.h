/* Target regions, which the host runs, and devices. */
#ifndef BOMP_TARGET_H
#define BOMP_TARGET_H

#include <stdbool.h>
#include <stdint.h>

/* The number of devices that are not the host, which is the host's own number: those of the offload library
 * (base/offload.h), else 0. */
int bomp_devices(void);

/* Whether a device that a program names is the host, or omp_default_device where that is the host. One with a greater
 * number than the host's does not exist: fatal if OMP_TARGET_OFFLOAD says that it must. */
bool bomp_device_is_host(int device);
/* Whether it is the host or another device that exists; fatal likewise. */
bool bomp_device_exists(int device);

/* Another OMP_TARGET_OFFLOAD from now on, an enum bomp_offload. Any thread. */
void bomp_set_target_offload(uint32_t offload);

#endif
