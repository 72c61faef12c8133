// The scheduler's operations one by one, with Google Benchmark: the Time column is ns per operation.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>

#include "probe.h"

void probe_fail(const char *what) {
    std::fprintf(stderr, "micro: %s\n", what);
    std::exit(1);
}

namespace {

constexpr uint64_t batch = 1000;

void run(benchmark::State &state, const probe *probe) {
    if (probe->open)
        probe->open();
    probe->run(batch); // warm
    while (state.KeepRunningBatch(batch))
        probe->run(batch);
    if (probe->close)
        probe->close();
}

} // namespace

int main(int argc, char **argv) {
    for (const probe_list *list : {&probe_deque, &probe_slab, &probe_fork, &probe_team})
        for (size_t i = 0; i < list->count; i++)
            benchmark::RegisterBenchmark(list->probes[i].name, run, &list->probes[i])->UseRealTime();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 1;
    benchmark::RunSpecifiedBenchmarks();
}
