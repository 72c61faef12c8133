#include "omp/affinity/machine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "omp/base/text.h"
#include "runtime.h"

/* Of one CPU. */
struct cpu {
    unsigned id;
    unsigned group[BOMP_LAYERS]; /* which of the machine's, in each layer */
    unsigned child[BOMP_LAYERS]; /* which of those in the same group of the layer outside of it */
};

struct machine {
    struct cpu *cpus;
    unsigned count;
    size_t words;
};

/* ---- what the system's files say ---- */

/* Numbers the groups of one layer as they come. */
struct numbering {
    struct machine *machine;
    enum bomp_layer layer;
    unsigned next;
};

static int number_group(const uint64_t *part, void *arg) {
    struct numbering *numbering = arg;
    for (unsigned i = 0; i < numbering->machine->count; i++)
        if (bz_cpus_has(part, numbering->machine->cpus[i].id))
            numbering->machine->cpus[i].group[numbering->layer] = numbering->next;
    numbering->next++;
    return 0;
}

static int machine_make(struct machine *machine, const uint64_t *usable, size_t words) {
    static const enum bz_cpu_group groups[BOMP_THREAD] = {BZ_GROUP_SOCKET, BZ_GROUP_NODE, BZ_GROUP_CACHE,
                                                          BZ_GROUP_CORE};
    *machine = (struct machine){.count = bz_cpus_count(usable, words), .words = words};
    machine->cpus = bz_alloc_zero(machine->count + 1, sizeof *machine->cpus);
    if (!machine->cpus)
        return ENOMEM;
    unsigned n = 0;
    for (unsigned cpu = bz_cpus_next(usable, words, 0); cpu != UINT_MAX;
         cpu = bz_cpus_next(usable, words, cpu + 1))
        machine->cpus[n++] = (struct cpu){.id = cpu, .group = {[BOMP_THREAD] = cpu}};
    int rc = 0;
    for (int layer = 0; layer < BOMP_THREAD && rc == 0; layer++) {
        struct numbering numbering = {machine, (enum bomp_layer)layer, 0};
        rc = bz_cpu_groups("", groups[layer], usable, words, number_group, &numbering);
    }
    return rc;
}

/* The number of a CPU's group among those of its parent's group, in the order of their first CPUs; parent -1: among all. */
static void number_child(struct machine *machine, struct cpu *cpu, int parent, int layer) {
    cpu->child[layer] = 0;
    for (const struct cpu *other = machine->cpus; other < cpu; other++) {
        if (other->group[layer] == cpu->group[layer]) {
            cpu->child[layer] = other->child[layer];
            break;
        }
        bool beside = parent < 0 || other->group[parent] == cpu->group[parent];
        if (beside && other->child[layer] >= cpu->child[layer])
            cpu->child[layer] = other->child[layer] + 1;
    }
}

/* In the layers that are chosen, each below the one before it. */
static void number_children(struct machine *machine, const bool *chosen) {
    int parent = -1;
    for (int layer = 0; layer < BOMP_LAYERS; layer++) {
        for (unsigned i = 0; i < machine->count && chosen[layer]; i++)
            number_child(machine, &machine->cpus[i], parent, layer);
        parent = chosen[layer] ? layer : parent;
    }
}

/* ---- KMP_AFFINITY ---- */

enum type { NONE, DISABLED, COMPACT, SCATTER, BALANCED, EXPLICIT, LOGICAL, PHYSICAL };

struct affinity {
    uint32_t type;        /* enum type */
    uint32_t granularity; /* enum bomp_layer */
    bool verbose, has_type, resets;
    int64_t permute, offset;
    const char *list; /* of processors; NULL: none */
};

/* The names of all layers, and again. */
static const struct bomp_words granularities =
    BOMP_WORDS(BOMP_SOCKET, BOMP_LAYERS, "socket", "numa", "l3", "core", "thread", "package", "node",
               "l3_cache", "group", "fine", "die", "node", "ll_cache", "tile", "thread");

