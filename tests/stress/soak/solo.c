/* solo.c: the constructs that one task enters alone, and their weights. */
#include "soak.h"

static void one_after_the_other(struct scene s, struct node n) {
    for (unsigned i = 0; i < node_count(n); i++)
        solo(s, node_child(n, i));
}

static const struct construct constructs[] = {
    {"sequence", one_after_the_other, 2, ANYWHERE},
    {"tasks", tasks_loose, 6, ANYWHERE},
    {"task family", tasks_family, 4, ANYWHERE},
    {"taskgroup", tasks_group, 4, ANYWHERE},
    {"task payload", tasks_payload, 2, ANYWHERE},
    {"taskyield", tasks_yielding, 2, ANYWHERE},
    {"task settings", tasks_settings, 2, ANYWHERE},
    {"taskloop", taskloop_plain, 4, ANYWHERE},
    {"taskloop ranges", taskloop_ranges, 2, ANYWHERE},
    {"taskloop reduction", taskloop_reduction, 3, ANYWHERE},
    {"depend", depend_random, 6, ANYWHERE},
    {"detach", detach_events, 3, ANYWHERE},
    {"task reduction", reduction_tasks, 3, ANYWHERE},
    {"parallel", region_plain, 8, NOT_DEEP},
    {"parallel loops", region_loops, 4, NOT_DEEP},
    {"parallel reduction", region_reduction, 2, NOT_DEEP},
    {"parallel clauses", region_clauses, 2, NOT_DEEP},
    {"parallel for", combined_loop, 2, NOT_DEEP},
    {"parallel sections", combined_sections, 1, NOT_DEEP},
    {"parallel taskloop", combined_taskloop, 2, NOT_DEEP},
    {"parallel for simd", combined_simd, 1, NOT_DEEP},
    {"atomics", memory_atomics, 1, NOT_DEEP},
    {"blocks", memory_blocks, 2, ANYWHERE},
    {"host threads", hosts_threads, 1, NOT_DEEP},
    {"fork", hosts_fork, 2, OUTSIDE},
    {"target", target_plain, 1, NOT_DEEP},
    {"target tasks", target_tasks, 2, NOT_DEEP},
    {"teams", teams_league, 2, OUTSIDE},
    {"cancel loop", cancel_loop, 1, NOT_DEEP},
    {"cancel sections", cancel_sections, 1, NOT_DEEP},
    {"cancel region", cancel_region, 1, NOT_DEEP},
    {"cancel taskgroup", cancel_group, 2, ANYWHERE},
    {0},
};

void solo(struct scene s, struct node n) {
    if (node_count(n) == 0)
        ledger_add(s.ledger, n);
    else
        play_chosen(constructs, s, n);
}

void scene_within(struct scene s, struct node n, const char *name, construct_fn *play) {
    struct ledger ledger;
    struct scene inner = s;
    inner.ledger = &ledger;
    ledger_open(&ledger);
    play(inner, n);
    ledger_close(&ledger, n, name);
    ledger_put(s.ledger, n, node_sum(n));
}
