/* targets.c: see fuzz.h. A rejected text must change nothing; an accepted one must have a possible meaning. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "fuzz.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../icv_store.h"
#include "base/config.h"
#include "env/error.h"
#include "env/names.h"
#include "env/options.h"
#include "omp/affinity/affinity_format.h"
#include "omp/affinity/machine.h"
#include "omp/affinity/places.h"
#include "omp/icv/env.h"
#include "os/groups.h"
#include "os/topology.h"
#include "tools/source/functions.h"
#include "tools/source/image.h"
#include "tools/source/lines.h"
#include "tools/source/symbol_name.h"
#include "tools/source/symbols.h"

/* ---- fatal messages return ---- */

static jmp_buf refused;

/* The linker redirects bz_fatal to this: a text may end the program, which is a valid result. */
_Noreturn void __wrap_bz_fatal(const char *format, ...);

_Noreturn void __wrap_bz_fatal(const char *format, ...) {
    fuzz_check(format[0] != '\0');
    longjmp(refused, 1);
}

/* Fixed, instead of reading this system's CPUs and quota for each text. */
unsigned __wrap_bz_topology_default_workers(void);

unsigned __wrap_bz_topology_default_workers(void) {
    return 4;
}

/* The variables of LLVM's runtime are parsed as well. */
bool __wrap_bomp_llvm_is_asked(void);

bool __wrap_bomp_llvm_is_asked(void) {
    return true;
}

/* ---- numbers and words ---- */

static void numbers(const char *text, size_t length) {
    static const char *const words[] = {"auto", "infinite", "infinity"};
    uint64_t number = 7;
    int64_t integer = 7;
    size_t size = 7, index = 7;
    bool flag;
    (void)length;
    int rc = bz_parse_uint(text, 3, 1000, &number);
    fuzz_check(rc == 0 ? number >= 3 && number <= 1000 : number == 7);
    const char *at = text;
    rc = bz_scan_int(&at, -50, INT64_MAX, &integer);
    fuzz_check(rc == 0 ? integer >= -50 && at > text : integer == 7);
    rc = bz_parse_uint(text, 0, UINT64_MAX, &number);
    if (rc == 0 && number <= INT64_MAX) {
        at = text;
        fuzz_check(bz_scan_int(&at, 0, INT64_MAX, &integer) == 0 && (uint64_t)integer == number);
    }
    rc = bz_parse_size(text, 1024, &size);
    fuzz_check(rc == 0 || size == 7);
    rc = bz_parse_word(text, words, 3, &index);
    fuzz_check(rc == 0 ? index < 3 : index == 7);
    if (bz_parse_bool(text, &flag) == 0) {
        fuzz_check(flag || !flag);
    }
}

/* ---- CPUs ---- */

enum { WORDS = 2 };

/* Some sets of usable CPUs, chosen by the first byte. */
static const char *take_usable(const char *text, uint64_t usable[WORDS]) {
    static const uint64_t sets[][WORDS] = {{3, 0}, {UINT64_MAX, UINT64_MAX}, {1, 0}, {0x5555, 1}, {0, 3}};
    memcpy(usable, sets[(unsigned char)text[0] % 5], sizeof sets[0]);
    return text[0] != '\0' ? text + 1 : text;
}

static void check_places(int rc, const struct bomp_places *places, const uint64_t *usable) {
    fuzz_check(rc == 0 ? places->count > 0 : places->count == 0 && places->sets == NULL);
    for (unsigned i = 0; i < places->count; i++) {
        const uint64_t *place = bomp_place(places, i);
        fuzz_check(bz_cpus_next(place, WORDS, 0) != UINT_MAX);
        for (int word = 0; word < WORDS && usable; word++) {
            fuzz_check((place[word] & ~usable[word]) == 0);
        }
    }
}

static void places(const char *text, size_t length) {
    struct bomp_places list;
    uint64_t usable[WORDS];
    (void)length;
    text = take_usable(text, usable);
    check_places(bomp_places_parse(text, usable, WORDS, &list), &list, usable);
    bomp_places_free(&list);
    check_places(bomp_places_parse_cpus(text, usable, WORDS, &list), &list, usable);
    bomp_places_free(&list);
}

static void machine(const char *text, size_t length) {
    struct bomp_affinity_wish wish;
    uint64_t usable[WORDS], left[WORDS];
    (void)length;
    text = take_usable(text, usable);
    if (bomp_machine_affinity(text, usable, WORDS, &wish) == 0 && wish.binds) {
        check_places(0, &wish.places, usable);
    } else {
        fuzz_check(wish.places.count == 0 && wish.places.sets == NULL);
    }
    bomp_places_free(&wish.places);
    memcpy(left, usable, sizeof left);
    int rc = bomp_machine_subset(text, left, WORDS);
    fuzz_check(rc == 0 || memcmp(left, usable, sizeof left) == 0);
    fuzz_check(bz_cpus_next(left, WORDS, 0) != UINT_MAX);
    for (int word = 0; word < WORDS; word++) {
        fuzz_check((left[word] & ~usable[word]) == 0);
    }
}