static bool take_granularity(const char **at, struct affinity *affinity) {
    return bz_scan_char(at, '=') && bomp_take_word(at, &granularities, &affinity->granularity);
}

/* Up to the bracket that closes it. */
static bool take_proclist(const char **at, struct affinity *affinity) {
    if (!bz_scan_char(at, '=') || !bz_scan_char(at, '['))
        return false;
    affinity->list = *at;
    const char *end = strchr(*at, ']');
    if (end)
        *at = end + 1;
    return end;
}

static const struct bomp_words silent = BOMP_WORDS(0, 1, "noverbose", "warnings", "nowarnings", "noreset",
                                                   "respect", "norespect", "duplicates", "noduplicates");

/* One of them; false: none, or a wrong one. CPUs that the process may not use cannot be had. */
static bool take_modifier(const char **at, struct affinity *affinity) {
    uint32_t unused;
    if (bz_scan_word(at, "granularity"))
        return take_granularity(at, affinity);
    if (bz_scan_word(at, "proclist"))
        return take_proclist(at, affinity);
    if (bz_scan_word(at, "verbose"))
        return affinity->verbose = true;
    if (bz_scan_word(at, "reset"))
        return affinity->resets = true;
    return bomp_take_word(at, &silent, &unused);
}

static const struct bomp_words types = BOMP_WORDS(NONE, 8, "none", "disabled", "compact", "scatter",
                                                  "balanced", "explicit", "logical", "physical");

static bool take_type(const char **at, struct affinity *affinity) {
    return affinity->has_type = bomp_take_word(at, &types, &affinity->type);
}

/* [modifier,...]type[,permute][,offset]; for logical, physical and balanced only an offset. */
static int parse_affinity(const char *at, struct affinity *affinity) {
    int64_t numbers[2] = {0, 0};
    int count = 0;
    *affinity = (struct affinity){.granularity = BOMP_CORE};
    do {
        if (take_modifier(&at, affinity) || (!affinity->has_type && take_type(&at, affinity)))
            continue;
        int rc = count < 2 && affinity->has_type ? bz_scan_int(&at, 0, INT32_MAX, &numbers[count++]) : EINVAL;
        if (rc != 0)
            return rc;
    } while (bz_scan_char(&at, ','));
    if (!bz_scan_end(&at))
        return EINVAL;
    bool permutes = affinity->type == COMPACT || affinity->type == SCATTER;
    affinity->permute = permutes ? numbers[0] : 0;
    affinity->offset = permutes ? numbers[1] : numbers[0];
    if (affinity->list && !affinity->has_type)
        affinity->type = EXPLICIT;
    return affinity->type == EXPLICIT && !affinity->list ? EINVAL : 0;
}

/* The layers that an order goes by. */
static const enum bomp_layer ordered[] = {BOMP_SOCKET, BOMP_CORE, BOMP_THREAD};
enum { ORDERED = 3 };

/* The innermost *inner layers count first, the innermost of all most; then the others from the outside in. */
static int compare(const void *one, const void *other, void *inner) {
    const struct cpu *a = one, *b = other;
    for (int i = 0; i < ORDERED; i++) {
        enum bomp_layer layer = ordered[i < *(int *)inner ? ORDERED - 1 - i : i - *(int *)inner];
        if (a->child[layer] != b->child[layer])
            return a->child[layer] < b->child[layer] ? -1 : 1;
    }
    return 0;
}

/* How many of the layers count from the inside. */
static int inner_layers(const struct affinity *affinity) {
    int inner = affinity->type == SCATTER     ? ORDERED - 1 - (int)affinity->permute
                : affinity->type == PHYSICAL  ? 1
                : affinity->permute > ORDERED ? 0
                                              : (int)affinity->permute;
    return inner < 0 ? 0 : inner;
}

