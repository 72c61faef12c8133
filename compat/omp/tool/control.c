#include "omp/tool/control.h"

#include "omp/tool/region.h"
#include "omp/tool/tool.h"

/* As in omp.h; what a tool returns itself is larger. */
enum { NO_TOOL = -2, NO_CALLBACK = -1 };

/* The program's tool is the last one, and its answer counts. */
int bomp_tool_control(int command, int modifier, void *argument, const void *code, void *frame) {
    struct bomp_member *self = bomp_self();
    if (!bomp_tool_is_told(self) || bz_load_relaxed(&bomp_tool_table.count) == 0) /* relaxed: as in tool.h */
        return NO_TOOL;
    int answer = NO_CALLBACK;
    bomp_tool_enter_frame(bomp_tool_current(self), frame, ompt_frame_cfa);
    BOMP_TELL_ANSWER(answer, control_tool, control_tool, (uint64_t)command, (uint64_t)modifier, argument,
                     code);
    bomp_tool_enter_frame(bomp_tool_current(self), NULL, 0);
    return answer;
}
