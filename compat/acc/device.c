/* device.c: see device.h. Answers and texts of messages are libgomp's for a process without other devices, as found out by
 * running it. Where it fails an assertion of its own, or crashes, there is a message here, or the call just works.
 *
 * All words here are relaxed: each counts alone, and they order no data of the program. */
#include "device.h"

#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <strings.h>

#include "acc.h"
#include "acc_decl.h"
#include "profile.h"
#include "runtime.h"

/* Written by the threads that change the state, read by all. */
static struct bz_aflag known, active, used;
static struct bz_a32 number; /* of the device that is used next; only 0 is there */

/* The number of the thread that notifies tools of the initialisation; 0: none. */
static struct bz_a32 initialiser;

/* ACC_DEVICE_TYPE, NULL if it says nothing. Written once. */
static const char *type_wanted;

struct bz_aflag bacc_device_debug;
struct bz_a32 bacc_device_regions;

/* ---- the environment ---- */

static void read_number(void) {
    const char *text = bz_os_getenv("ACC_DEVICE_NUM");
    uint64_t value;
    if (!text)
        return;
    if (bz_parse_uint(text, 0, INT_MAX, &value) == 0)
        bz_store_relaxed(&number, (uint32_t)value);
    else
        bz_warn_value("ACC_DEVICE_NUM", text, "invalid value; using 0");
}

static void read_debug(void) {
    const char *text = bz_os_getenv("GOMP_DEBUG");
    uint64_t value;
    bz_store_relaxed(&bacc_device_debug, text && bz_parse_uint(text, 0, INT_MAX, &value) == 0 && value > 0);
}

static void read_environment(void) {
    const char *text = bz_os_getenv("ACC_DEVICE_TYPE");
    bz_error_prefix(BOMP_MESSAGE_PREFIX);
    if (text && *text)
        type_wanted = bz_os_format("%s", text);
    read_number();
    read_debug();
}

/* Perhaps the first that a program, which has loaded OpenACC late, has of us. */
void bacc_device_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    bomp_missing_check_first();
    (void)pthread_once(&once, read_environment);
}

/* ---- types ---- */

static _Noreturn void not_supported(const char *type) {
    bz_fatal("device type %s not supported", type);
}

/* Fatal if the type of a device is not that of the host, by its own name or as the default. */
static void check_type(int type) {
    bacc_device_load();
    switch (type) {
    case ACC_DEVICE_HOST:
        return;
    case ACC_DEVICE_DEFAULT:
        if (!bz_load_relaxed(&known) && type_wanted && strcasecmp(type_wanted, "host") != 0)
            not_supported(type_wanted);
        return;
    case ACC_DEVICE_NONE:
        not_supported("none");
    case ACC_DEVICE_NVIDIA:
        not_supported("nvidia");
    case ACC_DEVICE_RADEON:
        not_supported("radeon");
    case ACC_DEVICE_NOT_HOST:
        bz_fatal("no device found");
    default:
        bz_fatal("unknown device type %u", (unsigned)type);
    }
}

static void check_number(uint32_t wanted) {
    if (wanted != 0)
        bz_fatal("device %d out of range", (int)wanted);
}

/* Fatal if the clauses device_num and device_type of a directive name a device that is not there. */
static void check_clauses(int wanted, int type) {
    check_type(type == ACC_DEVICE_NONE ? ACC_DEVICE_HOST : type);
    if (wanted >= 0)
        check_number((uint32_t)wanted);
}

int acc_get_num_devices(int type) {
    bacc_device_load();
    if (type < ACC_DEVICE_NONE || type > ACC_DEVICE_RADEON)
        bz_fatal("unknown device type %u", (unsigned)type);
    if (type == ACC_DEVICE_DEFAULT)
        return bz_load_relaxed(&known) || !type_wanted || strcasecmp(type_wanted, "host") == 0;
    return type == ACC_DEVICE_HOST;
}

/* None in a callback for its initialisation. */
int acc_get_device_type(void) {
    check_type(ACC_DEVICE_DEFAULT);
    uint32_t thread = bz_load_relaxed(&initialiser);
    return thread != 0 && thread == bz_thread_number() ? ACC_DEVICE_NONE : ACC_DEVICE_HOST;
}

int acc_get_device_num(int type) {
    check_type(type);
    return (int)bz_load_relaxed(&number);
}

int acc_on_device(int type) {
    return type == ACC_DEVICE_HOST || type == ACC_DEVICE_NONE;
}

/* ---- states ---- */

