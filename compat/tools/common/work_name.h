/* work_name.h: names of kinds of worksharing: OMPT's, and one more. */
#ifndef BOMP_WORK_NAME_H
#define BOMP_WORK_NAME_H

#include <omp-tools.h>
#include <stdint.h>

enum { BOMP_WORK_MASKED = ompt_work_loop_other + 1 };

/* For tables, JSON and timelines. */
static inline const char *bomp_work_name(uint32_t kind) {
    static const char *const names[] = {
        [ompt_work_loop] = "loop",
        [ompt_work_sections] = "sections",
        [ompt_work_single_executor] = "single",
        [ompt_work_workshare] = "workshare",
        [ompt_work_distribute] = "distribute",
        [ompt_work_taskloop] = "taskloop",
        [ompt_work_scope] = "scope",
        [ompt_work_loop_static] = "static loop",
        [ompt_work_loop_dynamic] = "dynamic loop",
        [ompt_work_loop_guided] = "guided loop",
        [ompt_work_loop_other] = "other loop",
        [BOMP_WORK_MASKED] = "masked",
    };
    return kind < sizeof names / sizeof *names && names[kind] ? names[kind] : "work";
}

#endif