static void cpu_list(const char *text, size_t length) {
    uint64_t set[WORDS + 1] = {0};
    set[WORDS] = 42;
    (void)length;
    bz_cpus_add_list(set, WORDS, text);
    fuzz_check(set[WORDS] == 42);
}

/* ---- the affinity format ---- */

static void affinity_format(const char *text, size_t length) {
    static const uint64_t cpus[WORDS] = {0xf0f1, 0x8000000000000001};
    static const struct bomp_affinity_facts facts = {1,      2,    3,     45,   67, -1, 4711, 0x7f0b678af7c0,
                                                     "host", cpus, WORDS, false};
    char whole[1000], part[20];
    memset(whole, 'x', sizeof whole);
    memset(part, 'x', sizeof part);
    if (setjmp(refused) != 0) {
        return;
    }
    size_t written = bomp_affinity_print(whole, sizeof whole, text, length, &facts);
    fuzz_check(bomp_affinity_print(part, sizeof part - 1, text, length, &facts) == written);
    fuzz_check(bomp_affinity_print(NULL, 0, text, length, &facts) == written);
    size_t shown = written < sizeof part - 1 ? written : sizeof part - 2;
    fuzz_check(part[shown] == '\0' && part[sizeof part - 1] == 'x');
    fuzz_check(memcmp(part, whole, shown) == 0);
    fuzz_check(whole[written < sizeof whole ? written : sizeof whole - 1] == '\0');
}

/* ---- the environment ---- */

extern char **environ;

enum { VARIABLES = 40 };

/* Sets the lines of the text, NAME=value, as the environment during run. */
static void with_environment(const char *text, void (*run)(void)) {
    char **before = environ, *copy = strdup(text), *rest = NULL, *variables[VARIABLES + 1];
    int count = 0;
    fuzz_check(copy != NULL);
    for (char *line = strtok_r(copy, "\n", &rest); line && count < VARIABLES;
         line = strtok_r(NULL, "\n", &rest)) {
        if (strchr(line, '=')) {
            variables[count++] = line;
        }
    }
    variables[count] = NULL;
    environ = variables;
    run();
    environ = before;
    free(copy);
}

/* The displayed text of a variable is the same in any buffer size. */
static void check_shown(const struct bomp_icv_store *store, enum bomp_env_variable variable) {
    char text[5000], part[8];
    size_t length = bomp_env_show(store, variable, text, sizeof text, false);
    fuzz_check(bomp_env_show(store, variable, part, sizeof part, false) == length);
    fuzz_check(length >= sizeof text || strlen(text) == length);
    fuzz_check(strlen(part) == (length < sizeof part ? length : sizeof part - 1));
    fuzz_check(strncmp(text, part, strlen(part)) == 0);
}

static void read_environment(void) {
    static struct bomp_icv_store store; /* large */
    bomp_env_read(&store);
    const struct bomp_icv *icv = &store.initial;
    fuzz_check(icv->threads <= INT_MAX && icv->thread_limit >= 1);
    fuzz_check(icv->chunk >= 0 && icv->default_device >= 0 && icv->bind <= BOMP_BIND_SPREAD);
    fuzz_check(store.global.stack_size == 0 || store.global.stack_size >= BZ_STACK_LEAST);
    fuzz_check(icv->threads_left <= BOMP_LEVEL_LIST_MAX && icv->bind_left <= BOMP_LEVEL_LIST_MAX);
    for (unsigned i = 0; i < icv->threads_left; i++) {
        fuzz_check(store.threads_list[i] >= 1);
    }
    for (int i = 0; i < BOMP_ENV_COUNT; i++) {
        check_shown(&store, (enum bomp_env_variable)i);
    }
    icv_store_free(&store);
}

static void environment(const char *text, size_t length) {
    (void)length;
    with_environment(text, read_environment);
}

static void read_options(void) {
    static const char *const known[] = {"BLITZ_WORKERS", "BLITZ_SPIN", "", NULL};
    struct bz_options options;
    bz_options_read(&options);
    fuzz_check(options.stack_size == 0 || options.stack_size >= BZ_STACK_LEAST);
    bz_names_check("BLITZ_", known, true);
    bz_names_check("", known, false);
}