/* Returns whether it was active already. */
static bool activate(void) {
    bacc_load();
    bool was = bz_exchange_relaxed(&active, true);
    bz_store_relaxed(&known, true);
    bz_store_relaxed(&used, true);
    return was;
}

/* The same, and notifies tools. */
static bool initialise(int construct, bool implicit, int type) {
    const struct bacc_event event = {.start = ACC_EV_DEVICE_INIT_START,
                                     .parent = construct,
                                     .implicit = implicit,
                                     .device_type = type,
                                     .queue = ACC_ASYNC_SYNC};
    struct bacc_profile profile;
    bacc_load();
    bz_store_relaxed(&initialiser, bz_thread_number());
    bacc_profile_start(&profile, &event);
    bool was = activate();
    bacc_profile_end(&profile);
    bz_store_relaxed(&initialiser, 0);
    return was;
}

static void first_use(void) {
    check_type(ACC_DEVICE_DEFAULT);
    check_number(bz_load_relaxed(&number));
    if (bz_exchange_relaxed(&known, true)) /* after a shutdown, or another thread is just doing it */
        bz_store_relaxed(&used, true);
    else
        (void)initialise(ACC_CONSTRUCT_PARALLEL, true, ACC_DEVICE_DEFAULT);
}

void bacc_device_use(void) {
    if (bz_unlikely(!bz_load_relaxed(&used)))
        first_use();
}

void bacc_device_check_used(void) {
    if (!bz_load_relaxed(&used)) {
        bacc_device_load();
        bz_fatal("no device active");
    }
}

void bacc_device_check_queue(int queue) {
    if (queue < ACC_ASYNC_SYNC)
        bz_fatal("invalid async-argument: %d", queue);
}

static void start_up(int type, int construct) {
    check_type(type);
    if (bz_load_relaxed(&active))
        bz_fatal("device already active");
    check_number(bz_load_relaxed(&number));
    if (initialise(construct, false, type))
        bz_fatal("device already active");
}

void acc_init(int type) {
    start_up(type, ACC_CONSTRUCT_RUNTIME_API);
}

void acc_shutdown(int type) {
    check_type(type);
    if (bz_load_relaxed(&bacc_device_regions) > 0)
        bz_fatal("shutdown in 'acc data' region");
    bz_store_relaxed(&used, false);
    if (!bz_exchange_relaxed(&active, false))
        bz_fatal("no device initialized");
}

void acc_set_device_type(int type) {
    check_type(type);
    check_number(bz_load_relaxed(&number));
    (void)activate();
}

/* No type: the one that is used now. A negative number: the one that is used anyway. */
void acc_set_device_num(int wanted, int type) {
    if (type == ACC_DEVICE_NONE)
        type = ACC_DEVICE_DEFAULT;
    check_type(type);
    uint32_t next = wanted < 0 ? bz_load_relaxed(&number) : (uint32_t)wanted;
    check_number(next);
    bz_store_relaxed(&number, next);
    (void)activate();
}

/* The directives init, set and shutdown of gcc 17: no type means all types, which are the host; a negative number means the
 * device that is used anyway. */

BOMP_EXPORT void GOACC_init(int wanted, int type) {
    check_clauses(wanted, type);
    start_up(type == ACC_DEVICE_NONE ? ACC_DEVICE_HOST : type, ACC_CONSTRUCT_INIT);
}

BOMP_EXPORT void GOACC_shutdown(int wanted, int type) {
    check_clauses(wanted, type);
    acc_shutdown(type == ACC_DEVICE_NONE ? ACC_DEVICE_HOST : type);
}

/* ---- properties ---- */

static void check_property(int wanted, int type) {
    bacc_device_use();
    check_type(type);
    check_number((uint32_t)wanted);
    (void)activate();
}

/* 0 for what is not known. */
size_t acc_get_property(int wanted, int type, int property) {
    check_property(wanted, type);
    return 0;
}

const char *acc_get_property_string(int wanted, int type, int property) {
    check_property(wanted, type);
    switch (property) {
    case ACC_PROPERTY_NAME:
        return "GOMP";
    case ACC_PROPERTY_VENDOR:
        return "GNU";
    case ACC_PROPERTY_DRIVER:
        return "1.0";
    default:
        return NULL;
    }
}

/* There are no streams of CUDA. */
BOMP_EXPORT int acc_set_cuda_stream(int queue, void *stream) {
    return queue >= ACC_ASYNC_SYNC && stream ? -1 : 0;
}