/* The CPUs that share the granule of CPU i of the machine. */
static void add_granule(const struct machine *machine, unsigned i, uint32_t layer, uint64_t *place) {
    for (unsigned j = 0; j < machine->count; j++)
        if (machine->cpus[j].group[layer] == machine->cpus[i].group[layer])
            bz_cpus_add(place, machine->cpus[j].id);
}

/* A place for each CPU in the order of the machine; balanced: for each core. */
static int make_places(const struct machine *machine, const struct affinity *affinity,
                       struct bomp_places *places) {
    int rc = 0;
    for (unsigned i = 0; i < machine->count && rc == 0; i++) {
        if (affinity->type == BALANCED && machine->cpus[i].child[BOMP_THREAD] > 0)
            continue;
        rc = bomp_places_add_empty(places);
        if (rc == 0)
            add_granule(machine, i, affinity->granularity, bomp_place(places, places->count - 1));
    }
    return rc;
}

/* Of CPUs and ranges "3,5-7:2" and sets of them "{0,1}". */
static int parse_proclist(const char *at, const uint64_t *usable, struct bomp_places *places) {
    int rc;
    do {
        bool set = bz_scan_char(&at, '{');
        rc = set ? bomp_places_add_empty(places) : 0;
        while (rc == 0 && (rc = bomp_places_take_range(&at, places, !set, true)) == 0 && set &&
               bz_scan_char(&at, ','))
            continue;
        if (rc == 0 && set && !bz_scan_char(&at, '}'))
            rc = EINVAL;
    } while (rc == 0 && bz_scan_char(&at, ','));
    if (rc == 0 && !bz_scan_char(&at, ']'))
        rc = EINVAL;
    return rc == 0 ? bomp_places_restrict(places, usable) : rc;
}

static int places_by_type(const struct affinity *affinity, const uint64_t *usable, size_t words,
                          struct bomp_places *places) {
    static const bool chosen[BOMP_LAYERS] = {[BOMP_SOCKET] = true, [BOMP_CORE] = true, [BOMP_THREAD] = true};
    struct machine machine;
    int rc = machine_make(&machine, usable, words);
    if (rc == 0) {
        number_children(&machine, chosen);
        int inner = inner_layers(affinity);
        qsort_r(machine.cpus, machine.count, sizeof *machine.cpus, compare, &inner);
        rc = machine.count > 0 ? make_places(&machine, affinity, places) : EINVAL;
    }
    bz_free(machine.cpus);
    return rc;
}

int bomp_machine_affinity(const char *text, const uint64_t *usable, size_t words,
                          struct bomp_affinity_wish *wish) {
    struct affinity affinity;
    *wish = (struct bomp_affinity_wish){.places = {.words = words}};
    int rc = parse_affinity(text, &affinity);
    if (rc == 0 && affinity.type == EXPLICIT)
        rc = parse_proclist(affinity.list, usable, &wish->places);
    else if (rc == 0 && affinity.type > DISABLED)
        rc = places_by_type(&affinity, usable, words, &wish->places);
    if (rc != 0) {
        bomp_places_free(&wish->places);
        return rc;
    }
    wish->binds = affinity.type > DISABLED;
    wish->disabled = affinity.type == DISABLED;
    wish->verbose = affinity.verbose;
    wish->resets = affinity.resets;
    wish->decides = affinity.has_type || affinity.list;
    if (wish->places.count > 0 && affinity.type != EXPLICIT)
        wish->first = (uint32_t)affinity.offset % wish->places.count;
    wish->levels = !wish->binds || affinity.granularity == BOMP_THREAD ? 0
                   : affinity.granularity == BOMP_CORE                 ? 1
                                                                       : 2;
    wish->policy = affinity.type == BALANCED ? BOMP_BIND_SPREAD : BOMP_BIND_TRUE;
    return 0;
}

/* ---- KMP_HW_SUBSET ---- */

