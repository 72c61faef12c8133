/* copies_plugins.c FLAG PLUGIN STAYING: threads each load a plugin (copies of PLUGIN with the suffixes .1, .2, ...),
 * use it and unload it, again and again, while another thread runs the regions of STAYING. FLAG: local, global or
 * deep. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif
#include "plugin.h"

#include <pthread.h>
#include <string.h>

enum { LOADERS = 3, ROUNDS = 15 };

static int flag;
static const char *path;
static int done;

static void check(int ok, const char *what) {
    if (!ok) {
        fprintf(stderr, "%s\n", what);
        exit(1);
    }
}

static void *load(void *number) {
    char copy[4096];
    snprintf(copy, sizeof copy, "%s.%d", path, *(int *)number);
    for (int i = 0; i < ROUNDS; i++) {
        struct plugin plugin = plugin_load(copy, flag);
        int size = 1 + (i + *(int *)number) % 4;
        check(plugin.rounds() == 0, "a plugin was not unloaded");
        check(plugin.region(size) == plugin_members(size), "a region is wrong");
        check(plugin.region(4) == plugin_members(4), "a second region is wrong");
        check(plugin.rounds() == 2, "a plugin's own variable is wrong");
        check(dlclose(plugin.library) == 0, "dlclose failed");
    }
    return NULL;
}

static void *stay(void *staying) {
    struct plugin plugin = plugin_load(staying, flag);
    while (!__atomic_load_n(&done, __ATOMIC_RELAXED))
        check(plugin.region(3) == plugin_members(3), "a region that goes on is wrong");
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t staying, loaders[LOADERS];
    int numbers[LOADERS];
    check(argc == 4, "usage: copies_plugins FLAG PLUGIN STAYING");
    flag = strcmp(argv[1], "global") == 0 ? RTLD_GLOBAL
           : strcmp(argv[1], "deep") == 0 ? RTLD_DEEPBIND
                                          : RTLD_LOCAL;
    path = argv[2];
    check(pthread_create(&staying, NULL, stay, argv[3]) == 0, "no thread");
    for (int i = 0; i < LOADERS; i++) {
        numbers[i] = i + 1;
        check(pthread_create(&loaders[i], NULL, load, &numbers[i]) == 0, "no thread");
    }
    for (int i = 0; i < LOADERS; i++)
        pthread_join(loaders[i], NULL);
    __atomic_store_n(&done, 1, __ATOMIC_RELAXED);
    pthread_join(staying, NULL);
    printf("%d plugins\n", LOADERS * ROUNDS);
    return 0;
}
