/* gomp-constants.h: the device kinds, and the dimensions of OpenACC, that test programs use. */
#ifndef CONFORMANCE_GOMP_CONSTANTS_H
#define CONFORMANCE_GOMP_CONSTANTS_H

enum {
    GOMP_DEVICE_DEFAULT = 1,
    GOMP_DEVICE_NVIDIA_PTX = 5,
    GOMP_DEVICE_INTEL_MIC = 6,
    GOMP_DEVICE_GCN = 8,
};

enum { GOMP_DIM_GANG = 0, GOMP_DIM_WORKER = 1, GOMP_DIM_VECTOR = 2 };

#endif
