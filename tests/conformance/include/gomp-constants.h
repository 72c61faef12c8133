/* gomp-constants.h: the device kinds that test programs ask for. */
#ifndef CONFORMANCE_GOMP_CONSTANTS_H
#define CONFORMANCE_GOMP_CONSTANTS_H

enum {
    GOMP_DEVICE_DEFAULT = 1,
    GOMP_DEVICE_NVIDIA_PTX = 5,
    GOMP_DEVICE_INTEL_MIC = 6,
};

#endif
