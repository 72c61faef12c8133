/* A C program without OpenMP or the C++ runtime; its plugin, PLUGIN, loads these. Exits with the plugin's result. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
    void *plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    int (*run)(void) = plugin ? (int (*)(void))dlsym(plugin, "run") : NULL;
    if (!run) {
        puts("no plugin");
        return 2;
    }
    return run();
}
