/* exit_plugins.c FIRST SECOND: loads two plugins that use OpenMP when they are loaded and unloaded. The first is
 * unloaded at once, the second at the exit of the program, which uses it until then. */
#include "plugin.h"

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    struct plugin first = plugin_load(argv[1], 0);
    dlclose(first.library);
    struct plugin second = plugin_load(argv[2], 0);
    printf("used: %d\n", second.region(4));
    fflush(stdout);
    exit(3);
}
