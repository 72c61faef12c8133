/* phrase.c: see phrase.h. */
#include "tools/watchdog/phrase.h"

#include <omp-tools.h>

#include "tools/common/dialect.h"
#include "tools/common/threads.h"

#define say(phrases, ...) bomp_text_printf((phrases)->text, __VA_ARGS__)

void bomp_hang_phrases_begin(struct bomp_hang_phrases *phrases, struct bomp_text *text) {
    *phrases = (struct bomp_hang_phrases){text, bomp_sources_open(), bz_os_tick_ns()};
}

void bomp_hang_phrases_end(struct bomp_hang_phrases *phrases) {
    bomp_sources_close(phrases->sources);
}

/* ---- places and things ---- */

void bomp_hang_say_place(struct bomp_hang_phrases *phrases, const void *code) {
    struct bomp_source source;
    char place[400];
    if (!code) {
        say(phrases, "an unknown place");
        return;
    }
    (void)bomp_source_of_return(phrases->sources, code, &source);
    (void)bomp_source_print(place, sizeof place, &source, code);
    say(phrases, "%s", place);
}

static void say_seconds(struct bomp_hang_phrases *phrases, uint64_t since) {
    bomp_text_fixed(phrases->text, phrases->now > since ? phrases->now - since : 0, 9, 1);
}

void bomp_hang_say_for(struct bomp_hang_phrases *phrases, uint64_t since) {
    say(phrases, ", for ");
    say_seconds(phrases, since);
    say(phrases, " s");
}

void bomp_hang_say_since(struct bomp_hang_phrases *phrases, uint64_t since) {
    say(phrases, ", ");
    say_seconds(phrases, since);
    say(phrases, " s ago");
}

/* The name of a variable, or its address. */
static void say_variable(struct bomp_hang_phrases *phrases, const void *data) {
    struct bomp_source source;
    bool known = bomp_source_of_data(phrases->sources, data, &source) && source.has_symbol;
    if (known && source.offset > 0)
        say(phrases, "%s+%zu", source.name, (size_t)source.offset);
    else if (known)
        say(phrases, "%s", source.name);
    else
        say(phrases, "%p", data);
}

static void say_critical(struct bomp_hang_phrases *phrases, const void *word) {
    struct bomp_source source;
    bool known = bomp_source_of_data(phrases->sources, word, &source) && source.has_symbol;
    if (known && source.name[0] != '\0' && source.is_critical)
        say(phrases, "critical \"%s\"", source.name);
    else
        say(phrases, "critical without a name");
}

void bomp_hang_say_lock(struct bomp_hang_phrases *phrases, uint32_t kind, uint64_t object) {
    const void *word = (const void *)(uintptr_t)object;
    switch (kind) {
    case BOMP_HANG_CRITICAL:
        say_critical(phrases, word);
        break;
    case BOMP_HANG_ATOMIC:
        say(phrases, "an atomic update");
        break;
    case BOMP_HANG_ORDERED:
        say(phrases, "its turn in an ordered loop");
        break;
    case BOMP_HANG_ITERATION:
        say(phrases, "an earlier iteration of the doacross loop");
        break;
    default:
        say(phrases, kind == BOMP_HANG_NEST_LOCK ? "the nestable lock " : "the lock ");
        say_variable(phrases, word);
        break;
    }
}

void bomp_hang_say_depend(struct bomp_hang_phrases *phrases, const struct bomp_hang_item *task,
                          unsigned depend) {
    static const char *const kinds[] = {[ompt_dependence_type_in] = "in",
                                        [ompt_dependence_type_out] = "out",
                                        [ompt_dependence_type_inout] = "inout",
                                        [ompt_dependence_type_mutexinoutset] = "mutexinoutset",
                                        [ompt_dependence_type_inoutset] = "inoutset"};
    uint32_t kind = bz_load_relaxed(&task->depends[depend].kind);
    const char *word = kind < sizeof kinds / sizeof kinds[0] ? kinds[kind] : NULL;
    if (!word) {
        say(phrases, "omp_all_memory");
        return;
    }
    say(phrases, "%s of ", word);
    say_variable(phrases, bz_load_relaxed(&task->depends[depend].address));
}

/* ---- tasks ---- */

void bomp_hang_say_task_only(struct bomp_hang_phrases *phrases, const struct bomp_hang_item *task) {
    const struct bomp_hang_item *team = bomp_hang_referred(&task->team);
    if (bz_load_relaxed(&task->state) != BOMP_HANG_IMPLICIT) {
        say(phrases, "the task of ");
        bomp_hang_say_place(phrases, bz_load_relaxed(&task->where));
    } else if (team) {
        say(phrases, "member %u of %u of the region of ", bz_load_relaxed(&task->index),
            bz_load_relaxed(&team->size));
        bomp_hang_say_place(phrases, bz_load_relaxed(&team->where));
    } else {
        say(phrases, bomp_dialect.is_native ? "no task" : "no region");
    }
}

void bomp_hang_say_task(struct bomp_hang_phrases *phrases, const struct bomp_hang_item *task) {
    const struct bomp_hang_thread *thread = bz_load_relaxed(&task->thread);
    bool is_implicit = bz_load_relaxed(&task->state) == BOMP_HANG_IMPLICIT;
    if (is_implicit && thread) {
        say(phrases, "thread %u", thread->number);
        return;
    }
    bomp_hang_say_task_only(phrases, task);
    if (thread)
        say(phrases, " on thread %u", thread->number);
}

/* ---- waits ---- */

