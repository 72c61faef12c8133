/* Target regions, which the host runs, and devices. */
#ifndef BOMP_TARGET_H
#define BOMP_TARGET_H

#include <stdbool.h>
#include <stdint.h>

/* Whether a device that a program names is the host, or omp_default_device where that is the host. */
bool bomp_device_names_host(int device);

/* The same for uses of the device. omp_invalid_device is fatal, and with OMP_TARGET_OFFLOAD=mandatory also another one that
 * does not exist. */
bool bomp_device_is_host(int device);
/* Whether it is the host or another device that exists; fatal likewise. */
bool bomp_device_exists(int device);

/* Another OMP_TARGET_OFFLOAD from now on, an enum bomp_offload. Any thread. */
void bomp_set_target_offload(uint32_t offload);

#endif
