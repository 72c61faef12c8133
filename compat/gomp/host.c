/* host.c: entry points that a process without offload devices needs no runtime for, and the error directive. */
#include <stddef.h>

#include "omp/bomp.h"

BOMP_EXPORT void GOMP_warning(const char *, size_t);
BOMP_EXPORT _Noreturn void GOMP_error(const char *, size_t);
BOMP_EXPORT void GOMP_offload_register(const void *, int, const void *);
BOMP_EXPORT void GOMP_offload_unregister(const void *, int, const void *);
BOMP_EXPORT void GOMP_offload_register_ver(unsigned, const void *, int, const void *);
BOMP_EXPORT void GOMP_offload_unregister_ver(unsigned, const void *, int, const void *);

/* In libgomp's words. */
void GOMP_warning(const char *message, size_t len) {
    BOMP_NOTIFY_HERE(bomp_tool_error(false, message, len));
    const char *before =
        message ? "\nlibgomp: error directive encountered: " : "\nlibgomp: error directive encountered";
    bomp_error_warning(&(struct bomp_error_text){before, message, len, "\n"});
}

void GOMP_error(const char *message, size_t len) {
    BOMP_NOTIFY_HERE(bomp_tool_error(true, message, len));
    const char *before = message ? "\nlibgomp: fatal error: error directive encountered: "
                                 : "\nlibgomp: fatal error: error directive encountered";
    bomp_error_fatal(&(struct bomp_error_text){before, message, len, "\n"});
}

/* A program compiled for offloading announces its device images on loading. No device will ask for them. */

void GOMP_offload_register(const void *host_table, int target, const void *image) {
    (void)host_table, (void)target, (void)image;
}

void GOMP_offload_unregister(const void *host_table, int target, const void *image) {
    (void)host_table, (void)target, (void)image;
}

void GOMP_offload_register_ver(unsigned version, const void *host_table, int target, const void *image) {
    (void)version, (void)host_table, (void)target, (void)image;
}

void GOMP_offload_unregister_ver(unsigned version, const void *host_table, int target, const void *image) {
    (void)version, (void)host_table, (void)target, (void)image;
}
