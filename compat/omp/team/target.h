/* Target regions and devices, in a process whose only device is the host. */
#ifndef BOMP_TARGET_H
#define BOMP_TARGET_H

#include <stdbool.h>
#include <stdint.h>

/* The host as a device, by its number; and the number of other ones. */
#define BOMP_HOST_DEVICE 0
#define BOMP_DEVICES 0

/* Whether a device that a program names is the host, or omp_default_device where that is the host. One that is not does not
 * exist: fatal if OMP_TARGET_OFFLOAD says that it must, but for other negative numbers, which name none. */
bool bomp_device_is_host(int device);

/* Another OMP_TARGET_OFFLOAD from now on, an enum bomp_offload. Any thread. */
void bomp_set_target_offload(uint32_t offload);

#endif
