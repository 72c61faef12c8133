/* copies_static_tls.c PLUGIN FILLER...: loads fillers, which take 128 bytes of static thread-local memory each, until no
 * more has room, and then a plugin with OpenMP. With -DFILLER, such a filler. */
#ifdef FILLER
static __thread char block[128] __attribute__((tls_model("initial-exec")));
char *filler(void);

char *filler(void) {
    return block;
}
#else
#    include "plugin.h"

int main(int argc, char **argv) {
    int loaded = 0;
    while (loaded + 2 < argc && dlopen(argv[loaded + 2], RTLD_NOW) != NULL)
        loaded++;
    if (argc < 2 || loaded + 2 >= argc) {
        printf("%d fillers are not enough\n", loaded);
        return 2;
    }
    struct plugin plugin = plugin_load(argv[1], 0);
    printf("served by %s: %s\n", plugin.served_by(),
           plugin.region(4) == plugin_members(4) ? "right" : "wrong");
    return 0;
}
#endif
