/* What the program itself tells its tools. */
#ifndef BOMP_TOOL_CONTROL_H
#define BOMP_TOOL_CONTROL_H

/* omp_control_tool, called where `code` and `frame` say: what it returns. */
int bomp_tool_control(int command, int modifier, void *argument, const void *code, void *frame);

#endif
