/* attach.c: --attach. The debugger stops the process, prints, and lets it go on. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "run/modes.h"
#include "run/say.h"

/* In an installation, and in a build tree. */
static const char *script(void) {
    static const char *const places[] = {RUN_DATADIR "/blitz/blitz-gdb.py", "../share/blitz/blitz-gdb.py"};
    const char *own = run_own_folder();
    for (int i = 0; own && i < 2; i++) {
        char *path = run_text("%s/%s", own, places[i]);
        if (access(path, R_OK) == 0)
            return path;
    }
    run_fail(RUN_FAILED, "no blitz-gdb.py in %s/%s; reinstall Blitz", own ? own : "?", places[0]);
}

int run_attach(const struct run_options *options) {
    if (kill(options->process, 0) != 0 && errno == ESRCH)
        run_fail(RUN_FAILED, "--attach=%d: no such process", (int)options->process);
    const char *attach = run_text("python blitz_attach(%d)", (int)options->process);
    (void)execlp("gdb", "gdb", "-q", "-nx", "-batch", "-iex", "set debuginfod enabled off", "-iex",
                 "set pagination off", "-x", script(), "-ex", attach, (char *)NULL);
    run_fail(RUN_FAILED, "--attach needs gdb, which cannot be started (%s): install the package gdb",
             strerror(errno));
}
