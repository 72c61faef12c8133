/*
 * soak.h: a random tree of OpenMP constructs whose result is known beforehand.
 *
 * A node of the tree is a seed and a budget. Both decide how many children it has. A node without children is a leaf
 * and has a value. The sum of the tree follows from that alone (node_sum), whichever constructs run it. The seed also
 * chooses the construct that runs the children of a node, from one of two tables: constructs that one thread or task
 * enters alone (solo.c), and constructs that all threads of a team enter together (team.c). Each construct must run
 * each child exactly once. It also checks its own guarantee, such as an order, an exclusion or a copy.
 *
 * Leaves add their values to the ledger of their scene. A scene ends when everything below its node is complete: at the
 * end of a region or of a taskgroup. The ledger must then contain the sum of the node.
 */
#ifndef SOAK_H
#define SOAK_H

#include <omp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../sanitized.h"

/* ---- the tree (tree.c) ---- */

struct node {
    uint64_t seed;
    unsigned budget;
};

/* No node has more children. */
enum { MOST_CHILDREN = 200 };

/* The choices that a seed makes. Each has its own salt, so that they are independent. */
enum salt {
    PICK_SHAPE = 1,
    PICK_COUNT,
    PICK_VARIANT,
    PICK_WAY,
    PICK_SIZE,
    PICK_CHUNK,
    PICK_IF,
    PICK_FINAL,
    PICK_PRIORITY,
    PICK_NOWAIT,
    PICK_BUSY,
    PICK_THREAD,
    PICK_END,
    PICK_ROLE /* the last one: callers add to it */
};

/* The choice of node `n` for `salt`: a number below `range`. */
unsigned pick(struct node n, unsigned salt, unsigned range);
unsigned node_count(struct node n);
struct node node_child(struct node n, unsigned i);
/* The value of a leaf; for another node, an arbitrary number of its own. */
uint64_t node_value(struct node n);
/* The sum of the values of all leaves below it, by a serial walk. */
uint64_t node_sum(struct node n);

/* ---- ledgers (ledger.c) ---- */

/* Leaves add to one of these. Everything but `by_atomic` is plain memory, guarded by the construct in its name. */
struct ledger {
    uint64_t by_atomic, by_critical, by_left, by_right, by_lock, by_nest;
    omp_lock_t lock;
    omp_nest_lock_t nest;
};

void ledger_open(struct ledger *ledger);
/* Adds the value of the leaf `n`. */
void ledger_add(struct ledger *ledger, struct node n);
/* Adds `sum` in place of the leaves below `n`. */
void ledger_put(struct ledger *ledger, struct node n, uint64_t sum);
/* The end of the scene that played `n`: checks that everything was added. */
void ledger_close(struct ledger *ledger, struct node n, const char *scene);

/* ---- scenes (solo.c, team.c) ---- */

/* Shared by the threads of a region, besides the ledger. */
struct team {
    uint64_t turn, sum;
    unsigned size;
};

/* Where a node is played. Passed by value: a task may outlive the frame that made it. */
struct scene {
    struct ledger *ledger;
    struct team *team;
    unsigned width;   /* threads that a region here may have */
    unsigned level;   /* regions, target regions and host threads around */
    unsigned outside; /* outside of all regions and tasks: teams are allowed */
    unsigned final;   /* in a final task: nothing is deferred */
};

/* Plays a node in the current task, with any construct that a single task may enter. Tasks may add some of its leaves
 * later, but before the scene ends. */
void solo(struct scene s, struct node n);
/* Plays a node by all threads of the team, which all call it. */
void together(struct scene s, struct node n);
/* Opens a ledger for `n`, plays it by `play`, then checks the ledger. Everything must be complete when `play`
 * returns. */
void scene_within(struct scene s, struct node n, const char *name, void (*play)(struct scene, struct node));
/* The same, with the scene of a region of `size` threads, which `play` opens (regions.c). */
typedef void region_fn(struct scene in, struct node n, int size);
void scene_region(struct scene s, struct node n, const char *name, region_fn *play);

/* ---- choosing (choice.c) ---- */

typedef void construct_fn(struct scene s, struct node n);

/* A row of a table, which ends with a row of zeroes. */
struct construct {
    const char *name;
    construct_fn *play;
    unsigned weight; /* how often it is chosen, relative to the others */
    enum { ANYWHERE, NOT_DEEP, OUTSIDE } where;
};

/* Plays a node with children, by the construct that its seed chooses among those allowed here. Constructs in the
 * comma-separated list SOAK_WITHOUT are replaced by the first row of the table; other nodes stay as they are. */
void play_chosen(const struct construct *table, struct scene s, struct node n);

/* ---- failures, and the position of each thread (trail.c) ---- */

/* The current round, and whether Blitz serves it: the tests step around some faults of other runtimes. */
extern uint64_t soak_round;
extern int soak_is_blitz;

#define soak_check(condition, n) ((condition) ? (void)0 : soak_fail(__FILE__, __LINE__, #condition, (n)))
void soak_fail(const char *file, int line, const char *what, struct node n);
unsigned soak_failures(void);
/* Reports that the system refuses what a round needs, and ends the process. */
_Noreturn void soak_refused(const char *what);
/* Records the thread's current step for the watchdog: '+' begins the construct, '-' ends it. */
void trail(char step, const char *construct, struct node n);
/* Ends the process and prints all trails, unless it is called again within `seconds`. */
void trail_watch(unsigned seconds);

/* ---- constructs ---- */

/* One task (tasks.c). */
construct_fn tasks_loose, tasks_family, tasks_group, tasks_payload, tasks_yielding, tasks_settings;
construct_fn taskloop_plain, taskloop_ranges, taskloop_reduction;
construct_fn depend_random, detach_events, reduction_tasks;
construct_fn region_plain, region_loops, region_reduction, region_clauses, hosts_threads, hosts_fork;
construct_fn combined_loop, combined_sections, combined_taskloop, combined_simd, memory_atomics,
    memory_blocks;
construct_fn target_plain, target_tasks, teams_league;
construct_fn cancel_loop, cancel_sections, cancel_region, cancel_group;

/* All threads of a team (shares.c, loops.c, ordered.c). */
construct_fn team_loop, team_ordered, team_doacross, team_sections, team_single, team_copyprivate,
    team_masked;
construct_fn team_everyone, team_tasks, team_scope;

/* The threadprivate word that copyin brings to the threads of a region. */
extern uint64_t region_token;
#pragma omp threadprivate(region_token)

#endif
