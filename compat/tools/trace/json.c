/* json.c: the Trace Event form of Chrome and Perfetto, https://ui.perfetto.dev: each slice is one "X" event of its lane, and
 * from the creation of a task to its beginning there is an arrow, "s" to "f", of the category "steal" where another thread
 * runs it; from the end of a task to the beginning of one that waited for it, one of the category "dependence". A counter,
 * "C", has the tasks that are created and have not begun. Times are microseconds. */
#include <string.h>

#include "tools/trace/file.h"
#include "tools/trace/record.h"

#define NAME_ROOM 384

struct json {
    struct bomp_trace_sink sink;
    struct bomp_trace_out *out;
    struct bomp_trace_story *story;
    struct bomp_sources *sources;
    char (*names)[NAME_ROOM]; /* of types; "": not made yet. NULL: no memory, constructs only are named */
    uint32_t pid;
    unsigned lane;
};

static void put(struct json *j, const char *key, uint64_t number) {
    bomp_trace_out_number(j->out, key, number);
}

static void put_time(struct json *j, const char *key, uint64_t ns) {
    bomp_trace_out_us(j->out, key, ns);
}

static void begin_event(struct json *j, const char *phase) {
    bomp_trace_out_text(j->out, ",\n{\"ph\":\"");
    bomp_trace_out_text(j->out, phase);
    put(j, "\",\"pid\":", j->pid);
    put(j, ",\"tid\":", j->lane);
}

static void put_name(struct json *j, unsigned number) {
    struct bomp_trace_type type = j->story->types.types[number];
    const char *word = bomp_trace_type_word(type);
    char *name = j->names ? j->names[number] : NULL;
    if (name && !name[0]) {
        struct bomp_trace_place place;
        bomp_trace_type_place(&place, type, j->sources);
        size_t length = strlen(word);
        memcpy(name, word, length);
        name[length] = place.text[0] ? ' ' : '\0';
        memcpy(name + length + 1, place.text, strlen(place.text) + 1);
    }
    bomp_trace_out_string(j->out, ",\"name\":", name ? name : word);
}

/* An end of the arrow from a task's creation to its beginning. */
static void arrow(struct json *j, const char *phase, uint64_t when, uint32_t id) {
    const struct bomp_trace_task *task = bomp_trace_task_of(j->story, id);
    if (!task->started || !task->created)
        return;
    begin_event(j, phase);
    put(j, ",\"id\":", id);
    put_time(j, ",\"ts\":", when);
    bomp_trace_out_text(j->out, task->creator == task->runner ? ",\"cat\":\"create\",\"name\":\"create\"}"
                                                              : ",\"cat\":\"steal\",\"name\":\"steal\"}");
}

static void create(struct bomp_trace_sink *sink, uint64_t when, uint32_t id, uint32_t by) {
    (void)by;
    arrow((struct json *)sink, "s", when, id);
}

static void put_task(struct json *j, const struct bomp_trace_slice *slice) {
    const struct bomp_trace_task *task = bomp_trace_task_of(j->story, slice->id);
    put(j, "\"task\":", slice->id);
    if (!task->created)
        return;
    put(j, ",\"created by thread\":", task->creator);
    if (slice->flags & BOMP_TRACE_AT_ONCE)
        bomp_trace_out_text(j->out, ",\"at once\":true");
    else if (task->started) {
        uint64_t created = bomp_trace_ns(j->story, task->created);
        uint64_t started = bomp_trace_ns(j->story, task->started); /* of another CPU's clock, maybe */
        put_time(j, ",\"queued us\":", started > created ? started - created : 0);
    }
}

static void slice(struct bomp_trace_sink *sink, const struct bomp_trace_slice *s) {
    struct json *j = (struct json *)sink;
    enum bomp_trace_class class = (enum bomp_trace_class)j->story->types.types[s->type].class;
    begin_event(j, "X");
    put_time(j, ",\"ts\":", s->begin);
    put_time(j, ",\"dur\":", s->end - s->begin);
    bomp_trace_out_string(j->out, ",\"cat\":", bomp_trace_type_word(j->story->types.types[s->type]));
    put_name(j, s->type);
    bomp_trace_out_text(j->out, ",\"args\":{");
    if (class == BOMP_TRACE_TASK)
        put_task(j, s);
    else if (class == BOMP_TRACE_MEMBER)
        put(j, "\"thread\":", s->number), put(j, ",\"threads\":", s->count);
    else if (class == BOMP_TRACE_REGION)
        put(j, "\"region\":", s->id);
    else if (class == BOMP_TRACE_CHUNK)
        put(j, "\"first\":", s->count), put(j, ",\"iterations\":", s->number),
            put(j, ",\"chunks\":", s->chunks);
    bomp_trace_out_text(j->out, "}}");
    if (class == BOMP_TRACE_TASK && !(s->flags & (BOMP_TRACE_AT_ONCE | BOMP_TRACE_WENT_ON)))
        arrow(j, "f\",\"bp\":\"e", s->begin, s->id);
}

