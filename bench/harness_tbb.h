// harness_tbb.h: common parts of the programs for oneTBB.
#ifndef HARNESS_TBB_H
#define HARNESS_TBB_H

#include <cstdlib>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_group.h>

// While it lives, TBB uses OMP_NUM_THREADS threads; without that variable, its default.
class harness_threads {
    static size_t wanted() {
        const char *text = std::getenv("OMP_NUM_THREADS");
        long number = text ? std::atol(text) : 0;
        return number > 0 ? static_cast<size_t>(number)
                          : tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
    }
    tbb::global_control control{tbb::global_control::max_allowed_parallelism, wanted()};
};

#endif
