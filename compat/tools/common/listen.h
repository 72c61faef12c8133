/* listen.h: how a tool begins to listen to the runtime. */
#ifndef BOMP_LISTEN_H
#define BOMP_LISTEN_H

#include <omp-tools.h>
#include <stddef.h>

struct bomp_listener {
    ompt_callbacks_t event;
    ompt_callback_t function;
};

/* The listener on_EVENT. */
#define BOMP_ON(event)                                                                                       \
    { ompt_callback_##event, (ompt_callback_t)on_##event }

/* For a tool's `initialize`: registers the callbacks. Where the runtime is ours (blitz-tools.h), also `task_await`, and
 * leaves out what is nothing in the program. */
void bomp_listen(ompt_function_lookup_t lookup, const struct bomp_listener *listeners, size_t count,
                 ompt_callback_t task_await);

#endif
