/* The numbers that GCC passes for the device of a target construct. */
#ifndef GOMP_DEVICE_H
#define GOMP_DEVICE_H

#include "omp/bomp.h"

enum {
    DEVICE_ICV = -1,          /* no clause: as default-device-var says */
    DEVICE_HOST_FALLBACK = -2 /* the if clause is false */
};

/* Others are as in omp.h. */
static inline void gomp_target_device(int device) {
    if (device != DEVICE_HOST_FALLBACK)
        (void)bomp_device_exists(device == DEVICE_ICV ? BOMP_DEVICE_DEFAULT : device);
}

#endif
