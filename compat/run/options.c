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

#include "run/object.h"
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

/* ---- values that this command uses itself; the library checks those that it reads ---- */

static long number_of(const char *option, const char *value, long least, long most) {
    char *end;
    errno = 0;
    long number = strtol(value, &end, 10);
    if (end == value || *end || errno != 0 || number < least || number > most)
        run_fail(RUN_FAILED, "--%s=%s: not a number from %ld to %ld", option, value, least, most);
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
    const char *name = run_base(value);
    size_t length = strlen(name), ending = strlen(suffix);
    if (length <= ending || strcasecmp(name + length - ending, suffix) != 0)
        run_fail(RUN_FAILED, "--%s=%s: not the name of a file that ends with %s", option, value, suffix);
    char *whole = realpath(run_folder(value), NULL);
    char *path = whole ? run_text("%s%s%s", whole, strcmp(whole, "/") == 0 ? "" : "/", name) : NULL;
    struct stat about;
    bool exists = path && !strchr(name, '%') && stat(path, &about) == 0;
    int error = !path ? errno : exists && S_ISDIR(about.st_mode) ? EISDIR : 0;
    if (error == 0 && access(exists ? path : whole, W_OK) != 0)
        error = errno;
    if (error != 0)
        run_fail(RUN_FAILED, "--%s=%s: cannot be written: %s", option, value, strerror(error));
    return run_text("%s%s%s", strcmp(whole, "/") == 0 ? "" : escaped(whole), "/", name);
}

/* ---- options ---- */

struct choice {
    const char *name;
    int argument; /* no_argument and so on */
    void (*take)(struct run_options *options, const struct choice *choice, const char *value);
    const char *variable; /* that it sets in the environment */
    const char *suffix;   /* of the file that its value names; NULL: its value is none */
    enum run_mode mode;   /* that it chooses */
    int letter;           /* its short form */
};

/* For the program: the environment is its own when this command becomes it. A later value replaces an earlier one. */
static void set(const char *variable, const char *value) {
    if (setenv(variable, value, 1) != 0)
        run_fail(RUN_FAILED, "cannot set %s: %s", variable, strerror(errno));
}

static void take_setting(struct run_options *options, const struct choice *choice, const char *value) {
    (void)options;
    set(choice->variable, value);
}

static void take_report(struct run_options *options, const struct choice *choice, const char *value) {
    options->wants_report = true;
    if (choice->suffix)
        value = value ? file_of(choice->name, value, choice->suffix) : "1";
    set(choice->variable, value);
}

/* Both forms of the timeline are one variable. */
static void take_timeline(struct run_options *options, const struct choice *choice, const char *value) {
    if (options->timeline && options->timeline != choice->name)
        run_fail(RUN_FAILED, "--trace and --report exclude each other: a run writes one of them");
    options->timeline = choice->name;
    take_report(options, choice, value);
}

static void take_mode(struct run_options *options, const struct choice *choice, const char *value) {
    bool excludes = options->mode != RUN_PROGRAM && options->mode != choice->mode;
    if (excludes && choice->mode != RUN_VERSION)
        run_fail(RUN_FAILED, "--check, --compare and --attach exclude each other");
    options->mode = choice->mode;
    if (choice->mode == RUN_ATTACH)
        options->process = (pid_t)number_of(choice->name, value, 1, INT_MAX);
}

static void take_runs(struct run_options *options, const struct choice *choice, const char *value) {
    options->runs = (int)number_of(choice->name, value, 1, RUNS_MAX);
}

static void take_folder(struct run_options *options, const struct choice *choice, const char *value) {
    (void)choice;
    options->folder = value;
}

static void take_library(struct run_options *options, const struct choice *choice, const char *value) {
    (void)choice;
    options->library = value;
}

_Noreturn static void take_help(struct run_options *options, const struct choice *choice, const char *value) {
    (void)options, (void)choice, (void)value;
    (void)fputs(help, stdout);
    exit(fflush(stdout) == 0 ? EXIT_SUCCESS : RUN_FAILED);
}

/* clang-format off */
static const struct choice choices[] = {
    {"threads", required_argument, .take = take_setting, .variable = "OMP_NUM_THREADS", .letter = 'n'},
    {"places", required_argument, .take = take_setting, .variable = "OMP_PLACES"},
    {"bind", required_argument, .take = take_setting, .variable = "OMP_PROC_BIND"},
    {"stats", optional_argument, .take = take_report, .variable = "BLITZ_STATS", .suffix = ".json"},
    {"trace", required_argument, .take = take_timeline, .variable = "BLITZ_TRACE", .suffix = ".json"},
    {"report", required_argument, .take = take_timeline, .variable = "BLITZ_TRACE", .suffix = ".html"},
    {"watchdog", required_argument, .take = take_report, .variable = "BLITZ_WATCHDOG"},
    {"check", no_argument, .take = take_mode, .mode = RUN_CHECK},
    {"folder", required_argument, .take = take_folder},
    {"compare", no_argument, .take = take_mode, .mode = RUN_COMPARE},
    {"runs", required_argument, .take = take_runs},
    {"attach", required_argument, .take = take_mode, .mode = RUN_ATTACH},
    {"library", required_argument, .take = take_library},
    {"version", no_argument, .take = take_mode, .mode = RUN_VERSION},
    {"help", no_argument, .take = take_help, .letter = 'h'},
};
/* clang-format on */
enum { CHOICES = sizeof choices / sizeof *choices, LETTERS = 256 };

/* Reports an error of getopt_long(). */
_Noreturn static void refuse(int option, char **argv) {
    const char *word = argv[optind - 1];
    if (option == ':')
        run_fail(RUN_FAILED, "option %s needs a value", optopt == 'n' && word[1] != '-' ? "-n" : word);
    if (optopt > 0 && optopt < LETTERS && optopt != 'h')
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
    struct option table[CHOICES + 1] = {{0}};
    int option;
    for (int i = 0; i < CHOICES; i++)
        table[i] = (struct option){choices[i].name, choices[i].argument, NULL,
                                   choices[i].letter ? choices[i].letter : LETTERS + i};
    opterr = 0;
    while ((option = getopt_long(argc, argv, "+:n:h", table, NULL)) != -1) {
        if (option == '?' || option == ':')
            refuse(option, argv);
        int i = 0;
        while (table[i].val != option)
            i++;
        choices[i].take(&options, &choices[i], optarg);
    }
    options.program = argv + optind;
    check_combination(&options, options.runs);
    options.runs = options.runs ? options.runs : RUNS;
    return options;
}
