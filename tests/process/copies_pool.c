/* copies_pool.c [-deep] PLUGIN...: uses the plugins one after the other from one thread, and then all at once, each
 * from its own thread. Prints the library that serves each, the number of threads after its first region, and the
 * number that it requests, after the previous plugin has set that to 10 and its own number. Finally prints the loaded
 * OpenMP libraries. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif
#include "plugin.h"

#include <pthread.h>
#include <string.h>

enum { MAX_PLUGINS = 8, SIZE = 4 };

static void *use(void *arg) {
    struct plugin *plugin = arg;
    for (int i = 0; i < 50; i++) {
        int size = 1 + i % SIZE;
        if (plugin->region(size) != plugin_members(size)) {
            fprintf(stderr, "a region of %d is wrong\n", size);
            exit(1);
        }
    }
    return NULL;
}

static const char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static void show_libraries(void) {
    char line[4096];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps) != NULL) {
        const char *name = name_of(line);
        if (strstr(line, " r-xp ") != NULL && strstr(name, "omp") != NULL)
            printf("loaded: %s", name);
    }
    fclose(maps);
}

int main(int argc, char **argv) {
    struct plugin plugins[MAX_PLUGINS];
    pthread_t threads[MAX_PLUGINS];
    int first = argc > 1 && strcmp(argv[1], "-deep") == 0 ? 2 : 1;
    int count = 0;
    for (int i = first; i < argc && count < MAX_PLUGINS; i++)
        plugins[count++] = plugin_load(argv[i], first == 2 ? RTLD_DEEPBIND : 0);
    for (int i = 0; i < count; i++) {
        int members = plugins[i].region(SIZE);
        printf("%s: %s, served by %s, asks %s, %d threads, wants %d\n", name_of(argv[first + i]),
               members == plugin_members(SIZE) ? "right" : "wrong", name_of(plugins[i].served_by()),
               name_of(plugins[i].asks()), plugin_threads(), plugins[i].max_threads());
        plugins[i].set_threads(10 + i);
    }
    for (int i = 0; i < count; i++)
        if (pthread_create(&threads[i], NULL, use, &plugins[i]) != 0)
            return 2;
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    show_libraries();
    return 0;
}
