/* listen.c: see listen.h. */
#include "tools/common/listen.h"

#include "ompt/blitz-tools.h"

void bomp_listen(ompt_function_lookup_t lookup, const struct bomp_listener *listeners, size_t count,
                 ompt_callback_t task_await) {
    ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    blitz_skip_empty_waits_t skip_empty_waits = (blitz_skip_empty_waits_t)lookup("blitz_skip_empty_waits");
    blitz_set_task_await_t set_task_await = (blitz_set_task_await_t)lookup("blitz_set_task_await");
    if (skip_empty_waits)
        skip_empty_waits();
    if (set_task_await)
        set_task_await(task_await);
    for (size_t i = 0; i < count; i++)
        (void)set_callback(listeners[i].event, listeners[i].function);
}