static void moment(struct bomp_trace_sink *sink, uint64_t when, enum bomp_trace_kind kind, uint32_t id) {
    struct json *j = (struct json *)sink;
    begin_event(j, "i\",\"s\":\"t");
    put_time(j, ",\"ts\":", when);
    bomp_trace_out_text(j->out, kind == BOMP_TRACE_CANCEL ? ",\"name\":\"cancel\"}"
                                                          : ",\"name\":\"event fulfilled\"");
    if (kind != BOMP_TRACE_CANCEL) {
        put(j, ",\"args\":{\"task\":", id);
        bomp_trace_out_text(j->out, "}}");
    }
}

static void thread(struct bomp_trace_sink *sink, uint64_t when, uint32_t system_id, unsigned type) {
    struct json *j = (struct json *)sink;
    (void)when, (void)system_id, (void)type;
    begin_event(j, "M");
    put(j, ",\"name\":\"thread_name\",\"args\":{\"name\":\"thread ", j->lane);
    bomp_trace_out_text(j->out, "\"}}");
    begin_event(j, "M");
    put(j, ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":", j->lane);
    bomp_trace_out_text(j->out, "}}");
}

static void dependence(struct json *j, const char *phase, unsigned lane, uint64_t when, uint64_t id) {
    j->lane = lane;
    begin_event(j, phase);
    put(j, ",\"id\":", id);
    put_time(j, ",\"ts\":", when);
    bomp_trace_out_text(j->out, ",\"cat\":\"dependence\",\"name\":\"dependence\"}");
}

/* After the lanes, which say when tasks have ended. An arrow begins within its slice. */
static void put_dependences(struct json *j) {
    const struct bomp_trace_story *story = j->story;
    for (size_t i = 0; i < story->edge_count; i++) {
        const struct bomp_trace_task *first = bomp_trace_task_of(story, story->edges[i].first);
        const struct bomp_trace_task *second = bomp_trace_task_of(story, story->edges[i].second);
        if (!first->started || !first->ended || !second->started)
            continue;
        uint64_t from = bomp_trace_ns(story, first->ended), to = bomp_trace_ns(story, second->started);
        from -= from > bomp_trace_ns(story, first->started);
        dependence(j, "s", first->ended_in, from < to ? from : to, story->task_count + i);
        dependence(j, "f\",\"bp\":\"e", second->runner, to, story->task_count + i);
    }
}

/* Samples of the counter. */
enum { MOMENTS = 2000 };

static void count_queued(const struct bomp_trace_story *story, uint64_t unit, int64_t *change) {
    for (size_t i = 1; i < story->task_count; i++) {
        const struct bomp_trace_task *task = &story->tasks[i];
        uint64_t until = task->started ? task->started : task->ended;
        if (!task->created || task->created == until || task->created > story->end ||
            task->detail & BOMP_TRACE_IS_TASKWAIT) /* a taskwait, shown as a task */
            continue;
        change[bomp_trace_ns(story, task->created) / unit]++;
        if (until && until <= story->end)
            change[bomp_trace_ns(story, until) / unit]--;
    }
}

static void put_queued(struct json *j) {
    int64_t *change = bz_os_alloc(MOMENTS * sizeof *change); /* from each moment to the next */
    uint64_t unit = bomp_trace_ns(j->story, j->story->end) / MOMENTS + 1;
    int64_t now = 0, last = -1;
    if (!change)
        return;
    count_queued(j->story, unit, change);
    for (unsigned i = 0; i < MOMENTS; i++) {
        now += change[i];
        int64_t queued = now > 0 ? now : 0; /* by another CPU's clock a task may begin before its creation */
        if (queued == last)
            continue;
        begin_event(j, "C");
        put_time(j, ",\"ts\":", i * unit);
        put(j, ",\"name\":\"tasks not begun\",\"args\":{\"tasks\":", (uint64_t)queued);
        bomp_trace_out_text(j->out, "}}");
        last = queued;
    }
    bz_os_free(change, MOMENTS * sizeof *change);
}

static void put_head(struct json *j, const struct bomp_trace_program *program) {
    const char *slash = strrchr(program->name, '/');
    bomp_trace_out_string(j->out, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"program\":", program->name);
    bomp_trace_out_string(j->out, ",\"host\":", program->host);
    bomp_trace_out_string(j->out, ",\"runtime\":", program->version);
    put(j, ",\"began\":", program->began);
    put(j, ",\"dropped\":", j->story->dropped);
    put(j, "},\n\"traceEvents\":[\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":", j->pid);
    bomp_trace_out_string(j->out, ",\"args\":{\"name\":", slash ? slash + 1 : program->name);
    bomp_trace_out_text(j->out, "}}");
}

void bomp_trace_json_write(struct bomp_trace_out *out, struct bomp_trace_story *story,
                           struct bomp_sources *sources, const struct bomp_trace_program *program) {
    struct json j = {{slice, create, moment, thread}, out, story, sources, NULL, bz_os_process_id(), 0};
    j.names = bz_os_alloc(sizeof *j.names * BOMP_TRACE_TYPES_MOST);
    put_head(&j, program);
    for (; j.lane < story->lane_count; j.lane++)
        if (story->lanes[j.lane])
            bomp_trace_slices(story, j.lane, &j.sink);
    put_dependences(&j);
    j.lane = 0;
    put_queued(&j);
    bomp_trace_out_text(out, "\n]}\n");
    bz_os_free(j.names, sizeof *j.names * BOMP_TRACE_TYPES_MOST);
}
