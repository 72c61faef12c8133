/* options.c: see options.h. */
#include "run/options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/say.h"

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

/* ---- values that this command uses itself; the library checks those that it reads ---- */

static long number_of(const char *option, const char *value, long least, long most) {
    char *end;
    errno = 0;
    long number = strtol(value, &end, 10);
    if (end == value || *end || errno != 0 || number < least || number > most)
        run_fail(RUN_FAILED, "%s=%s: not a number from %ld to %ld", option, value, least, most);
    return number;
}

/* Escapes percent signs for a pattern. */
static char *escaped(const char *folder) {
    char *text = run_text("%s", "");
    for (; *folder; folder++)
        text = run_text("%s%c%s", text, *folder, *folder == '%' ? "%" : "");
    return text;
}

/* A file name with the suffix, which may contain %p and %r for the process and its rank, and must be writable. Returns an
 * absolute path, since the program may change its folder. */
static const char *file_of(const char *option, const char *value, const char *suffix) {
    const char *slash = strrchr(value, '/');
    const char *name = slash ? slash + 1 : value;
    size_t length = strlen(name), ending = strlen(suffix);
    if (length <= ending || strcasecmp(name + length - ending, suffix) != 0)
        run_fail(RUN_FAILED, "%s=%s: not the name of a file that ends with %s", option, value, suffix);
    const char *folder = !slash ? "." : slash == value ? "/" : run_text("%.*s", (int)(slash - value), value);
    char *whole = realpath(folder, NULL);
    char *path = whole ? run_text("%s%s%s", whole, strcmp(whole, "/") == 0 ? "" : "/", name) : NULL;
    struct stat about;
    bool exists = path && !strchr(name, '%') && stat(path, &about) == 0;
    int error = !path ? errno : exists && S_ISDIR(about.st_mode) ? EISDIR : 0;
    if (error == 0 && access(exists ? path : whole, W_OK) != 0)
        error = errno;
    if (error != 0)
        run_fail(RUN_FAILED, "%s=%s: cannot be written: %s", option, value, strerror(error));
    return run_text("%s%s%s", strcmp(whole, "/") == 0 ? "" : escaped(whole), "/", name);
}

/* ---- options ---- */

/* For the program: the environment is its own when this command becomes it. A later value replaces an earlier one. */
static void set(const char *variable, const char *value) {
    if (setenv(variable, value, 1) != 0)
        run_fail(RUN_FAILED, "cannot set %s: %s", variable, strerror(errno));
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
    set("BLITZ_TRACE",
        form == TRACE ? file_of("--trace", value, ".json") : file_of("--report", value, ".html"));
}

/* Options that set a variable. */
static void take_setting(struct run_options *options, int option, const char *value) {
    options->wants_report |= option == STATS || option == TRACE || option == REPORT || option == WATCHDOG;
    switch (option) {
    case 'n':
        return set("OMP_NUM_THREADS", value);
    case PLACES:
        return set("OMP_PLACES", value);
    case BIND:
        return set("OMP_PROC_BIND", value);
    case STATS:
        return set("BLITZ_STATS", value ? file_of("--stats", value, ".json") : "1");
    case TRACE:
    case REPORT:
        return take_trace(options, option, value);
    case WATCHDOG:
        return set("BLITZ_WATCHDOG", value);
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
        options->runs = (int)number_of("--runs", value, 1, RUNS_MAX);
        break;
    case ATTACH:
        choose(options, RUN_ATTACH);
        options->process = (pid_t)number_of("--attach", value, 1, INT_MAX);
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
