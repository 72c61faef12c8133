/* sorts.h: what kinds of worksharing there are: the numbers that OMPT has for them, and one more. */
#ifndef BOMP_STATS_SORTS_H
#define BOMP_STATS_SORTS_H

#include <omp-tools.h>
#include <stdint.h>

enum { BOMP_SORT_MASKED = 1000 };

/* As the table and the JSON form have them. */
static inline const char *bomp_sort_name(uint32_t sort) {
    switch (sort) {
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
    case BOMP_SORT_MASKED:
        return "masked";
    default:
        return "work";
    }
}

#endif
