/* plugin.h: uses of plugins (plugin.c) by the programs of this folder. */
#ifndef PLUGIN_H
#define PLUGIN_H

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

struct plugin {
    void *library;
    int (*region)(int);
    int (*rounds)(void);
    int (*max_threads)(void);
    void (*set_threads)(int);
    const char *(*served_by)(void);
    const char *(*asks)(void);
};

static void *plugin_symbol(void *library, const char *name) {
    void *symbol = dlsym(library, name);
    if (symbol == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(2);
    }
    return symbol;
}

static struct plugin plugin_load(const char *path, int flags) {
    struct plugin plugin = {.library = dlopen(path, RTLD_NOW | flags)};
    if (plugin.library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(2);
    }
    *(void **)&plugin.region = plugin_symbol(plugin.library, "plugin_region");
    *(void **)&plugin.rounds = plugin_symbol(plugin.library, "plugin_rounds");
    *(void **)&plugin.max_threads = plugin_symbol(plugin.library, "plugin_max_threads");
    *(void **)&plugin.set_threads = plugin_symbol(plugin.library, "plugin_set_threads");
    *(void **)&plugin.served_by = plugin_symbol(plugin.library, "plugin_served_by");
    *(void **)&plugin.asks = plugin_symbol(plugin.library, "plugin_asks");
    return plugin;
}

/* The expected result of region(n). */
static int plugin_members(int n) {
    return n * 1000 + (1 << n) - 1;
}

/* Threads of the process. */
static inline int plugin_threads(void) {
    DIR *tasks = opendir("/proc/self/task");
    int count = 0;
    for (struct dirent *entry; (entry = readdir(tasks)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(tasks);
    return count;
}

#endif