void bomp_hang_say_wait(struct bomp_hang_phrases *phrases, const struct bomp_hang_item *task) {
    static const char *const words[BOMP_HANG_LOCK] = {
        [BOMP_HANG_BARRIER] = "the barrier of ",
        [BOMP_HANG_REGION_END] = "the end of the region of ",
        [BOMP_HANG_LEAVE] = "members that have met at different barriers, in the region of ",
        [BOMP_HANG_UNDEFERRED] = "the dependences of ",
        [BOMP_HANG_TASK] = "a future at ",
    };
    uint32_t kind = bz_load_relaxed(&task->wait.kind);
    const struct bomp_hang_item *ended =
        kind == BOMP_HANG_REGION_END ? bomp_hang_referred(&task->team) : NULL;
    if (kind < BOMP_HANG_LOCK && words[kind]) {
        say(phrases, "%s", words[kind]);
    } else if (kind == BOMP_HANG_TASKWAIT) {
        say(phrases, "the %s of ", bomp_dialect.sync);
    } else if (kind == BOMP_HANG_TASKGROUP) {
        say(phrases, "the end of the %s of ", bomp_dialect.group);
    } else {
        bomp_hang_say_lock(phrases, kind, bz_load_relaxed(&task->wait.object));
        say(phrases, " at ");
    }
    bomp_hang_say_place(phrases, bz_load_relaxed(ended ? &ended->where : &task->wait.where));
}

static void say_holder(struct bomp_hang_phrases *phrases, const struct bomp_hang_item *task) {
    const struct bomp_hang_thread *holder, *thread = bz_load_relaxed(&task->thread);
    const struct bomp_hang_held *held = bomp_hang_holder(bz_load_relaxed(&task->wait.object), &holder);
    if (bz_load_relaxed(&task->wait.kind) < BOMP_HANG_LOCK || !held)
        return;
    if (holder == thread)
        say(phrases, ", which the thread holds itself");
    else
        say(phrases, ", held by thread %u%s", holder->number,
            bz_load_relaxed(&holder->is_alive) ? "" : ", which has ended");
    say(phrases, ", taken at ");
    bomp_hang_say_place(phrases, bz_load_relaxed(&held->where));
}

static void say_work(struct bomp_hang_phrases *phrases, const struct bomp_hang_thread *thread) {
    static const char *const names[] = {[ompt_work_loop] = "loop",
                                        [ompt_work_sections] = "sections",
                                        [ompt_work_single_executor] = "single",
                                        [ompt_work_taskloop] = "taskloop",
                                        [ompt_work_loop_static] = "loop",
                                        [ompt_work_loop_dynamic] = "loop",
                                        [ompt_work_loop_guided] = "loop",
                                        [ompt_work_loop_other] = "loop",
                                        [ompt_work_scope] = "scope"};
    uint32_t work = bz_load_relaxed(&thread->work);
    const char *name = work < sizeof names / sizeof names[0] ? names[work] : NULL;
    if (!name)
        return;
    say(phrases, ", in the %s of ", name);
    bomp_hang_say_place(phrases, bz_load_relaxed(&thread->work_where));
}

static void say_outside(struct bomp_hang_phrases *phrases, const struct bomp_hang_thread *thread) {
    struct bomp_activity activity = bomp_activity_of(bz_load_relaxed(&thread->system_id));
    say(phrases, "is blocked outside of %s", bomp_dialect.name);
    if (activity.call[0] != '\0')
        say(phrases, ", in the system call %s", activity.call);
    say_work(phrases, thread);
    bomp_hang_say_for(phrases, bz_load_relaxed(&thread->last));
}

void bomp_hang_say_state(struct bomp_hang_phrases *phrases, const struct bomp_hang_item *task) {
    const struct bomp_hang_thread *thread = bz_load_relaxed(&task->thread);
    const struct bomp_hang_item *current = thread ? bz_load_relaxed(&thread->current) : NULL;
    if (bz_load_relaxed(&task->state) == BOMP_HANG_DETACHED) {
        say(phrases, "its body has ended, and its event is not fulfilled");
        bomp_hang_say_for(phrases, bz_load_relaxed(&task->since));
    } else if (bz_load_relaxed(&task->wait.kind) != BOMP_HANG_NO_WAIT) {
        say(phrases, "waits for ");
        bomp_hang_say_wait(phrases, task);
        bomp_hang_say_for(phrases, bz_load_relaxed(&task->wait.since));
        say_holder(phrases, task);
    } else if (current && current != task) {
        say(phrases, "runs ");
        bomp_hang_say_task_only(phrases, current);
    } else if (thread) {
        say_outside(phrases, thread);
    }
}

void bomp_hang_say_reason(struct bomp_hang_phrases *phrases, const struct bomp_hang_item *task,
                          const struct bomp_hang_reason *reason) {
    static const char *const links[] = {[BOMP_HANG_MISSING] = ", where this one is missing: ",
                                        [BOMP_HANG_ELSEWHERE] = ", where this one is missing: ",
                                        [BOMP_HANG_INCOMPLETE] = ", which needs ",
                                        [BOMP_HANG_HOLDS] = ", held by ",
                                        [BOMP_HANG_TURN] = ", which may be with ",
                                        [BOMP_HANG_DEPENDS] = "comes after ",
                                        [BOMP_HANG_ABOVE] = "lies under "};
    if (reason->why != BOMP_HANG_DEPENDS && reason->why != BOMP_HANG_ABOVE) {
        say(phrases, "waits for ");
        bomp_hang_say_wait(phrases, task);
    }
    if (reason->other == task) {
        say(phrases, ", which its thread holds itself");
        return;
    }
    say(phrases, "%s", links[reason->why]);
    if (reason->other)
        bomp_hang_say_task(phrases, reason->other);
}
