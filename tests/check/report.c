/* The report of a failing run, line by line; the twins; the arguments. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 4096, SITES = 1024, FEW_RUNS = 200 };

static struct line {
    const struct check_site *site;
    const char *what;
    const void *word;
    uint64_t before, after;
    int thread;
} lines[LINES];
static unsigned line_count;

static struct check_site *sites[SITES];
static unsigned site_count;
uint64_t check_test_bit = 1;

void check_log_reset(void) {
    line_count = 0;
}
void check_keep_site(struct check_site *site) {
    if (site_count == SITES)
        check_fail("more than %d atomic accesses in the sources", SITES);
    if (site->tests == 0)
        sites[site_count++] = site;
    site->tests |= check_test_bit;
}

void check_log(const struct check_site *site, const char *what, const void *word, uint64_t before,
               uint64_t after) {
    if (line_count < LINES)
        lines[line_count++] = (struct line){site, what, word, before, after, check_self()};
}

/* Below the project's folder. */
static const char *place_of(const struct check_site *site) {
    const char *src = strstr(site->file, "/src/"), *compat = strstr(site->file, "/compat/");
    return compat ? compat + 1 : src ? src + 1 : site->file;
}

static const char *const order_names[] = {"relaxed", "acquire", "release", "acq_rel", "seq_cst"};

void check_log_print(void) {
    printf("%-6s  %-34s  %-13s %-8s  %-14s  %s\n", "thread", "place", "access", "order", "word", "value");
    for (unsigned i = 0; i < line_count; i++) {
        const struct check_site *site = lines[i].site;
        char place[300];
        snprintf(place, sizeof place, "%s:%d", place_of(site), site->line);
        printf("%-6d  %-34s  %-13s %-8s  %-14p  ", lines[i].thread, place, lines[i].what,
               order_names[site->weak], lines[i].word);
        if (lines[i].before != lines[i].after)
            printf("%lld -> ", (long long)lines[i].before);
        printf("%lld\n", (long long)lines[i].after);
    }
}

/* ---- twins: one order weaker ---- */

/* Weakens the order by one step, in the n-th way; false: n is too large. */
static bool weaken(struct check_site *site, unsigned n) {
    static const enum check_order of[][2] = {
        [CHECK_ACQ_REL] = {CHECK_ACQUIRE, CHECK_RELEASE}, [CHECK_SEQ_CST] = {CHECK_ACQ_REL, CHECK_ACQ_REL}};
    if (site->order == CHECK_RELAXED || n > (site->order == CHECK_ACQ_REL))
        return false;
    site->weak = of[site->order][n];
    if (site->order == CHECK_SEQ_CST && site->access <= CHECK_STORE)
        site->weak = site->access == CHECK_LOAD ? CHECK_ACQUIRE : CHECK_RELEASE;
    return true;
}

/* An inlined place in the source has several sites. */
static bool is_same(const struct check_site *a, const struct check_site *b) {
    return a->line == b->line && a->access == b->access && a->order == b->order &&
           !strcmp(place_of(a), place_of(b));
}

static void take_for(const struct check_site *site, enum check_order order) {
    for (unsigned i = 0; i < site_count; i++)
        if (is_same(sites[i], site))
            sites[i]->weak = order;
}

