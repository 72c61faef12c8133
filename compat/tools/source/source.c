/* source.c: see source.h. */
#include "tools/source/source.h"

#include <stdio.h>
#include <string.h>

#include "tools/common/base.h"
#include "tools/source/module.h"
#include "tools/source/spawned.h"
#include "tools/source/symbol_name.h"

struct bomp_sources {
    struct loaded {
        struct bomp_module module;
        struct loaded *next;
    } * loaded;
};

static int add(struct dl_phdr_info *info, size_t size, void *arg) {
    struct bomp_sources *sources = arg;
    struct loaded *loaded = bz_os_alloc(sizeof *loaded);
    (void)size;
    if (!loaded)
        return 1;
    bomp_module_init(&loaded->module, info);
    loaded->next = sources->loaded;
    sources->loaded = loaded;
    return 0;
}

struct bomp_sources *bomp_sources_open(void) {
    struct bomp_sources *sources = bz_os_alloc(sizeof *sources);
    if (sources)
        (void)bz_elf_walk(add, sources);
    return sources;
}

void bomp_sources_close(struct bomp_sources *sources) {
    if (!sources)
        return;
    for (struct loaded *loaded; (loaded = sources->loaded);) {
        sources->loaded = loaded->next;
        bomp_module_close(&loaded->module);
        bz_os_free(loaded, sizeof *loaded);
    }
    bz_os_free(sources, sizeof *sources);
}

/* The object with the address, with its files read. Fills in what is known of all its addresses. */
static struct bomp_module *find_module(struct bomp_sources *sources, uintptr_t address, bool is_code,
                                       struct bomp_source *source) {
    *source = (struct bomp_source){0};
    for (struct loaded *loaded = sources ? sources->loaded : NULL; loaded; loaded = loaded->next) {
        struct bomp_module *module = &loaded->module;
        if (!bomp_module_holds(module, address, is_code))
            continue;
        bomp_module_read(module);
        (void)snprintf(source->module, sizeof source->module, "%s", module->path);
        source->offset = address - module->base;
        source->is_compressed = module->is_compressed;
        return module;
    }
    return NULL;
}

/* ---- code ---- */

static bool same_file(const struct bomp_line *one, const struct bomp_line *other) {
    return strcmp(one->file, other->file) == 0 && strcmp(one->folder, other->folder) == 0;
}

/* Without line tables: of the function before it in the order of addresses, where compilers put it. */
static void name_before(const struct bomp_module *module, const struct bomp_symbol *symbol, char *name) {
    char candidate[BOMP_SOURCE_NAME];
    for (const struct bomp_symbol *one = symbol; one > module->symbols.list;) {
        one--;
        if (one->is_function && bomp_name_of_function(candidate, sizeof candidate, one->name)) {
            memcpy(name, candidate, sizeof candidate);
            return;
        }
    }
}

/* The search for the function that a construct is in. */
struct parent {
    const struct bomp_module *module;
    const struct bomp_line *line; /* of the construct */
    uint64_t best;
    char *name;
};

static void consider_function(void *arg, const char *function, uint64_t file, uint64_t line) {
    struct parent *parent = arg;
    char candidate[BOMP_SOURCE_NAME];
    struct bomp_line begin;
    if (line > parent->line->line || line < parent->best ||
        !bomp_name_of_function(candidate, sizeof candidate, function) ||
        !bomp_lines_name(&parent->module->lines, parent->line->unit, file, &begin) ||
        !same_file(&begin, parent->line))
        return;
    parent->best = line;
    memcpy(parent->name, candidate, sizeof candidate);
}

/* Code of a construct that does not say whose it is: of the function that begins last before this line in the same file,
 * and that the same unit has. */
static void name_parent(const struct bomp_module *module, const struct bomp_symbol *symbol,
                        const struct bomp_line *line, char *name) {
    struct parent parent = {.module = module, .line = line, .name = name};
    if (line->line != 0)
        bomp_functions_each(&module->functions, line->unit, consider_function, &parent);
    if (parent.best == 0)
        name_before(module, symbol, name);
}

/* Functions of a task of blitz/cilk.h are called as the task, with such an ending. */
static void cut(char *name, const char *ending) {
    size_t length = strlen(name), cut = strlen(ending);
    if (length > cut && strcmp(name + length - cut, ending) == 0)
        name[length - cut] = '\0';
}

