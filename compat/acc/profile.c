/* profile.c: see profile.h. A callback is registered in a list that only grows: one that goes is not called until it
 * comes again, with a new ticket. So lists are walked without a lock, callbacks may change them, and the child of a fork
 * finds them whole.
 *
 * Pairing table
 *   P1 add publishes a watcher   P2 newest sees it   its callback, and those older than it
 *
 * Other words that are written later are relaxed: each counts alone, and its reader may have come before the change. */
#include "profile.h"

#include <dlfcn.h>
#include <string.h>

#include "acc.h"
#include "device.h"
#include "runtime.h"

/* The version of the interface, as in acc_prof.h. */
#define PROFILE_VERSION 201711

/* A callback for one event. All but the first two are written by threads that register, read by all. */
struct watcher {
    acc_prof_callback *callback;
    struct watcher *older;
    struct bz_a64 ticket; /* grows in the order of registration */
    struct bz_a32 refs;   /* how often it is registered; 0: not now */
    struct bz_aflag off;  /* toggled off */
};

/* Of each event. */
struct event_list {
    struct {
        struct watcher *v;
    } newest;            /* written by threads that add one, read by all */
    struct bz_aflag off; /* toggled off */
};

static struct event_list lists[ACC_EV_LAST];
static struct bz_a64 tickets; /* the last one given out */

/* Whether anything was ever registered: without, an event costs one load. */
static struct bz_aflag watched;

/* All are toggled off. */
static struct bz_aflag all_off;

/* The calling thread has toggled all off for itself. */
static __thread bool thread_is_off;

/* ---- events ---- */

static struct watcher *newest(const struct event_list *list) {
    return bz_load_acquire(&list->newest); /* P2: pairs with P1 */
}

static bool is_live(struct watcher *watcher) {
    return bz_load_relaxed(&watcher->refs) > 0 && !bz_load_relaxed(&watcher->off);
}

/* The live one with the least ticket in (*low, *high), or with the greatest, which becomes the new bound. */
static struct watcher *next(const struct event_list *list, uint64_t *low, uint64_t *high, bool least) {
    struct watcher *found = NULL;
    uint64_t best = least ? *high : *low;
    for (struct watcher *watcher = newest(list); watcher; watcher = watcher->older) {
        uint64_t ticket = bz_load_relaxed(&watcher->ticket);
        if (ticket <= (least ? *low : best) || ticket >= (least ? best : *high) || !is_live(watcher))
            continue;
        found = watcher;
        best = ticket;
    }
    if (found)
        *(least ? low : high) = best;
    return found;
}

/* Those that were registered before, each once, whatever the callbacks register or drop. */
static void call_all(struct bacc_profile *profile, const struct event_list *list, bool in_order) {
    uint64_t low = 0, high = bz_load_relaxed(&tickets) + 1;
    struct watcher *watcher;
    while ((watcher = next(list, &low, &high, in_order)))
        watcher->callback(&profile->info, &profile->event, &profile->api);
}

static bool is_off(const struct event_list *list) {
    return bz_load_relaxed(&all_off) || bz_load_relaxed(&list->off) || thread_is_off;
}

static void call(struct bacc_profile *profile, int event, bool in_order) {
    profile->info.event_type = profile->event.event_type = event;
    if (!is_off(&lists[event]))
        call_all(profile, &lists[event], in_order);
}

static void start(struct bacc_profile *profile, const struct bacc_event *event) {
    int type = event->device_type ? event->device_type : ACC_DEVICE_HOST;
    memset(profile, 0, sizeof *profile);
    profile->on = true;
    profile->info = (struct acc_prof_info){.valid_bytes = sizeof profile->info,
                                           .version = PROFILE_VERSION,
                                           .device_type = type,
                                           .thread_id = -1,
                                           .async = event->queue,
                                           .async_queue = event->queue,
                                           .line_no = -1,
                                           .end_line_no = -1,
                                           .func_line_no = -1,
                                           .func_end_line_no = -1};
    profile->event = (struct acc_event_info){
        .valid_bytes = sizeof profile->event, .parent_construct = event->parent, .implicit = event->implicit};
    profile->api =
        (struct acc_api_info){.valid_bytes = sizeof profile->api, .device_type = type, .vendor = -1};
    call(profile, event->start, true);
}

void bacc_profile_start(struct bacc_profile *profile, const struct bacc_event *event) {
    profile->on = false;
    if (bz_unlikely(bz_load_relaxed(&watched)) && !thread_is_off)
        start(profile, event);
}

