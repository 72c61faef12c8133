/* html.c: the report: one page with its program (report/) and its data. The data of a lane is numbers of seven bits a byte
 * (out.h) in base64: 15 MB for a million tasks. Each item begins with a tag and the time since the previous item:
 *
 *   0  a task is created     id, id of the task that creates it, BOMP_TRACE_IS_...
 *   1  a moment              1 of a cancellation, else 0; id
 *   2  a thread begins       the system's number, ompt_thread_t
 *   3  a task has waited     ids of the task that it waited for, and its own
 *   4  chunks                number of chunks in the next slice
 *   16 * (type + 1) + flags  a slice ends: depth, length; of a task, member or region: id; of a member: number, count; of a
 *                            region: threads asked for; of work: count; of a chunk: the first iteration
 *
 * Ids are differences to the previous one, with the sign in the lowest bit. */
#include "tools/stats/stats.h"
#include "tools/trace/file.h"
#include "tools/trace/page.h"
#include "tools/trace/record.h"

/* Deeper slices, of unbounded recursion, are left out: a browser is slow with that many rows. */
#define DEPTH_MOST 2000

struct html {
    struct bomp_trace_sink sink;
    struct bomp_trace_out *out;
    struct bomp_trace_story *story;
    uint64_t time;
    uint32_t id;
    uint64_t hidden; /* slices left out */
};

static void put(struct html *h, uint64_t number) {
    bomp_trace_out_number64(h->out, number);
}

static void put_time(struct html *h, uint64_t when) {
    put(h, when - h->time);
    h->time = when;
}

static void put_id(struct html *h, uint32_t id) {
    put(h, bomp_trace_out_zigzag((int64_t)id - (int64_t)h->id));
    h->id = id;
}

static void create(struct bomp_trace_sink *sink, uint64_t when, uint32_t id, uint32_t by) {
    struct html *h = (struct html *)sink;
    put(h, 0);
    put_time(h, when);
    put_id(h, id);
    put_id(h, by);
    put(h, bomp_trace_task_of(h->story, id)->detail);
}

static void moment(struct bomp_trace_sink *sink, uint64_t when, enum bomp_trace_kind kind, uint32_t id) {
    struct html *h = (struct html *)sink;
    put(h, 1);
    put_time(h, when);
    put(h, kind == BOMP_TRACE_CANCEL);
    put_id(h, id);
}

static void thread(struct bomp_trace_sink *sink, uint64_t when, uint32_t system_id, unsigned type) {
    struct html *h = (struct html *)sink;
    put(h, 2);
    put_time(h, when);
    put(h, system_id);
    put(h, type);
}

static void slice(struct bomp_trace_sink *sink, const struct bomp_trace_slice *s) {
    struct html *h = (struct html *)sink;
    unsigned class = h->story->types.types[s->type].class;
    if (s->depth >= DEPTH_MOST) {
        h->hidden++;
        return;
    }
    if (class == BOMP_TRACE_CHUNK && s->chunks > 1)
        put(h, 4), put(h, 0), put(h, s->chunks);
    put(h, 16 * (s->type + 1) + s->flags);
    put_time(h, s->end);
    put(h, s->depth);
    put(h, s->end - s->begin);
    if (class == BOMP_TRACE_TASK || class == BOMP_TRACE_MEMBER || class == BOMP_TRACE_REGION)
        put_id(h, s->id);
    if (class == BOMP_TRACE_MEMBER)
        put(h, s->number), put(h, s->count);
    if (class == BOMP_TRACE_REGION)
        put(h, s->number);
    if (class == BOMP_TRACE_WORK || class == BOMP_TRACE_CHUNK)
        put(h, s->count);
}

static void put_edges(struct html *h) {
    for (size_t i = 0; i < h->story->edge_count; i++) {
        put(h, 3);
        put(h, 0);
        put_id(h, h->story->edges[i].first);
        put_id(h, h->story->edges[i].second);
    }
}

/* The last lane has the dependences of all. */
static void put_lane(struct html *h, unsigned lane) {
    bomp_trace_out_number(h->out, "<script type=\"text/plain\" class=\"lane\" data-number=\"", lane);
    bomp_trace_out_text(h->out, "\">");
    h->time = 0;
    h->id = 0;
    bomp_trace_slices(h->story, lane, &h->sink);
    if (lane + 1 == h->story->lane_count)
        put_edges(h);
    bomp_trace_out_end64(h->out);
    bomp_trace_out_text(h->out, "</script>\n");
}

static void put_types(struct bomp_trace_out *out, const struct bomp_trace_types *types,
                      struct bomp_sources *sources) {
    struct bomp_trace_place place;
    bomp_trace_out_text(out, ",\"types\":[null");
    for (unsigned i = 1; i < types->count; i++) {
        bomp_trace_type_place(&place, types->types[i], sources);
        bomp_trace_out_number(out, ",\n{\"class\":", types->types[i].class);
        bomp_trace_out_number(out, ",\"detail\":", types->types[i].detail);
        bomp_trace_out_string(out, ",\"word\":", bomp_trace_type_word(types->types[i]));
        bomp_trace_out_string(out, ",\"place\":", place.text);
        bomp_trace_out_string(out, ",\"path\":", place.path);
        bomp_trace_out_number(out, ",\"line\":", place.line);
        bomp_trace_out_text(out, "}");
    }
    bomp_trace_out_text(out, "]");
}

/* The table of BLITZ_STATS, if it is on. */
static void put_statistics(struct bomp_trace_out *out) {
    struct bomp_text text;
    if (bomp_stats_now(&text))
        bomp_trace_out_string(out, ",\"statistics\":", text.bytes);
    bomp_text_free(&text);
}

/* After the lanes, which define the types. */
static void put_facts(const struct html *h, struct bomp_sources *sources,
                      const struct bomp_trace_program *program) {
    struct bomp_trace_out *out = h->out;
    const struct bomp_trace_story *story = h->story;
    bomp_trace_out_text(out, "<script type=\"application/json\" id=\"facts\">{\"form\":1");
    bomp_trace_out_string(out, ",\"program\":", program->name);
    bomp_trace_out_string(out, ",\"host\":", program->host);
    bomp_trace_out_string(out, ",\"runtime\":", program->version);
    bomp_trace_out_number(out, ",\"process\":", bz_os_process_id());
    bomp_trace_out_number(out, ",\"began\":", program->began);
    bomp_trace_out_number(out, ",\"length\":", bomp_trace_ns(story, story->end));
    bomp_trace_out_number(out, ",\"dropped\":", story->dropped);
    bomp_trace_out_number(out, ",\"hidden\":", h->hidden);
    put_types(out, &story->types, sources);
    put_statistics(out);
    bomp_trace_out_text(out, "}</script>\n");
}

void bomp_trace_html_write(struct bomp_trace_out *out, struct bomp_trace_story *story,
                           struct bomp_sources *sources, const struct bomp_trace_program *program) {
    struct html h = {{slice, create, moment, thread}, out, story, 0, 0, 0};
    bomp_trace_out_bytes(out, bomp_trace_page.head, bomp_trace_page.head_length);
    for (unsigned lane = 0; lane < story->lane_count; lane++)
        if (story->lanes[lane])
            put_lane(&h, lane);
    put_facts(&h, sources, program);
    bomp_trace_out_bytes(out, bomp_trace_page.tail, bomp_trace_page.tail_length);
}