/* The function in the source: an inlined one has no symbol. `begins`: the function that begins there. */
static void name_code(const struct bomp_module *module, uint64_t address, bool begins, struct bomp_line *line,
                      struct bomp_source *source) {
    const struct bomp_symbol *symbol = bomp_symbols_find(&module->symbols, address, true);
    struct bomp_function function;
    if (!symbol)
        return;
    source->has_symbol = true;
    source->offset = address - symbol->address;
    bool is_known = !begins && bomp_functions_find(&module->functions, address, &function);
    bool is_inlined = is_known && function.is_inlined && function.name[0] != '\0';
    if (is_known && function.call_line > 0 &&
        bomp_lines_name(&module->lines, line->unit, function.call_file, line))
        line->line = (unsigned)function.call_line;
    if (!bomp_name_of_function(source->name, sizeof source->name, is_inlined ? function.name : symbol->name))
        name_parent(module, symbol, line, source->name);
    if (is_known && function.call_line > 0)
        cut(source->name, "_body");
}

static bool is_function(const struct bomp_module *module, uint64_t address) {
    const struct bomp_symbol *symbol = bomp_symbols_find(&module->symbols, address, true);
    return symbol && symbol->address == address;
}

static bool look_up(struct bomp_sources *sources, const void *code, bool is_return,
                    struct bomp_source *source) {
    uintptr_t address = (uintptr_t)code - is_return;
    const struct bomp_module *module = find_module(sources, address, true, source);
    struct bomp_line line = {.folder = "", .file = ""};
    if (!module)
        return false;
    uint64_t at = address - module->base;
    bool begins = is_return && is_function(module, at);
    bool has_line = bomp_lines_find(&module->lines, at, begins, &line);
    name_code(module, at, begins, &line, source);
    if (has_line) {
        (void)snprintf(source->path, sizeof source->path, "%s%s%s", line.folder,
                       line.folder[0] != '\0' ? "/" : "", line.file);
        source->line = line.line;
    }
    source->offset += is_return;
    return true;
}

bool bomp_source_of_code(struct bomp_sources *sources, const void *code, struct bomp_source *source) {
    return look_up(sources, code, false, source);
}

bool bomp_source_of_return(struct bomp_sources *sources, const void *code, struct bomp_source *source) {
    const struct bomp_spawned *spawned = bomp_spawned_at(code);
    char name[BOMP_SOURCE_NAME] = "";
    if (spawned && look_up(sources, spawned->function, false, source))
        memcpy(name, source->name, sizeof name);
    if (spawned && spawned->is_task)
        cut(name, "_run");
    bool known = look_up(sources, bomp_spawned_site(code), true, source);
    memcpy(source->spawned, name, sizeof name);
    return known || name[0] != '\0';
}

/* ---- data ---- */

bool bomp_source_of_data(struct bomp_sources *sources, const void *data, struct bomp_source *source) {
    uintptr_t address = (uintptr_t)data;
    const struct bomp_module *module = find_module(sources, address, false, source);
    const struct bomp_symbol *symbol =
        module ? bomp_symbols_find(&module->symbols, address - module->base, false) : NULL;
    if (symbol) {
        source->has_symbol = true;
        source->offset = address - module->base - symbol->address;
        source->is_critical = bomp_name_of_data(source->name, sizeof source->name, symbol->name);
    }
    return module;
}

/* ---- text ---- */

const char *bomp_source_base(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

size_t bomp_source_print(char *to, size_t room, const struct bomp_source *source, const void *code) {
    const char *module = bomp_source_base(source->module);
    if (source->spawned[0] != '\0') {
        int begins = snprintf(to, room, "%s at ", source->spawned);
        struct bomp_source place = *source;
        place.spawned[0] = '\0';
        size_t used = begins < 0 ? 0 : (size_t)begins < room ? (size_t)begins : room;
        return used + bomp_source_print(to + used, room - used, &place, code);
    }
    int length;
    if (source->line > 0 && source->name[0] != '\0')
        length = snprintf(to, room, "%s:%u (%s)", bomp_source_base(source->path), source->line, source->name);
    else if (source->line > 0)
        length = snprintf(to, room, "%s:%u", bomp_source_base(source->path), source->line);
    else if (source->has_symbol)
        length = snprintf(to, room, "%s+0x%zx in %s", source->name, (size_t)source->offset, module);
    else if (module[0] != '\0')
        length = snprintf(to, room, "%s+0x%zx", module, (size_t)source->offset);
    else
        length = snprintf(to, room, "%p", (void *)(uintptr_t)bomp_spawned_site(code));
    return length > 0 ? (size_t)length : 0;
}
