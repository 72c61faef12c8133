/* options.c: see options.h. */
#include "run/options.h"

#include <getopt.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/say.h"
#include "run/values.h"

#define RUNS 5
#define RUNS_MAX 1000

static const char help[] =
    "Usage: blitz-run [OPTION]... PROGRAM [ARGUMENT]...\n"
    "       blitz-run --check --folder FOLDER\n"
    "       blitz-run --attach PID\n"
    "Runs an existing OpenMP program of GCC's, LLVM's or Intel's compilers on Blitz.\n"
    "\n"
    "  -n, --threads N         threads of a region; N,M,... for nested regions\n"
    "      --places PLACES     where threads may run: cores, sockets, {0,1},{2,3}\n"
    "      --bind POLICY       true, false, close, spread, primary\n"
    "      --stats[=FILE.json] at the end, print statistics and hints, or write them as JSON\n"
    "      --trace FILE.json   write a timeline for Perfetto and Chrome\n"
    "      --report FILE.html  write the timeline as a page for a browser\n"
    "      --watchdog SECONDS  if nothing moves for that long, print where each thread waits\n"
    "      --check             run nothing; print which library serves each OpenMP function\n"
    "      --folder FOLDER     with --check: print which OpenMP runtimes below it are served\n"
    "      --compare           run under its own runtime and under Blitz, and compare\n"
    "      --runs N            with --compare: runs under each; default 5\n"
    "      --attach PID        print where the threads of a process are; needs gdb\n"
    "      --library PATH      the library or its folder; default BLITZ_LIB\n"
    "      --version           print the version and the library\n"
    "  -h, --help              print this help\n"
    "\n"
    "The exit status is the program's; 125 if blitz-run fails or cannot serve the program, 126 if\n"
    "the program cannot be executed, 127 if it is not found. More: man blitz-run\n";

enum {
    PLACES = 256,
    BIND,
    STATS,
    TRACE,
    REPORT,
    WATCHDOG,
    CHECK,
    FOLDER,
    COMPARE,
    RUNS_OF,
    ATTACH,
    LIBRARY,
    VERSION
};

static const struct option table[] = {{"threads", required_argument, NULL, 'n'},
                                      {"places", required_argument, NULL, PLACES},
                                      {"bind", required_argument, NULL, BIND},
                                      {"stats", optional_argument, NULL, STATS},
                                      {"trace", required_argument, NULL, TRACE},
                                      {"report", required_argument, NULL, REPORT},
                                      {"watchdog", required_argument, NULL, WATCHDOG},
                                      {"check", no_argument, NULL, CHECK},
                                      {"folder", required_argument, NULL, FOLDER},
                                      {"compare", no_argument, NULL, COMPARE},
                                      {"runs", required_argument, NULL, RUNS_OF},
                                      {"attach", required_argument, NULL, ATTACH},
                                      {"library", required_argument, NULL, LIBRARY},
                                      {"version", no_argument, NULL, VERSION},
                                      {"help", no_argument, NULL, 'h'},
                                      {NULL, 0, NULL, 0}};

/* A later value replaces an earlier one. */
static void set(struct run_options *options, const char *variable, const char *value) {
    int i = 0;
    while (i < options->settings_count && strcmp(options->settings[i].variable, variable) != 0)
        i++;
    options->settings[i].variable = variable;
    options->settings[i].value = value;
    options->settings_count += i == options->settings_count;
}

static const char *get(const struct run_options *options, const char *variable) {
    for (int i = 0; i < options->settings_count; i++)
        if (strcmp(options->settings[i].variable, variable) == 0)
            return options->settings[i].value;
    return NULL;
}

static void choose(struct run_options *options, enum run_mode mode) {
    if (options->mode != RUN_PROGRAM && options->mode != mode)
        run_fail(RUN_FAILED, "--check, --compare and --attach exclude each other");
    options->mode = mode;
}

/* Both forms of the timeline are one variable. */
static void take_trace(struct run_options *options, int form, const char *value) {
    if (options->trace && options->trace != form)
        run_fail(RUN_FAILED, "--trace and --report exclude each other: a run writes one of them");
    options->trace = form;
    set(options, "BLITZ_TRACE",
        form == TRACE ? run_file("--trace", value, ".json") : run_file("--report", value, ".html"));
}

