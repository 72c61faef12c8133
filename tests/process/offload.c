/* A program with code for devices, built by clang for its host plugin: the results of OpenMP's device functions, and
 * their effects on memory. It calls each as bound by the linker, and as found by dlsym. LATE: a program without
 * such code loads it later. Prints "right". */
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 64, DEVICE = 1 };

static int bad;

#define CHECK(what)                                                                                          \
    do {                                                                                                     \
        if (!(what))                                                                                         \
            bad = 1, printf("line %d: not %s\n", __LINE__, #what);                                           \
    } while (0)

/* The function that dlsym finds: ours, where it comes first. */
#define FOUND(name) ((__typeof__(&name))found(#name))

static void *found(const char *name) {
    void *function = dlsym(RTLD_DEFAULT, name);
    if (!function)
        printf("no %s\n", name), exit(1);
    return function;
}

#ifdef LATE

/* As code of either compiler does. */
int main(int argc, char **argv) {
    (void)argc;
    for (int i = 0; i < 2; i++)
        CHECK(omp_get_num_devices() == 0 && omp_get_initial_device() == 0 && omp_get_device_num() == 0);
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    int (*check)(void) = library ? (int (*)(void))dlsym(library, "check_devices") : NULL;
    if (!check) {
        printf("%s\n", dlerror());
        return 1;
    }
    int devices = omp_get_num_devices();
    CHECK(devices > DEVICE && omp_get_initial_device() == devices && omp_get_device_num() == devices);
    void *block = FOUND(omp_target_alloc)(N, DEVICE);
    CHECK(block && FOUND(omp_target_memcpy)(block, argv, 8, 0, 0, DEVICE, devices) == 0);
    FOUND(omp_target_free)(block, DEVICE);
    bad |= check();
    if (!bad)
        puts("right");
    return bad;
}

#else

static void numbers(void) {
    int devices = omp_get_num_devices();
    CHECK(devices > DEVICE && omp_get_default_device() == 0);
    CHECK(omp_get_initial_device() == devices && omp_get_device_num() == devices);
    CHECK(FOUND(omp_get_num_devices)() == devices && FOUND(omp_get_initial_device)() == devices);
    CHECK(FOUND(omp_get_device_num)() == devices);
    CHECK(((int (*)(void))found("omp_get_num_devices_"))() == devices);
    CHECK(omp_pause_resource(omp_pause_soft, devices) == 0);
    omp_set_default_device(DEVICE);
    CHECK(omp_get_default_device() == DEVICE);
    omp_set_default_device(0);
}

/* OMP_TARGET_OFFLOAD: the host runs regions, and no variable is mapped. */
static int is_disabled(void) {
    const char *offload = getenv("OMP_TARGET_OFFLOAD");
    return offload && strcmp(offload, "disabled") == 0;
}

/* Whether a region of that device runs there. */
static int runs_on(int device) {
    int host = 1;
#    pragma omp target device(device) map(from : host)
    host = omp_is_initial_device();
    return !host;
}

static void regions(void) {
    int devices = omp_get_num_devices();
    for (int device = 0; device < devices; device++)
        CHECK(runs_on(device) == !is_disabled());
    CHECK(!runs_on(devices));
}

static void copies(int host) {
    int from[N], to[N], *block = FOUND(omp_target_alloc)(sizeof from, DEVICE);
    for (int i = 0; i < N; i++)
        from[i] = i;
    CHECK(block);
    CHECK(FOUND(omp_target_memcpy)(block, from, sizeof from, 0, 0, DEVICE, host) == 0);
#    pragma omp target device(DEVICE) is_device_ptr(block)
    for (int i = 0; i < N; i++)
        block[i] *= 2;
    memset(to, 0, sizeof to);
    CHECK(FOUND(omp_target_memcpy)(to, block, sizeof to - 4, 4, 0, host, DEVICE) == 0);
    for (int i = 1; i < N; i++)
        CHECK(to[i] == 2 * (i - 1));
    CHECK(FOUND(omp_target_memset)(block, 0x11, sizeof from, DEVICE) == block);
    size_t volume[2] = {2, 3}, to_at[2] = {1, 1}, from_at[2] = {4, 2}, dims[2] = {8, 8};
    CHECK(FOUND(omp_target_memcpy_rect)(NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, 0, 0) > 2);
    CHECK(FOUND(omp_target_memcpy_rect)(to, block, 4, 2, volume, to_at, from_at, dims, dims, host, DEVICE) ==
          0);
    CHECK(to[8] == 14 && to[9] == 0x11111111 && to[11] == 0x11111111 && to[12] == 22);
    FOUND(omp_target_free)(block, DEVICE);
    void *own = FOUND(omp_target_alloc)(N, host);
    CHECK(own && FOUND(omp_target_memset)(own, 1, N, host) == own && *(char *)own == 1);
    FOUND(omp_target_free)(own, host);
    FOUND(omp_target_free)(NULL, DEVICE);
}

static void mapped(int host) {
    static int x[N], y[N];
    CHECK(!FOUND(omp_target_is_present)(x, DEVICE) && !FOUND(omp_get_mapped_ptr)(x, DEVICE));
#    pragma omp target enter data map(to : x) device(DEVICE)
    CHECK(FOUND(omp_target_is_present)(x, DEVICE) && omp_target_is_present(x, DEVICE));
    CHECK(!FOUND(omp_target_is_present)(x, 0) && FOUND(omp_target_is_present)(x, host));
    CHECK(FOUND(omp_get_mapped_ptr)(x, DEVICE) && FOUND(omp_get_mapped_ptr)(x, host) == x);
    CHECK(FOUND(omp_get_mapped_ptr)(x, DEVICE) == omp_get_mapped_ptr(x, DEVICE));
#    pragma omp target exit data map(delete : x) device(DEVICE)
    CHECK(!FOUND(omp_target_is_present)(x, DEVICE));

    int *block = omp_target_alloc(sizeof y, DEVICE);
    CHECK(FOUND(omp_target_associate_ptr)(y, block, sizeof y, 0, DEVICE) == 0);
    CHECK(FOUND(omp_get_mapped_ptr)(y + 1, DEVICE) == block + 1);
#    pragma omp target device(DEVICE) map(alloc : y)
    y[3] = 7;
#    pragma omp target update from(y) device(DEVICE)
    CHECK(y[3] == 7);
    CHECK(FOUND(omp_target_disassociate_ptr)(y, DEVICE) == 0 && !FOUND(omp_target_is_present)(y, DEVICE));
    omp_target_free(block, DEVICE);
}

/* Target tasks in the order of their dependences, on several devices; the host's tasks between them. */
static void tasks(int devices) {
    int x = 0;
#    pragma omp parallel num_threads(4)
#    pragma omp single
    for (int i = 0; i < 40; i++) {
#    pragma omp target device(i % devices) map(tofrom : x) depend(inout : x) nowait
        x = 3 * x + 1;
#    pragma omp task depend(inout : x) shared(x)
        x %= 1000;
    }
    int want = 0;
    for (int i = 0; i < 40; i++)
        want = (3 * want + 1) % 1000;
    CHECK(x == want);
}

/* Copies in tasks, with dependences from this compiler's depend objects. */
static void async(int host) {
    int x[N] = {0}, y[N] = {0}, *block = omp_target_alloc(sizeof x, DEVICE);
    size_t volume = N, zero = 0, dim = N;
    omp_depend_t of[2];
#    pragma omp depobj(of[0]) depend(inout : x)
#    pragma omp depobj(of[1]) depend(inout : block[0])
    for (int i = 1; i <= 20; i++) {
#    pragma omp parallel num_threads(4)
#    pragma omp single
        {
#    pragma omp task depend(out : x) shared(x)
            for (int k = 0; k < N; k++)
                x[k] = i;
            CHECK(FOUND(omp_target_memcpy_async)(block, x, sizeof x, 0, 0, DEVICE, host, 2, of) == 0);
#    pragma omp task depend(inout : x) shared(x)
            memset(x, 0, sizeof x);
            CHECK(FOUND(omp_target_memcpy_rect_async)(x, block, 4, 1, &volume, &zero, &zero, &dim, &dim, host,
                                                      DEVICE, 2, of) == 0);
            CHECK(FOUND(omp_target_memset_async)(block, i, sizeof x, DEVICE, 1, of + 1) == block);
            CHECK(FOUND(omp_target_memcpy_async)(y, block, sizeof y, 0, 0, host, DEVICE, 1, of + 1) == 0);
        }
        CHECK(x[0] == i && x[N - 1] == i && y[0] == 0x01010101 * i && y[N - 1] == y[0]);
    }
#    pragma omp depobj(of[0]) destroy
#    pragma omp depobj(of[1]) destroy
    omp_target_free(block, DEVICE);
}

int check_devices(void) {
    int host = omp_get_initial_device();
    numbers();
    regions();
    copies(host);
    if (!is_disabled())
        mapped(host);
    tasks(omp_get_num_devices());
    async(host);
#    pragma omp parallel for num_threads(8) reduction(| : bad)
    for (int i = 0; i < 64; i++)
        bad |= omp_get_num_devices() != host || omp_get_initial_device() != host;
    return bad;
}

int main(void) {
    if (!check_devices())
        puts("right");
    return bad;
}

#endif
