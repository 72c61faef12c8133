/* The table that compat/omp asks. */
#include "ompt/notify.h"

struct ompt_table ompt_table;

static const struct bomp_hooks hooks = {
    .region = &ompt_region_hooks,
    .task = &ompt_task_hooks,
    .sync = &ompt_sync_hooks,
    .mutex = &ompt_mutex_hooks,
    .work = &ompt_work_hooks,
    .target = &ompt_target_hooks,
};

const struct bomp_hooks *bomp_hooks = &hooks;