static void settings(const char *text, size_t length) {
    (void)length;
    with_environment(text, read_options);
}

/* ---- the system's files: the text has one after the other, each ended by a line "--" ---- */

/* A folder for this process, removed when it ends. */
static const char *tree(void) {
    static char root[] = "/tmp/blitz-fuzz-XXXXXX";
    static int made;
    if (!made) {
        made = 1;
        fuzz_check(mkdtemp(root) != NULL);
    }
    return root;
}

static void remove_tree(void) {
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", tree());
    if (system(command) != 0) {
        perror(command);
    }
}

static void make_folders(const char *path) {
    char full[200];
    snprintf(full, sizeof full, "%s%s", tree(), path);
    for (char *slash = full + strlen(tree()) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        (void)mkdir(full, 0700);
        *slash = '/';
    }
}

/* Writes the next part of the text to a file of the tree. */
static const char *write_file(const char *text, const char *path) {
    char full[200];
    const char *end = strstr(text, "--\n");
    size_t length = end ? (size_t)(end - text) : strlen(text);
    snprintf(full, sizeof full, "%s%s", tree(), path);
    int file = open(full, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    fuzz_check(file >= 0 && write(file, text, length) == (ssize_t)length);
    close(file);
    return end ? end + 3 : text + length;
}

static void write_files(const char *text, const char *const *paths) {
    static int registered;
    if (!registered) {
        registered = 1;
        atexit(remove_tree);
    }
    for (; *paths; paths++) {
        make_folders(*paths);
        text = write_file(text, *paths);
    }
}

/* The quota of control groups. */
static void groups(const char *text, size_t length) {
    static const char *const paths[] = {"/proc/self/cgroup",
                                        "/sys/fs/cgroup/cpu.max",
                                        "/sys/fs/cgroup/a/cpu.max",
                                        "/sys/fs/cgroup/cpu/cpu.cfs_quota_us",
                                        "/sys/fs/cgroup/cpu/cpu.cfs_period_us",
                                        NULL};
    unsigned first = 0, second = 0;
    (void)length;
    write_files(text, paths);
    fuzz_check(bz_quota_read(tree(), &first) && bz_quota_read(tree(), &second) && first == second);
}

static int visit_part(const uint64_t *part, void *arg) {
    uint64_t *seen = arg;
    fuzz_check(bz_cpus_next(part, WORDS, 0) != UINT_MAX);
    for (int i = 0; i < WORDS; i++) {
        fuzz_check((seen[i] & part[i]) == 0);
        seen[i] |= part[i];
    }
    return 0;
}

/* The CPUs that share a core, a cache, a socket, a node: parts that do not overlap and together are the whole. */
static void topology(const char *text, size_t length) {
#define SYSTEM "/sys/devices/system/"
    static const char *const paths[] = {SYSTEM "node/online",
                                        SYSTEM "node/node0/cpulist",
                                        SYSTEM "node/node1/cpulist",
                                        SYSTEM "cpu/cpu0/topology/core_cpus_list",
                                        SYSTEM "cpu/cpu0/topology/package_cpus_list",
                                        SYSTEM "cpu/cpu2/topology/core_siblings_list",
                                        SYSTEM "cpu/cpu0/cache/index0/level",
                                        SYSTEM "cpu/cpu0/cache/index0/shared_cpu_list",
                                        NULL};
    uint64_t usable[WORDS];
    (void)length;
    write_files(take_usable(text, usable), paths);
    usable[0] &= 0xff; /* reading files for each CPU takes time */
    usable[1] &= 1;
    for (int group = BZ_GROUP_CORE; group <= BZ_GROUP_NODE; group++) {
        uint64_t seen[WORDS] = {0};
        fuzz_check(bz_cpu_groups(tree(), (enum bz_cpu_group)group, usable, WORDS, visit_part, seen) == 0);
        fuzz_check(memcmp(seen, usable, sizeof seen) == 0);
    }
}

/* ---- the loaded files that a report reads ---- */

static void check_line(const struct bomp_lines *read, uint64_t address) {
    struct bomp_line line = {0};
    if (bomp_lines_find(read, address, address % 2, &line)) {
        fuzz_check(strlen(line.file) > 0 && strlen(line.folder) < SIZE_MAX);
    }
}

/* The bytes are line tables, and the strings that these refer to. */
static void lines(const char *text, size_t length) {
    struct bomp_cursor bytes = {(const unsigned char *)text, (const unsigned char *)text + length, false};
    struct bomp_lines read;
    bomp_lines_read(&read, bytes, bytes, bytes);
    for (size_t i = 0; i < read.count && i < 20; i++) {
        fuzz_check(read.ranges[i].low < read.ranges[i].high && read.ranges[i].unit < length);
        check_line(&read, read.ranges[i].low);
        check_line(&read, read.ranges[i].high - 1);
        check_line(&read, read.ranges[i].high);
        fuzz_check(i == 0 || read.ranges[i - 1].low <= read.ranges[i].low);
        fuzz_check(read.ranges[i].reach >= read.ranges[i].high);
    }
    bomp_lines_free(&read);
}

static void check_function(void *arg, const char *name, uint64_t file, uint64_t line) {
    fuzz_check(strlen(name) < SIZE_MAX && file + 1 > 0 && line > 0);
    ++*(size_t *)arg;
}

/* The bytes are units of debug information, with the data that they refer to; the second half holds the
 * abbreviations. */
static void functions(const char *text, size_t length) {
    const unsigned char *first = (const unsigned char *)text, *middle = first + length / 2;
    struct bomp_cursor bytes = {first, middle, false}, rest = {middle, first + length, false};
    const struct bomp_functions read = {bytes, rest, bytes, bytes, bytes, bytes, bytes, bytes};
    struct bomp_function found;
    size_t count = 0;
    for (uint64_t address = 0; address < 0x4000; address += 0x400)
        if (bomp_functions_find(&read, address, &found))
            fuzz_check(strlen(found.name) < SIZE_MAX);
    bomp_functions_each(&read, 0, check_function, &count);
    fuzz_check(count <= length);
}

static void check_symbols(const struct bomp_image *file, uint32_t type) {
    struct bomp_symbols read = {0};
    bomp_symbols_read(&read, file, type);
    for (size_t i = 0; i < read.count; i++) {
        const struct bomp_symbol *symbol = &read.list[i];
        char name[40];
        fuzz_check(i == 0 || read.list[i - 1].address <= symbol->address);
        const struct bomp_symbol *found = bomp_symbols_find(&read, symbol->address, symbol->is_function);
        fuzz_check(!found || found->address <= symbol->address);
        (void)bomp_name_of_function(name, sizeof name, symbol->name);
        fuzz_check(strlen(name) < sizeof name);
        (void)bomp_name_of_data(name, sizeof name, symbol->name);
        fuzz_check(strlen(name) < sizeof name);
    }
    bomp_symbols_free(&read);
}

/* The bytes are an ELF file. */
static void image(const char *text, size_t length) {
    struct bomp_image file;
    Elf64_Shdr section;
    Elf64_Phdr program;
    const unsigned char *id;
    if (!bomp_image_init(&file, text, length)) {
        return;
    }
    check_symbols(&file, SHT_SYMTAB);
    check_symbols(&file, SHT_DYNSYM);
    if (bomp_image_section(&file, ".note.gnu.build-id", 0, &section)) {
        struct bomp_cursor notes = bomp_image_content(&file, &section);
        size_t size = bomp_image_build_id(notes, &id);
        fuzz_check(size == 0 || (id >= notes.at && size <= (size_t)(notes.end - id)));
    }
    for (unsigned i = 0; bomp_image_program(&file, i, &program); i++) {
        fuzz_check(i < 65536);
    }
}

/* The bytes are a symbol. */
static void symbol(const char *text, size_t length) {
    char whole[300], part[9];
    (void)length;
    memset(part, 'x', sizeof part);
    (void)bomp_name_of_function(whole, sizeof whole, text);
    (void)bomp_name_of_function(part, sizeof part - 1, text);
    fuzz_check(strlen(whole) < sizeof whole && part[sizeof part - 1] == 'x');
    fuzz_check(strncmp(part, whole, strlen(part)) == 0);
    (void)bomp_name_of_data(part, sizeof part - 1, text);
    fuzz_check(part[sizeof part - 1] == 'x');
}

/* ---- the table ---- */

const struct fuzz_target fuzz_targets[] = {
    {"numbers", numbers},
    {"places", places},
    {"machine", machine},
    {"cpu_list", cpu_list},
    {"affinity_format", affinity_format},
    {"environment", environment},
    {"settings", settings},
    {"groups", groups},
    {"topology", topology},
    {"functions", functions},
    {"lines", lines},
    {"image", image},
    {"symbol", symbol},
    {0},
};

void fuzz_fail(const char *file, int line, const char *condition) {
    fprintf(stderr, "%s:%d: failed: %s\n", file, line, condition);
    abort();
}

void fuzz_run(const struct fuzz_target *target, const void *bytes, size_t length) {
    char *text = malloc(length + 1);
    fuzz_check(text != NULL);
    memcpy(text, bytes, length);
    text[length] = '\0';
    target->run(text, length);
    free(text);
}
