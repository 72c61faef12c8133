/* GOMP_target*: target regions and the data that they map. The host runs the regions, on the program's own data.
 * Nothing is mapped, but firstprivate variables are copied, and dependences hold. */
#include <string.h>

#include "depend.h"
#include "device.h"
#include "omp/bomp.h"

enum {
    FLAG_NOWAIT = 1,
    FLAG_EXIT_DATA = 2,
    FLAGS_KNOWN = FLAG_NOWAIT | FLAG_EXIT_DATA,
    /* The lower byte of a kind; its upper byte is the logarithm of the alignment. */
    KIND_FIRSTPRIVATE = 0x0c,
    KIND_ATTACH = 0x50,
    /* A word of args: for which device (0: any), whether the value is in the next word, what it is, and the value. */
    ARG_DEVICE = 0x7f,
    ARG_NEXT = 0x80,
    ARG_ID = 0xff00,
    ARG_THREAD_LIMIT = 0x200,
    ARG_VALUE_SHIFT = 16
};

/* ---- the construct's arguments ---- */

struct construct {
    void (*fn)(void *);
    const void *code; /* where the program has it */
    size_t count;
    void **addresses; /* of each mapped variable, or its value: what fn gets */
    const size_t *sizes;
    const unsigned short *kinds;
    unsigned thread_limit; /* 0: none */
};

/* What a target task runs: the construct's addresses, and behind them its firstprivate copies. */
struct region {
    void (*fn)(void *);
    const void *code;
    unsigned thread_limit;
    void *addresses[];
};

/* A variable that is not there, an optional argument, has no address. */
static bool is_copied(const struct construct *construct, size_t i) {
    return (construct->kinds[i] & 0xff) == KIND_FIRSTPRIVATE && construct->addresses[i];
}

static size_t align_of(const struct construct *construct, size_t i) {
    return (size_t)1 << (construct->kinds[i] >> 8);
}

static size_t round_up(size_t offset, size_t align) {
    return (offset + align - 1) & ~(align - 1);
}

/* What gfortran 16 makes of an array: its descriptor and its elements are copied, and then the copied descriptor is to point
 * to the copied elements. The address is that of the descriptor's own, and the size is how far behind the copy's beginning
 * the pointer is. Other attachments are about devices. */
static void attach(struct region *region, const struct construct *construct, size_t i) {
    size_t bytes = (uintptr_t)construct->addresses[i] - (uintptr_t)construct->addresses,
           at = bytes / sizeof(void *);
    if (at < i && is_copied(construct, at) && is_copied(construct, i - 1))
        memcpy((char *)region->addresses[at] + construct->sizes[i], &region->addresses[i - 1],
               sizeof(void *));
}

/* The bytes of the region, and in *align what it must be aligned to. */
static size_t region_size(const struct construct *construct, size_t *align) {
    size_t end = sizeof(struct region) + construct->count * sizeof(void *);
    *align = _Alignof(struct region);
    for (size_t i = 0; i < construct->count; i++) {
        if (!is_copied(construct, i))
            continue;
        if (*align < align_of(construct, i))
            *align = align_of(construct, i);
        end = round_up(end, align_of(construct, i)) + construct->sizes[i];
    }
    return end;
}

static void region_copy(void *to, void *from) {
    const struct construct *construct = from;
    struct region *region = to;
    region->fn = construct->fn;
    region->code = construct->code;
    region->thread_limit = construct->thread_limit;
    size_t end = sizeof(struct region) + construct->count * sizeof(void *);
    for (size_t i = 0; i < construct->count; i++) {
        region->addresses[i] = construct->addresses[i];
        if ((construct->kinds[i] & 0xff) == KIND_ATTACH)
            attach(region, construct, i);
        if (!is_copied(construct, i))
            continue;
        end = round_up(end, align_of(construct, i));
        region->addresses[i] = (char *)region + end;
        memcpy(region->addresses[i], construct->addresses[i], construct->sizes[i]);
        end += construct->sizes[i];
    }
}

static void region_run(void *arg) {
    struct region *region = arg;
    BOMP_STILL(region->code);
    bomp_target_run(region->fn, region->addresses, region->thread_limit);
}

static void check_flags(const char *entry, unsigned flags) {
    if (flags & ~(unsigned)FLAGS_KNOWN)
        bomp_unknown_bits(entry, "flags", flags & ~(unsigned)FLAGS_KNOWN);
}

/* The value of the thread_limit clause; 0: no clause. */
static unsigned thread_limit_of(void *const *args) {
    unsigned limit = 0;
    while (args && *args) {
        uintptr_t word = (uintptr_t)*args++;
        intptr_t value = word & ARG_NEXT ? (intptr_t)*args++ : (intptr_t)word >> ARG_VALUE_SHIFT;
        if ((word & ARG_ID) == ARG_THREAD_LIMIT && (word & ARG_DEVICE) == 0 && value > 0)
            limit = value < UINT32_MAX ? (unsigned)value : UINT32_MAX;
    }
    return limit;
}