void bacc_profile_end(struct bacc_profile *profile) {
    if (profile->on)
        call(profile, profile->info.event_type + 1, false);
}

/* ---- registering ---- */

/* The watcher of a callback among those that are not newer than `from`. */
static struct watcher *find(struct watcher *from, acc_prof_callback *callback) {
    while (from && from->callback != callback)
        from = from->older;
    return from;
}

/* Registered once more, or for the first time. */
static void count(struct watcher *watcher) {
    if (bz_fetch_add_relaxed(&watcher->refs, 1) > 0)
        return;
    bz_store_relaxed(&watcher->ticket, bz_fetch_add_relaxed(&tickets, 1) + 1);
    bz_store_relaxed(&watcher->off, false);
}

static void add(struct event_list *list, acc_prof_callback *callback) {
    struct watcher *head = newest(list), *watcher = find(head, callback), *mine = NULL;
    while (!watcher) {
        if (!mine && !(mine = bz_alloc_zero(1, sizeof *mine)))
            bomp_no_memory("a callback of acc_prof_register");
        mine->callback = callback;
        mine->older = head;
        if (bz_cas_release(&list->newest, &head, mine)) { /* P1: pairs with P2 */
            count(mine);
            return;
        }
        head = newest(list);
        watcher = find(head, callback);
    }
    bz_free(mine);
    count(watcher);
}

static void drop(struct event_list *list, acc_prof_callback *callback) {
    struct watcher *watcher = find(newest(list), callback);
    uint32_t refs = watcher ? bz_load_relaxed(&watcher->refs) : 0;
    while (refs > 0 && !bz_cas_relaxed(&watcher->refs, &refs, refs - 1))
        continue;
}

/* No callback: all of the event. No event either: all of them. */
static void toggle(int event, acc_prof_callback *callback, bool off) {
    struct watcher *watcher = callback ? find(newest(&lists[event]), callback) : NULL;
    if (watcher)
        bz_store_relaxed(&watcher->off, off);
    else if (!callback)
        bz_store_relaxed(event == ACC_EV_NONE ? &all_off : &lists[event].off, off);
}

/* Calls without a meaning are ignored without a message, as by libgomp. */
static void change(int event, acc_prof_callback *callback, int how, bool on) {
    if (event < ACC_EV_NONE || event >= ACC_EV_LAST)
        return;
    if (how == ACC_TOGGLE)
        toggle(event, callback, !on);
    else if (how == ACC_TOGGLE_PER_THREAD && event == ACC_EV_NONE && !callback)
        thread_is_off = !on;
    else if (how == ACC_REG && callback && on)
        add(&lists[event], callback);
    else if (how == ACC_REG && callback)
        drop(&lists[event], callback);
}

void acc_prof_register(int event, acc_prof_callback *callback, int how) {
    bz_store_relaxed(&watched, true);
    change(event, callback, how, true);
}

/* Ignored before anything is registered, as by libgomp. */
void acc_prof_unregister(int event, acc_prof_callback *callback, int how) {
    if (bz_load_relaxed(&watched))
        change(event, callback, how, false);
}

/* ---- tools of the environment ---- */

static void load_tool(const char *name) {
    void *library = dlopen(name, RTLD_LAZY);
    void *entry = library ? dlsym(library, "acc_register_library") : NULL;
    if (!entry) {
        bz_warn_value("ACC_PROFLIB", name, "%s; it gets no events", dlerror());
        return;
    }
    void (*register_library)(acc_prof_reg *, acc_prof_reg *, acc_prof_lookup_func *);
    memcpy(&register_library, &entry, sizeof entry);
    register_library(acc_prof_register, acc_prof_unregister, acc_prof_lookup);
}

/* GCC's own library, which is also loaded where ours is preloaded, makes them register here. */
static bool are_loaded_by_another(void) {
    return bz_os_defined("libgomp.so.1", "GOMP_PLUGIN_malloc");
}

void bacc_load(void) {
    static struct bz_aflag loaded;
    if (!bz_first_time(&loaded))
        return;
    bacc_device_load();
    const char *text = bz_os_getenv("ACC_PROFLIB");
    char *names = text && !are_loaded_by_another() ? bz_os_format("%s", text) : NULL, *rest = names;
    while (rest) {
        const char *name = strsep(&rest, ";");
        if (*name)
            load_tool(name);
    }
    bz_free(names);
}
