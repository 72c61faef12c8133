/* main.c: blitz-run runs a finished OpenMP program on Blitz. It inspects the program, sets the environment that loads the
 * library, and becomes the program, so that status, signals, input and job control are the program's own. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/modes.h"
#include "run/say.h"

static int version(const struct run_options *options) {
    struct run_library library = run_library_find(options->library);
    printf("blitz-run %s, library %s\n", RUN_VERSION_TEXT, library.file);
    return fflush(stdout) == 0 ? EXIT_SUCCESS : RUN_FAILED;
}

/* The first use of OpenMP or blitz.h loads the tools: without one, there is no report. */
static void check_reports(const struct run_options *options, const struct run_program *program,
                          const struct run_library *library, enum run_demand demand) {
    if (!options->wants_report)
        return;
    if (demand == RUN_NEVER)
        run_fail(RUN_FAILED,
                 "%s and its libraries use neither OpenMP nor blitz.h: there is nothing to report",
                 program->name);
    if (!run_library_has_tools(library))
        run_fail(RUN_FAILED, "no %s in %s: --stats, --trace, --report and --watchdog need it", RUN_TOOLS,
                 library->folder);
    if (demand == RUN_MAY_LOAD)
        run_say("%s has no OpenMP in it: a report is made only if what it loads or starts has",
                program->name);
}

_Noreturn static void run(const struct run_options *options, const struct run_program *program,
                          const struct run_library *library, const struct run_route *route) {
    check_reports(options, program, library, route->demand);
    if (route->demand == RUN_NEVER)
        run_say("%s has no OpenMP in it, and neither have its libraries: it runs as it is", program->name);
    else
        run_change(route->changes);
    run_program_execute(program, options->program);
}

int main(int argc, char **argv) {
    struct run_options options = run_options(argc, argv);
    if (options.mode == RUN_VERSION)
        return version(&options);
    if (options.mode == RUN_ATTACH)
        return run_attach(&options);
    run_child_signal_take();
    struct run_library library = run_library_find(options.library);
    if (options.folder)
        return run_check_folder(options.folder, &library);
    struct run_program program = run_program_find(options.program[0]);
    run_program_refuse(&program);
    struct run_route route = run_route(&program, &library);
    if (options.mode == RUN_COMPARE && (route.demand == RUN_NEVER || route.demand == RUN_NATIVE))
        run_fail(RUN_FAILED, "%s has no OpenMP in it, and neither have its libraries: nothing to compare",
                 program.name);
    int status = EXIT_SUCCESS;
    if (options.mode == RUN_CHECK)
        status = run_check(&program, &library, &route);
    else if (options.mode == RUN_COMPARE)
        status = run_compare(&options, &program, &route);
    else
        run(&options, &program, &library, &route);
    if (fflush(stdout) != 0)
        run_fail(RUN_FAILED, "cannot write: %s", strerror(errno));
    return status;
}
