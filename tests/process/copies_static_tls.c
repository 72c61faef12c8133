/* copies_static_tls.c: loads a plugin with OpenMP when little static thread-local memory is left.
 *
 *   program FILLER...          loads fillers until one has no room, and prints their number
 *   program -p PLUGIN FILLER...   loads them all, and then the plugin
 *
 * With -DFILLER=N, a filler that takes N bytes. */
#ifdef FILLER
static __thread char block[FILLER] __attribute__((tls_model("initial-exec"), aligned(8)));
char *filler(void);

char *filler(void) {
    return block;
}
#else
#    include <string.h>

#    include "plugin.h"

int main(int argc, char **argv) {
    int first = argc > 2 && strcmp(argv[1], "-p") == 0 ? 3 : 1, loaded = first;
    while (loaded < argc && dlopen(argv[loaded], RTLD_NOW) != NULL)
        loaded++;
    if (first == 1) {
        printf("%d\n", loaded - first);
        return 0;
    }
    if (loaded < argc) {
        printf("only %d fillers have room\n", loaded - first);
        return 2;
    }
    struct plugin plugin = plugin_load(argv[2], 0);
    printf("served by %s: %s\n", plugin.served_by(),
           plugin.region(4) == plugin_members(4) ? "right" : "wrong");
    return 0;
}
#endif
