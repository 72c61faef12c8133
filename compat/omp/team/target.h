/* Target regions, which the host runs, and devices. */
#ifndef BOMP_TARGET_H
#define BOMP_TARGET_H

#include <stdbool.h>
#include <stdint.h>

/* Whether a device number, or the default device's, is the host. */
bool bomp_device_names_host(int device);

/* The same for a use of the device: may be fatal as bomp_device_exists. */
bool bomp_device_is_host(int device);

/* Sets OMP_TARGET_OFFLOAD, an enum bomp_offload. Any thread. */
void bomp_set_target_offload(uint32_t offload);

#endif