/* ---- regions ---- */

static void run_here(const struct construct *construct, size_t size, size_t align) {
    char small[512] __attribute__((aligned(64)));
    char *block = size <= sizeof small && align <= 64
                      ? NULL
                      : bomp_scratch(size + align, "the firstprivate variables of a target region");
    void *region = block ? (void *)round_up((uintptr_t)block, align) : small;
    region_copy(region, (void *)construct);
    region_run(region);
    bomp_scratch_free(block);
}

BOMP_EXPORT void GOMP_target_ext(int device, void (*fn)(void *), size_t mapnum, void **hostaddrs,
                                 size_t *sizes, unsigned short *kinds, unsigned flags, void **depend,
                                 void **args) {
    struct construct construct = {fn, BOMP_RETURN, mapnum, hostaddrs, sizes, kinds, thread_limit_of(args)};
    struct bomp_depend_room room;
    struct bomp_depend_list list = {NULL, 0};
    size_t align, size = region_size(&construct, &align);
    check_flags("GOMP_target_ext", flags);
    BOMP_ENTERED();
    gomp_target_device(device);
    if (depend)
        list = gomp_depend_decode(&room, depend);
    if (flags & FLAG_NOWAIT ||
        BOMP_OBSERVED) { /* a tool is also notified of a target task that is waited for */
        bomp_task_create(&(struct bomp_task_spec){.fn = region_run,
                                                  .undeferred = !(flags & FLAG_NOWAIT),
                                                  .data = &construct,
                                                  .copy = region_copy,
                                                  .size = size,
                                                  .align = align,
                                                  .observed_as = BOMP_AS_TARGET,
                                                  .depend = list});
    } else {
        if (depend)
            bomp_taskwait_depend(&list);
        run_here(&construct, size, align);
    }
    if (depend)
        bomp_depend_free(&room);
}

/* Of compilers before gcc 5, which had no firstprivate. */
BOMP_EXPORT void GOMP_target(int device, void (*fn)(void *), const void *unused, size_t mapnum,
                             void **hostaddrs, size_t *sizes, unsigned char *kinds) {
    BOMP_ENTERED();
    gomp_target_device(device);
    bomp_target_run(fn, hostaddrs, 0);
}

/* ---- data ---- */

BOMP_EXPORT void GOMP_target_data_ext(int device, size_t mapnum, void **hostaddrs, size_t *sizes,
                                      unsigned short *kinds) {
    gomp_target_device(device);
    BOMP_NOTIFY_HERE(bomp_tool_target_data(BOMP_TARGET_ENTER_DATA, false));
}

BOMP_EXPORT void GOMP_target_end_data(void) {
    BOMP_NOTIFY_HERE(bomp_tool_target_data(BOMP_TARGET_EXIT_DATA, false));
}

BOMP_EXPORT void GOMP_target_update(int device, const void *unused, size_t mapnum, void **hostaddrs,
                                    size_t *sizes, unsigned char *kinds) {
    gomp_target_device(device);
    BOMP_NOTIFY_HERE(bomp_tool_target_data(BOMP_TARGET_UPDATE, false));
}

/* A construct without an effect, in its place among the tasks around it. */
static void in_order(const char *entry, int device, unsigned flags, void **depend) {
    check_flags(entry, flags);
    gomp_target_device(device);
    if (depend)
        gomp_depend_wait(depend, flags & FLAG_NOWAIT);
}

BOMP_EXPORT void GOMP_target_update_ext(int device, size_t mapnum, void **hostaddrs, size_t *sizes,
                                        unsigned short *kinds, unsigned flags, void **depend) {
    BOMP_ENTERED();
    in_order("GOMP_target_update_ext", device, flags, depend);
    BOMP_NOTIFY_HERE(bomp_tool_target_data(BOMP_TARGET_UPDATE, flags & FLAG_NOWAIT));
}

BOMP_EXPORT void GOMP_target_enter_exit_data(int device, size_t mapnum, void **hostaddrs, size_t *sizes,
                                             unsigned short *kinds, unsigned flags, void **depend) {
    BOMP_ENTERED();
    in_order("GOMP_target_enter_exit_data", device, flags, depend);
    BOMP_NOTIFY_HERE(bomp_tool_target_data(
        flags & FLAG_EXIT_DATA ? BOMP_TARGET_EXIT_DATA : BOMP_TARGET_ENTER_DATA, flags & FLAG_NOWAIT));
}