/* Options that set a variable. */
static void take_setting(struct run_options *options, int option, const char *value) {
    switch (option) {
    case 'n':
        return set(options, "OMP_NUM_THREADS", value);
    case PLACES:
        return set(options, "OMP_PLACES", value);
    case BIND:
        return set(options, "OMP_PROC_BIND", value);
    case STATS:
        return set(options, "BLITZ_STATS", value ? run_file("--stats", value, ".json") : "1");
    case TRACE:
    case REPORT:
        return take_trace(options, option, value);
    case WATCHDOG:
        return set(options, "BLITZ_WATCHDOG", value);
    default:
        break;
    }
}

static void take_mode(struct run_options *options, int option, const char *value) {
    switch (option) {
    case CHECK:
        choose(options, RUN_CHECK);
        break;
    case FOLDER:
        options->folder = value;
        break;
    case COMPARE:
        choose(options, RUN_COMPARE);
        break;
    case RUNS_OF:
        options->runs = (int)run_number("--runs", value, 1, RUNS_MAX);
        break;
    case ATTACH:
        choose(options, RUN_ATTACH);
        options->process = (pid_t)run_number("--attach", value, 1, INT_MAX);
        break;
    case LIBRARY:
        options->library = value;
        break;
    case VERSION:
        options->mode = RUN_VERSION;
        break;
    default:
        break;
    }
}

/* Reports an error of getopt_long(). */
_Noreturn static void refuse(int option, char **argv) {
    const char *word = argv[optind - 1];
    if (option == ':')
        run_fail(RUN_FAILED, "option %s needs a value", optopt == 'n' && word[1] != '-' ? "-n" : word);
    if (optopt > 0 && optopt < PLACES && optopt != 'h')
        run_fail(RUN_FAILED, "unknown option -%c; blitz-run --help lists them", optopt);
    if (optopt > 0)
        run_fail(RUN_FAILED, "option %.*s takes no value", (int)strcspn(word, "="), word);
    run_fail(RUN_FAILED, "unknown option %s; blitz-run --help lists them", word);
}

static void check_combination(struct run_options *options, int runs_said) {
    options->wants_report =
        get(options, "BLITZ_STATS") || get(options, "BLITZ_TRACE") || get(options, "BLITZ_WATCHDOG");
    if (options->wants_report && options->mode != RUN_PROGRAM && options->mode != RUN_VERSION)
        run_fail(RUN_FAILED, "--stats, --trace, --report and --watchdog cannot be combined with --check, "
                             "--compare or --attach");
    if (runs_said && options->mode != RUN_COMPARE && options->mode != RUN_VERSION)
        run_fail(RUN_FAILED, "--runs is for --compare");
    if (options->folder && options->mode != RUN_CHECK && options->mode != RUN_VERSION)
        run_fail(RUN_FAILED, "--folder is for --check");
    bool runs = !options->folder && options->mode != RUN_ATTACH && options->mode != RUN_VERSION;
    if (options->folder && *options->program)
        run_fail(RUN_FAILED, "--folder takes no program, but there is '%s'", *options->program);
    if (runs && !*options->program)
        run_fail(RUN_FAILED, "no program given; blitz-run --help shows how it is used");
    if (options->mode == RUN_ATTACH && *options->program)
        run_fail(RUN_FAILED, "--attach takes no program: '%s'", *options->program);
}

struct run_options run_options(int argc, char **argv) {
    struct run_options options = {0};
    int option;
    opterr = 0;
    while ((option = getopt_long(argc, argv, "+:n:h", table, NULL)) != -1) {
        if (option == '?' || option == ':')
            refuse(option, argv);
        if (option == 'h') {
            (void)fputs(help, stdout);
            exit(fflush(stdout) == 0 ? EXIT_SUCCESS : RUN_FAILED);
        }
        take_setting(&options, option, optarg);
        take_mode(&options, option, optarg);
    }
    options.program = argv + optind;
    check_combination(&options, options.runs);
    options.runs = options.runs ? options.runs : RUNS;
    return options;
}