/* The label in the comment at the access, or the nearest one above. */
static void find_label(const struct check_site *site, char *label, size_t size) {
    char text[400];
    snprintf(text, sizeof text, "%s/%s", CHECK_ROOT, place_of(site));
    FILE *file = fopen(text, "r");
    snprintf(label, size, "-");
    for (int line = 1; file && line <= site->line + 2 && fgets(text, sizeof text, file); line++) {
        char *colon = strstr(text, ": pairs with");
        if (!colon || (line > site->line && strcmp(label, "-") != 0))
            continue;
        char *begin = colon;
        while (begin > text && strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", begin[-1]))
            begin--;
        *colon = 0;
        if (line >= site->line - 3)
            snprintf(label, size, "%.20s", begin);
    }
    if (file)
        fclose(file);
}

/* Runs the tests in `which` with the weakened site until one fails: a few random runs, more of them, and then all in
 * order. */
static struct check_outcome search_all(const struct check_test *tests, size_t count, uint64_t which,
                                       uint64_t most) {
    const uint64_t limits[] = {0, most < FEW_RUNS ? most : FEW_RUNS, most, 0};
    struct check_outcome sum = {0};
    for (size_t i = 0; i < 3 * count && !sum.failed; i++) {
        const struct check_test *test = &tests[i % count];
        uint64_t from = limits[i / count], to = limits[i / count + 1];
        check_test_bit = UINT64_C(1) << i % count;
        if (!(which & check_test_bit) || from == to)
            continue;
        struct check_search how = {test->bound, to, from, to == 0 ? most : to - from, NULL, true};
        struct check_outcome one = check_search(test, &how);
        one.unfinished |= sum.unfinished;
        one.runs += sum.runs;
        sum = one;
    }
    return sum;
}

/* Prints one line. Returns 1 if the twin holds and is not in `known`, or is in it and fails. */
static int check_twin(const struct check_test *tests, size_t count, uint64_t most, const char *known,
                      const struct check_site *site, uint64_t which) {
    static const char *const accesses[] = {"load", "store", "exchange", "add", "and", "or", "swap", "fence"};
    char label[40], name[120], in[120];
    find_label(site, label, sizeof label);
    snprintf(name, sizeof name, "%s %s %s-%s;", label, accesses[site->access], order_names[site->order],
             order_names[site->weak]);
    snprintf(in, sizeof in, "%s in %s;", label, site->function);
    bool holds = strstr(known, name) || strstr(known, in);
    struct check_outcome outcome =
        search_all(tests, count, which, holds && most > FEW_RUNS ? FEW_RUNS : most);
    printf("%-34s %s:%d: ", name, place_of(site), site->line);
    if (outcome.failed)
        printf("fails in run %llu (%s: %.40s)%s\n", (unsigned long long)outcome.runs, outcome.test,
               outcome.error, holds ? ": SAID TO HOLD" : "");
    else
        printf("holds, %llu runs%s%s\n", (unsigned long long)outcome.runs,
               outcome.unfinished ? ", not all" : "", holds ? ", as said" : ": NOT FOUND");
    fflush(stdout);
    return outcome.failed == holds;
}

/* Checks each order in these files. `known` lists those that hold: "label access order". An inlined site has several
 * places. */
static int check_twins(const struct check_test *tests, size_t count, uint64_t most, const char *known,
                       const char *files) {
    int bad = 0;
    search_all(tests, count, UINT64_MAX, most < 5 * FEW_RUNS ? most : 5 * FEW_RUNS); /* what comes where */
    unsigned all = site_count;
    for (unsigned i = 0; i < all; i++) {
        struct check_site *site = sites[i];
        bool wanted = strstr(files, strchr(place_of(site), '/') + 1); /* each path has a slash */
        uint64_t which = 0;
        for (unsigned j = 0; j < all; j++)
            if (is_same(sites[j], site)) {
                wanted &= j >= i;
                which |= sites[j]->tests;
            }
        for (unsigned n = 0; wanted && weaken(site, n); n++) {
            take_for(site, site->weak);
            bad |= check_twin(tests, count, most, known, site, which);
        }
        take_for(site, site->order);
    }
    return bad;
}

/* ---- the program ---- */

static int run_tests(const struct check_test *tests, size_t count, struct check_search how) {
    int failed = 0;
    for (size_t i = 0; i < count && !failed; i++) {
        struct check_search one = how;
        if (how.bound == -2)
            one.bound = tests[i].bound;
        struct check_outcome outcome = check_search(&tests[i], &one);
        printf("%s: %llu runs, %llu states%s%s\n", tests[i].name, (unsigned long long)outcome.runs,
               (unsigned long long)outcome.states, outcome.unfinished ? ", NOT ALL" : "",
               outcome.failed ? ", FAILED" : "");
        failed |= outcome.failed || outcome.unfinished;
    }
    return failed;
}

int check_main(int argc, char **argv, const struct check_test *tests, size_t count) {
    struct check_search how = {.bound = -2, .most = UINT64_MAX};
    const char *only = NULL, *known = NULL, *files = "";
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (argv[i][0] != '-') {
            only = argv[i];
            continue;
        }
        if (!strcmp(argv[i], "--twins"))
            known = value;
        else if (!strcmp(argv[i], "--in"))
            files = value;
        else if (!strcmp(argv[i], "--bound"))
            how.bound = atoi(value);
        else if (!strcmp(argv[i], "--runs"))
            how.most = strtoull(value, NULL, 10);
        else if (!strcmp(argv[i], "--random"))
            how.random = how.most = strtoull(value, NULL, 10);
        else if (!strcmp(argv[i], "--seed"))
            how.seed = strtoull(value, NULL, 10);
        else if (!strcmp(argv[i], "--replay"))
            how.replay = value, how.most = 1;
        else
            return fprintf(stderr, "no option %s; see README.md\n", argv[i]), 2;
        i++;
    }
    for (size_t i = 0; only && i < count; i++)
        if (strcmp(only, tests[i].name) == 0)
            tests += i, count = 1;
    return known ? check_twins(tests, count, how.most, known, files) : run_tests(tests, count, how);
}
