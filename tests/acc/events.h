/* events.h: a callback that prints all of its arguments except addresses. */
#ifndef EVENTS_H
#define EVENTS_H

#include <acc_prof.h>
#include <stddef.h>
#include <stdio.h>

static long events_seen;

static void print_event(acc_prof_info *info, acc_event_info *event, acc_api_info *api) {
    acc_other_event_info *other = &event->other_event;
    printf("  event %d/%d: version %d, device %d number %d, thread %d, queue %ld/%ld\n", info->event_type,
           event->event_type, info->version, info->device_type, info->device_number, info->thread_id,
           info->async, info->async_queue);
    printf(
        "    %d/%d/%d bytes; %s:%s, lines %d %d %d %d; parent %d, %s; %s; api %d, device %d, vendor %d%s\n",
        info->valid_bytes, other->valid_bytes, api->valid_bytes, info->src_file ? info->src_file : "",
        info->func_name ? info->func_name : "", info->line_no, info->end_line_no, info->func_line_no,
        info->func_end_line_no, other->parent_construct, other->implicit ? "implicit" : "explicit",
        other->tool_info ? "marked" : "new", api->device_api, api->device_type, api->vendor,
        api->device_handle || api->context_handle || api->async_handle ? ", handles" : "");
    other->tool_info = &events_seen; /* the second half of the event has the first one's value */
    events_seen++;
}

#endif
