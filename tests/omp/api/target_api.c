// gcc only: clang's code uses libomptarget's functions
// threads: 1
// env: OMP_DEFAULT_DEVICE=2
// Functions for devices and their memory, in a process whose only device is the host; OMP_TARGET_OFFLOAD=mandatory.
#include "../check.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void devices(void) {
    printf("devices %d, host %d %d %d, default %d\n", omp_get_num_devices(), omp_get_initial_device(),
           omp_get_device_num(), omp_is_initial_device(), omp_get_default_device());
    omp_set_default_device(1);
    printf("default %d\n", omp_get_default_device());
    omp_set_default_device(3);
    printf("default %d\n", omp_get_default_device());
    int host = -1;
#pragma omp target map(host)
    host = omp_get_device_num() + 10 * omp_is_initial_device();
    printf("default device: %d\n", host);
#pragma omp target map(host) device(9)
    host = omp_get_device_num() + 20 * omp_is_initial_device();
    printf("device 9: %d\n", host);
    omp_set_default_device(0);
}

static void memory(void) {
    int here[10] = {0}, there[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

    for (int device = -3; device < 3; device++) {
        if (device == -1) /* since libgomp 13 it means the host: tests/abi/newer.c */
            continue;
        void *block = omp_target_alloc(100, device);

        printf("device %d: alloc %d, present %d, associate %d %d, copy %d %d\n", device, block != NULL,
               omp_target_is_present(here, device), omp_target_associate_ptr(here, there, 8, 0, device),
               omp_target_disassociate_ptr(here, device), omp_target_memcpy(here, there, 8, 4, 8, device, 0),
               omp_target_memcpy(here, there, 8, 0, 4, 0, device));
        omp_target_free(block, device);
    }
    omp_target_free(NULL, 0);
    printf("copied %d %d %d, nothing %d\n", here[0], here[1], here[2],
           omp_target_memcpy(NULL, NULL, 0, 0, 0, 0, 0));
}

static void rectangles(void) {
    enum { ROWS = 4, COLUMNS = 5, DEEP = 3 };
    int to[ROWS][COLUMNS], from[6][7], cube[DEEP][4][5], box[DEEP][3][2];
    size_t volume[] = {2, 3}, to_offsets[] = {1, 2}, from_offsets[] = {3, 1};
    size_t to_dims[] = {ROWS, COLUMNS}, from_dims[] = {6, 7};
    size_t none[] = {0, 3}, huge[] = {2, SIZE_MAX / 2};

    memset(to, 0, sizeof to);
    for (int i = 0; i < 42; i++)
        from[i / 7][i % 7] = i;
    for (int i = 0; i < 60; i++)
        cube[i / 20][i / 5 % 4][i % 5] = i;
    printf("most dimensions %d\n",
           omp_target_memcpy_rect(NULL, NULL, 4, 0, NULL, NULL, NULL, NULL, NULL, 5, 6));
    printf("copy %d:", omp_target_memcpy_rect(to, from, 4, 2, volume, to_offsets, from_offsets, to_dims,
                                              from_dims, 0, 0));
    for (int i = 0; i < ROWS * COLUMNS; i++)
        printf(" %d", to[i / COLUMNS][i % COLUMNS]);
    printf("\nnothing %d %d\n",
           omp_target_memcpy_rect(to, from, 0, 2, volume, to_offsets, from_offsets, to_dims, from_dims, 0, 0),
           omp_target_memcpy_rect(to, from, 4, 2, none, to_offsets, from_offsets, to_dims, from_dims, 0, 0));
    printf("refused %d %d %d %d\n",
           omp_target_memcpy_rect(to, from, 4, 2, volume, to_offsets, from_offsets, to_dims, from_dims, 3, 0),
           omp_target_memcpy_rect(to, from, 4, 2, volume, huge, from_offsets, to_dims, from_dims, 0, 0),
           omp_target_memcpy_rect(to, from, 4, 2, huge, to_offsets, from_offsets, to_dims, from_dims, 0, 0),
           omp_target_memcpy_rect(to, from, 4, 2, volume, to_offsets, from_offsets, huge, from_dims, 0, 0));
    size_t volume3[] = {3, 2, 2}, to3[] = {0, 1, 0}, from3[] = {0, 2, 3}, box_dims[] = {3, 3, 2},
           cube_dims[] = {3, 4, 5};
    memset(box, 0, sizeof box);
    printf("cube %d:",
           omp_target_memcpy_rect(box, cube, 4, 3, volume3, to3, from3, box_dims, cube_dims, 0, 0));
    for (int i = 0; i < 18; i++)
        printf(" %d", box[i / 6][i / 2 % 3][i % 2]);
    printf("\n");
}

/* An error that ends the program, in a child process. */
static void ends(const char *what, int number) {
    int status = 0;

    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        setenv("OMP_TARGET_OFFLOAD", "mandatory", 1);
        char text[12];
        snprintf(text, sizeof text, "%d", number);
        execl("/proc/self/exe", "target_api", text, (char *)NULL);
        _exit(99);
    }
    waitpid(child, &status, 0);
    printf("%s: exit status %d\n", what, WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

static int mandatory(int number) {
    int x = 1;

    switch (number) {
    case 0:
#pragma omp target map(x) device(2)
        x = 2;
        break;
    case 1: /* the default device */
#pragma omp target map(x)
        x = 2;
        break;
    case 2:
        omp_set_default_device(0);
#pragma omp target map(x)
        x = 2;
        break;
    case 3:
#pragma omp target map(x) if (0)
        x = 2;
        break;
    case 4:
#pragma omp target data map(x) device(4)
        x = 2;
        break;
    case 5: {
#pragma omp target update to(x) device(4)
        break;
    }
    case 6:
        omp_target_is_present(&x, 5);
        break;
    case 7:
        omp_target_free(omp_target_alloc(5, 7), 7);
        break;
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 1)
        return mandatory(atoi(argv[1]));
    devices();
    memory();
    rectangles();
    ends("target", 0);
    ends("default target", 1);
    ends("target of the host", 2);
    ends("target if(0)", 3);
    ends("target data", 4);
    ends("target update", 5);
    ends("presence", 6);
    ends("allocation", 7);
    return check_done("target_api");
}
