/* compare.c: --compare. Runs under the two runtimes alternate, so that other load disturbs both alike. Each gets the same
 * input. Unnamed files keep the output; that of each side's first run stays. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "run/files.h"
#include "run/modes.h"
#include "run/say.h"

#define ERROR_LINES 5    /* of stderr, printed for a failed run */
#define INPUT_LIMIT 1000 /* milliseconds without input; then a line says that the command reads it */

/* A file with a byte for each child that failed before it became the program. */
static int failures;

/* The program under one runtime. */
struct side {
    const char *name;
    run_changes changes;
    double *wall, *cpu; /* seconds of each run */
    int status;         /* of the first run, from waitpid() */
    int output, errors; /* of the first run: files */
    bool status_varies, output_varies;
};

/* ---- files ---- */

static bool copy(int from, int to) {
    char block[65536];
    for (;;) {
        ssize_t got = read(from, block, sizeof block);
        if (got == 0 || (got < 0 && errno != EINTR))
            return got == 0;
        for (ssize_t done = 0; done < got;) {
            ssize_t written = write(to, block + done, (size_t)(got - done));
            if (written < 0 && errno != EINTR)
                return false;
            done += written > 0 ? written : 0;
        }
    }
}

struct input {
    int file;
    off_t begin; /* where the program starts to read */
};

/* A file is read again from its position; a pipe is copied. A terminal is not read. */
static struct input keep_input(void) {
    struct input input = {STDIN_FILENO, 0};
    struct stat about;
    bool is_file = fstat(STDIN_FILENO, &about) == 0 && S_ISREG(about.st_mode);
    if (is_file) {
        input.begin = lseek(STDIN_FILENO, 0, SEEK_CUR);
        return input;
    }
    bool is_pipe = !isatty(STDIN_FILENO) && fcntl(STDIN_FILENO, F_GETFD) >= 0;
    struct pollfd pipe = {.fd = STDIN_FILENO, .events = POLLIN};
    input.file = run_nameless_file();
    if (is_pipe && poll(&pipe, 1, INPUT_LIMIT) == 0)
        run_say("reading standard input to its end; use < /dev/null if the program needs none");
    if (is_pipe && !copy(STDIN_FILENO, input.file))
        run_fail(RUN_FAILED, "cannot save standard input: %s", strerror(errno));
    return input;
}

/* The offset of the first difference, and its line number; -1: none. */
static off_t difference(int one, int other, unsigned long *line) {
    char a[65536], b[sizeof a];
    *line = 1;
    for (off_t at = 0;; at += (off_t)sizeof a) {
        ssize_t first = pread(one, a, sizeof a, at), second = pread(other, b, sizeof b, at);
        ssize_t both = first < second ? first : second;
        for (ssize_t i = 0; i < both; i++) {
            if (a[i] != b[i])
                return at + i;
            *line += a[i] == '\n';
        }
        if (first != second)
            return at + (both > 0 ? both : 0);
        if (first < (ssize_t)sizeof a)
            return -1;
    }
}

/* ---- runs ---- */

