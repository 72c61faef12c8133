/* The entry points that a tool finds by their names. Those that have to know which client asks are there once for
 * each. */
#include "ompt/ompt.h"

#include "omp/tool/tool_data.h"

#define FUNCTIONS(client)                                                                                    \
    static ompt_set_result_t set_callback_##client(ompt_callbacks_t event, ompt_callback_t callback) {       \
        return ompt_client_set(client, event, callback);                                                     \
    }                                                                                                        \
    static void skip_empty_waits_##client(void) {                                                            \
        ompt_client_skip_empty_waits(client);                                                                \
    }                                                                                                        \
    static int get_callback_##client(ompt_callbacks_t event, ompt_callback_t *callback) {                    \
        return ompt_client_get(client, event, callback);                                                     \
    }                                                                                                        \
    static ompt_data_t *get_thread_data_##client(void) {                                                     \
        return ompt_thread_data(client);                                                                     \
    }                                                                                                        \
    static int get_parallel_info_##client(int level, ompt_data_t **data, int *size) {                        \
        return ompt_parallel_info(client, level, data, size);                                                \
    }                                                                                                        \
    static int get_task_info_##client(int level, int *flags, ompt_data_t **task, ompt_frame_t **frame,       \
                                      ompt_data_t **region, int *thread_num) {                               \
        return ompt_task_info(client, level, flags, task, frame, region, thread_num);                        \
    }                                                                                                        \
    static void finalize_tool_##client(void) {                                                               \
        ompt_finalize_early(client);                                                                         \
    }                                                                                                        \
    static ompt_interface_fn_t lookup_##client(const char *name) {                                           \
        static const struct ompt_entry entries[] = {                                                         \
            {"ompt_set_callback", (ompt_interface_fn_t)set_callback_##client},                               \
            {"blitz_skip_empty_waits", (ompt_interface_fn_t)skip_empty_waits_##client},                      \
            {"ompt_get_callback", (ompt_interface_fn_t)get_callback_##client},                               \
            {"ompt_get_thread_data", (ompt_interface_fn_t)get_thread_data_##client},                         \
            {"ompt_get_parallel_info", (ompt_interface_fn_t)get_parallel_info_##client},                     \
            {"ompt_get_task_info", (ompt_interface_fn_t)get_task_info_##client},                             \
            {"ompt_finalize_tool", (ompt_interface_fn_t)finalize_tool_##client},                             \
        };                                                                                                   \
        return ompt_look_up(entries, sizeof entries / sizeof *entries, name);                                \
    }

FUNCTIONS(0)
FUNCTIONS(1)
FUNCTIONS(2)
FUNCTIONS(3)

ompt_function_lookup_t ompt_lookup_of(unsigned client) {
    static const ompt_function_lookup_t lookups[BOMP_TOOL_CLIENTS] = {lookup_0, lookup_1, lookup_2, lookup_3};
    return lookups[client];
}
