/* work_name.h: names of kinds of worksharing: OMPT's, and one more. */
#ifndef BOMP_WORK_NAME_H
#define BOMP_WORK_NAME_H

#include <omp-tools.h>
#include <stdint.h>

enum { BOMP_WORK_MASKED = 1000 };

/* For tables, JSON and timelines. */
static inline const char *bomp_work_name(uint32_t kind) {
    switch (kind) {
    case ompt_work_loop:
        return "loop";
    case ompt_work_loop_static:
        return "static loop";
    case ompt_work_loop_dynamic:
        return "dynamic loop";
    case ompt_work_loop_guided:
        return "guided loop";
    case ompt_work_loop_other:
        return "other loop";
    case ompt_work_sections:
        return "sections";
    case ompt_work_single_executor:
        return "single";
    case ompt_work_workshare:
        return "workshare";
    case ompt_work_distribute:
        return "distribute";
    case ompt_work_taskloop:
        return "taskloop";
    case ompt_work_scope:
        return "scope";
    case BOMP_WORK_MASKED:
        return "masked";
    default:
        return "work";
    }
}

#endif