static double seconds(struct timeval time) {
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static void note_failure(void) {
    (void)!write(failures, "", 1);
}

_Noreturn static void become(const struct side *side, const struct run_program *program, char **argv,
                             const struct input *input, const int files[2]) {
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    (void)atexit(note_failure);
    run_change(side->changes);
    if (lseek(input->file, input->begin, SEEK_SET) < 0 || dup2(input->file, STDIN_FILENO) < 0 ||
        dup2(files[0], STDOUT_FILENO) < 0 || dup2(files[1], STDERR_FILENO) < 0)
        run_fail(RUN_FAILED, "cannot redirect the program's input and output: %s", strerror(errno));
    run_program_execute(program, argv);
}

/* Runs the program once. Returns its status, and its output in files[]. */
static int run_once(struct side *side, int number, const struct run_program *program, char **argv,
                    const struct input *input, int files[2]) {
    struct timespec begin, end;
    struct rusage used;
    int status;
    files[0] = run_nameless_file();
    files[1] = run_nameless_file();
    (void)clock_gettime(CLOCK_MONOTONIC, &begin);
    pid_t child = fork();
    if (child < 0)
        run_fail(RUN_FAILED, "cannot start the program: %s", strerror(errno));
    if (child == 0)
        become(side, program, argv, input, files);
    while (wait4(child, &status, 0, &used) < 0)
        if (errno != EINTR)
            run_fail(RUN_FAILED, "cannot wait for the program: %s", strerror(errno));
    (void)clock_gettime(CLOCK_MONOTONIC, &end);
    side->wall[number] = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
    side->cpu[number] = seconds(used.ru_utime) + seconds(used.ru_stime);
    return status;
}

/* Compares the run with the side's first one, or keeps it as that. */
static void take_in(struct side *side, int number, int status, const int files[2]) {
    unsigned long line;
    if (number == 0) {
        side->status = status;
        side->output = files[0];
        side->errors = files[1];
        return;
    }
    side->status_varies |= status != side->status;
    side->output_varies |= difference(side->output, files[0], &line) >= 0;
    (void)close(files[0]);
    (void)close(files[1]);
}

/* The messages and the status of a failed run become those of blitz-run. */
static void end_if_failed(int status, int errors) {
    if (lseek(failures, 0, SEEK_END) == 0)
        return;
    (void)lseek(errors, 0, SEEK_SET);
    (void)copy(errors, STDERR_FILENO);
    exit(WIFEXITED(status) ? WEXITSTATUS(status) : RUN_FAILED);
}

static void run_all(struct side sides[2], int runs, const struct run_program *program, char **argv) {
    struct input input = keep_input();
    failures = run_memory_file();
    for (int i = 0; i < 2; i++) {
        sides[i].wall = run_take((size_t)runs * sizeof(double));
        sides[i].cpu = run_take((size_t)runs * sizeof(double));
    }
    for (int n = 0; n < 2 * runs; n++) {
        struct side *side = &sides[n % 2];
        int files[2];
        int status = run_once(side, n / 2, program, argv, &input, files);
        end_if_failed(status, files[1]);
        take_in(side, n / 2, status, files);
    }
}

/* ---- results ---- */

static int by_size(const void *one, const void *other) {
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

static double median(double *numbers, int count) {
    qsort(numbers, (size_t)count, sizeof *numbers, by_size);
    return (numbers[(count - 1) / 2] + numbers[count / 2]) / 2;
}

static void print_times(struct side sides[2], int runs) {
    double wall[2], cpu[2];
    printf("%-12s  %12s  %-25s  %12s\n", "", "wall time", "  least to greatest", "CPU time");
    for (int i = 0; i < 2; i++) {
        wall[i] = median(sides[i].wall, runs);
        cpu[i] = median(sides[i].cpu, runs);
        printf("%-12s  %10.4f s  %10.4f to %8.4f s  %10.4f s\n", sides[i].name, wall[i], sides[i].wall[0],
               sides[i].wall[runs - 1], cpu[i]);
    }
    bool apart = sides[0].wall[0] > sides[1].wall[runs - 1] || sides[1].wall[0] > sides[0].wall[runs - 1];
    printf("%s takes %.2f times the wall time and %.2f times the CPU time; medians of %d run%s each%s\n",
           sides[1].name, wall[0] > 0 ? wall[1] / wall[0] : 1, cpu[0] > 0 ? cpu[1] / cpu[0] : 1, runs,
           runs == 1 ? "" : "s", runs > 1 && !apart ? ", and the spreads overlap" : "");
}

static char *end_of(int status) {
    if (WIFSIGNALED(status))
        return run_text("signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    return run_text("%d", WEXITSTATUS(status));
}

static bool print_status(const struct side sides[2]) {
    const struct side *own = &sides[0], *blitz = &sides[1];
    bool same = own->status == blitz->status && !blitz->status_varies;
    if (own->status_varies)
        printf("exit status: differs from run to run under %s\n", own->name);
    else if (same)
        printf("exit status: the same, %s\n", end_of(own->status));
    else
        printf("exit status: DIFFERS, %s under %s, %s under %s%s\n", end_of(own->status), own->name,
               end_of(blitz->status), blitz->name, blitz->status_varies ? " at first, then others" : "");
    return same || own->status_varies;
}

static bool print_output(const struct side sides[2]) {
    const struct side *own = &sides[0], *blitz = &sides[1];
    unsigned long line;
    off_t at = difference(own->output, blitz->output, &line);
    bool same = at < 0 && !blitz->output_varies;
    if (own->output_varies)
        printf("stdout: also differs from run to run under %s\n", own->name);
    else if (same)
        printf("stdout: the same, %lld bytes\n", (long long)lseek(own->output, 0, SEEK_END));
    else if (at >= 0)
        printf("stdout: DIFFERS, first in line %lu\n", line);
    else
        printf("stdout: DIFFERS from run to run under %s\n", blitz->name);
    return same || own->output_varies;
}

/* Prints the last lines of stderr of a failed run. */
static void show_errors(const struct side *side) {
    char text[4097];
    off_t size = lseek(side->errors, 0, SEEK_END);
    off_t begin = size > (off_t)sizeof text - 1 ? size - (off_t)sizeof text + 1 : 0;
    ssize_t got = pread(side->errors, text, sizeof text - 1, begin);
    if (side->status == 0 || got <= 0)
        return;
    text[got] = '\0';
    char *at = text + got - 1; /* which may be the end of the last line */
    for (int ends = 0; at > text; at--) {
        ends += at[-1] == '\n';
        if (ends == ERROR_LINES)
            break;
    }
    printf("stderr under %s ends with:\n%s%s", side->name, at, text[got - 1] == '\n' ? "" : "\n");
}

int run_compare(const struct run_options *options, const struct run_program *program,
                struct run_route *route) {
    run_route_own(program, route);
    if (route->missing)
        run_fail(RUN_FAILED, "%s does not start without Blitz: %s is not found", program->name,
                 route->missing);
    if (route->runtime && strcmp(route->runtime, "libblitz-omp") == 0)
        run_fail(RUN_FAILED, "%s is linked with libblitz-omp: there is nothing to compare it with",
                 program->name);
    struct side sides[2] = {{.name = route->runtime ? route->runtime : "its own", .changes = route->own},
                            {.name = "Blitz", .changes = route->changes}};
    run_all(sides, options->runs, program, options->program);
    print_times(sides, options->runs);
    bool same = print_status(sides);
    same &= print_output(sides);
    for (int i = 0; i < 2; i++)
        show_errors(&sides[i]);
    return same ? EXIT_SUCCESS : RUN_DIFFERS;
}
