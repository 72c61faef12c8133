/* folder.c: --check --folder. Lists the OpenMP runtimes below a folder, such as a virtual environment whose wheels have
 * renamed copies, and whether the preloaded library serves their functions. Nothing there runs. */
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/modes.h"
#include "run/say.h"

#define OPEN_FOLDERS 16

/* The compilers' own calls: other names of OpenMP may belong to any library. */
static const char *const calls[] = {"GOMP_", "GOACC_", "__kmpc_", NULL};

/* Static, because nftw() passes no argument. */
static struct {
    struct run_object own;
    size_t start; /* of a path, after the folder's name */
    size_t copies, served, lacking;
} all;

static const char *verdict(const struct run_object *object, enum run_serves serves) {
    if (object->kind == RUN_OTHER_MACHINE)
        return run_text("not served: for %s", object->machine);
    if (serves == RUN_SERVES_INSIDE)
        return "not served: linked into the file";
    all.served++;
    return "served";
}

static void check_file(const char *path) {
    struct run_object object = run_object_open(path);
    enum run_serves serves = run_serves(&object);
    if (serves != RUN_SERVES_NOT) {
        all.copies++;
        printf("%s  %s  %s\n", path + all.start, run_runtime_of(&object), verdict(&object, serves));
    } else {
        const char *name = run_object_lacks(&all.own, &object, calls);
        if (name) {
            all.lacking++;
            printf("%s  needs %s, which Blitz does not have\n", path + all.start, name);
        }
    }
    run_object_close(&object);
}

static int visit(const char *path, const struct stat *about, int type, struct FTW *where) {
    (void)about;
    if (type == FTW_F && strstr(path + where->base, ".so"))
        check_file(path);
    return 0;
}

int run_check_folder(const char *folder, const struct run_library *library) {
    all.own = run_object_open(library->file);
    all.start = strlen(folder);
    all.start += all.start > 0 && folder[all.start - 1] != '/';
    if (nftw(folder, visit, OPEN_FOLDERS, FTW_PHYS) != 0)
        run_fail(RUN_FAILED, "cannot read the folder '%s': %s", folder, strerror(errno));
    run_object_close(&all.own);
    if (all.copies == 0 && all.lacking == 0)
        printf("no OpenMP runtime in %s\n", folder);
    else
        printf("%zu of %zu OpenMP runtimes are served by Blitz, %s\n", all.served, all.copies, library->file);
    return all.served == all.copies && all.lacking == 0 ? EXIT_SUCCESS : RUN_DIFFERS;
}
