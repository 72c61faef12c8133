/* team.c: the constructs that all threads of a team enter together, and their weights. */
#include "soak.h"

static void one_after_the_other(struct scene s, struct node n) {
    for (unsigned i = 0; i < node_count(n); i++)
        together(s, node_child(n, i));
}

static const struct construct constructs[] = {
    {"team sequence", one_after_the_other, 5, ANYWHERE},
    {"everyone", team_everyone, 2, ANYWHERE},
    {"for", team_loop, 6, ANYWHERE},
    {"for ordered", team_ordered, 2, ANYWHERE},
    {"doacross", team_doacross, 2, ANYWHERE},
    {"sections", team_sections, 2, ANYWHERE},
    {"single", team_single, 3, ANYWHERE},
    {"copyprivate", team_copyprivate, 2, ANYWHERE},
    {"masked", team_masked, 1, ANYWHERE},
    {"team tasks", team_tasks, 3, ANYWHERE},
    {"scope", team_scope, 1, ANYWHERE},
    {0},
};

void together(struct scene s, struct node n) {
    if (node_count(n) > 0)
        play_chosen(constructs, s, n);
    else if (pick(n, PICK_THREAD, s.team->size) == (unsigned)omp_get_thread_num())
        ledger_add(s.ledger, n);
}