struct part {
    bool given;
    uint64_t count, offset; /* count UINT64_MAX: all from the offset on */
};

static const struct bomp_words layers =
    BOMP_WORDS(BOMP_SOCKET, BOMP_LAYERS, "s", "n", "l3", "c", "t", "socket", "numa", "l3_cache", "core",
               "thread", "sockets", "numas", "ll_cache", "cores", "threads");

/* [n|*]layer[@offset], perhaps without a blank between number and layer. */
static int take_part(const char **at, struct part parts[BOMP_LAYERS]) {
    struct part part = {.given = true, .count = UINT64_MAX};
    uint32_t layer;
    if (!bz_scan_char(at, '*') && bz_scan_uint(at, 1, UINT16_MAX, &part.count) == ERANGE)
        return ERANGE;
    if (!bomp_take_word(at, &layers, &layer) || parts[layer].given)
        return EINVAL;
    int rc = bz_scan_char(at, '@') ? bz_scan_uint(at, 0, UINT16_MAX, &part.offset) : 0;
    parts[layer] = part;
    return rc;
}

/* A leading colon: layers that are not named do not count; else sockets, cores and threads always do. */
static int parse_subset(const char *at, struct part parts[BOMP_LAYERS], bool *named_alone) {
    int rc;
    *named_alone = bz_scan_char(&at, ':');
    do
        rc = take_part(&at, parts);
    while (rc == 0 && bz_scan_char(&at, ','));
    return rc == 0 && !bz_scan_end(&at) ? EINVAL : rc;
}

static bool is_in(const struct cpu *cpu, const struct part parts[BOMP_LAYERS]) {
    for (int layer = 0; layer < BOMP_LAYERS; layer++) {
        uint64_t number = cpu->child[layer];
        if (parts[layer].given &&
            (number < parts[layer].offset || number - parts[layer].offset >= parts[layer].count))
            return false;
    }
    return true;
}

/* Whether some group has as many as a part asks for. */
static bool is_there(const struct machine *machine, int layer, const struct part *part) {
    uint64_t last = part->offset + (part->count == UINT64_MAX ? 1 : part->count) - 1;
    for (unsigned i = 0; i < machine->count; i++)
        if (machine->cpus[i].child[layer] == last)
            return true;
    return false;
}

/* Cores are counted in sockets, where nothing between is named, and threads in cores. */
static int choose(struct machine *machine, const struct part parts[BOMP_LAYERS], bool named_alone,
                  uint64_t *usable) {
    bool usual = !named_alone;
    bool chosen[BOMP_LAYERS] = {[BOMP_SOCKET] = usual, [BOMP_CORE] = usual, [BOMP_THREAD] = usual};
    for (int layer = 0; layer < BOMP_LAYERS; layer++)
        chosen[layer] |= parts[layer].given;
    number_children(machine, chosen);
    for (int layer = 0; layer < BOMP_LAYERS; layer++)
        if (parts[layer].given && !is_there(machine, layer, &parts[layer]))
            return ERANGE;
    unsigned left = 0;
    for (unsigned i = 0; i < machine->count; i++)
        left += is_in(&machine->cpus[i], parts);
    for (unsigned i = 0; i < machine->count && left > 0; i++)
        if (!is_in(&machine->cpus[i], parts))
            bz_cpus_remove(usable, machine->cpus[i].id);
    return left > 0 ? 0 : ERANGE;
}

int bomp_machine_subset(const char *text, uint64_t *usable, size_t words) {
    struct part parts[BOMP_LAYERS] = {{.given = false}};
    struct machine machine;
    bool named_alone;
    int rc = parse_subset(text, parts, &named_alone);
    if (rc != 0)
        return rc;
    rc = machine_make(&machine, usable, words);
    if (rc == 0)
        rc = choose(&machine, parts, named_alone, usable);
    bz_free(machine.cpus);
    return rc;
}
