/* stress_tally.c: children of one owner that end on this and on other threads. A wait ends when all have ended, and not
 * before. If the owner ends first, exactly one thread releases, and none touches the tally after that. */
#include "stress.h"

#include "base/tally.h"
#include "os/os.h"

enum { CHILDREN = 24, MAX_HELPERS = 64 };

/* An owner's data, with its tally. */
struct parent {
    struct bz_tally tally;
    struct bz_a32 *wake;     /* the owner's; never freed */
    struct bz_a32 *released; /* of the round; never freed */
    unsigned effects[CHILDREN];
};

struct child {
    struct parent *parent;
    unsigned number;
};

/* One mailbox for each helper: full when the parent is set. */
struct mailbox {
    BZ_ALIGN_LINE struct bz_a32 full;
    struct child child;
};

static struct {
    struct mailbox mail[MAX_HELPERS];
    unsigned helpers, rounds;
    struct bz_a32 over, wakes;
} world;

static void end_child_elsewhere(struct child child) {
    struct parent *parent = child.parent;
    struct bz_a32 *wake = parent->wake, *released = parent->released;
    parent->effects[child.number] = child.number + 1;
    switch (bz_tally_sub_shared(&parent->tally)) {
    case BZ_TALLY_RELEASE:
        free(parent);
        bz_fetch_add_release(released, 1);
        break;
    case BZ_TALLY_WAKE:
        bz_fetch_add_release(wake, 1);
        bz_os_futex_wake(&wake->v, 1);
        bz_fetch_add_relaxed(&world.wakes, 1);
        break;
    case BZ_TALLY_COUNTED:
        break;
    }
}

static void helper(struct mailbox *mail, struct stress_rng *rng) {
    while (!bz_load_acquire(&world.over)) {
        if (!bz_load_acquire(&mail->full)) {
            sched_yield();
            continue;
        }
        struct child child = mail->child;
        bz_store_release(&mail->full, 0);
        for (unsigned i = stress_random(rng, 8) == 0 ? 2 : 0; i > 0; i--)
            sched_yield();
        end_child_elsewhere(child);
    }
}

/* Gives a new child to a helper with an empty mailbox, or to the owner itself. */
static bool give_away(struct parent *parent, unsigned number, struct stress_rng *rng) {
    struct mailbox *mail = &world.mail[stress_random(rng, world.helpers)];
    if (stress_random(rng, 3) == 0 || bz_load_acquire(&mail->full))
        return false;
    mail->child = (struct child){parent, number};
    bz_store_release(&mail->full, 1);
    return true;
}

static void wait_for_all(struct parent *parent) {
    bool flagged = false;
    for (;;) {
        uint32_t seen = bz_load_acquire(parent->wake);
        if (bz_tally_none(&parent->tally))
            break;
        if (!flagged)
            bz_tally_set_waiting(&parent->tally);
        else
            bz_os_futex_wait(&parent->wake->v, seen);
        flagged = true;
    }
    if (flagged)
        bz_tally_clear_waiting(&parent->tally);
}

static void owner(struct stress_rng *rng) {
    struct bz_a32 wake = {0};
    for (unsigned round = 0; round < world.rounds; round++) {
        struct bz_a32 released = {0};
        struct parent *parent = malloc(sizeof *parent);
        stress_check(parent);
        *parent = (struct parent){.wake = &wake, .released = &released};
        bz_tally_init(&parent->tally);
        unsigned count = stress_random(rng, CHILDREN + 1), own = 0;
        for (unsigned i = 0; i < count; i++) {
            bz_tally_add(&parent->tally);
            own += !give_away(parent, i, rng);
            if (own > 0 && stress_random(rng, 2) == 0) {
                bz_tally_sub(&parent->tally);
                own--;
            }
        }
        for (; own > 0; own--)
            bz_tally_sub(&parent->tally);
        if (round % 2 == 0)
            wait_for_all(parent);
        if (bz_tally_end(&parent->tally)) {
            free(parent);
            bz_fetch_add_relaxed(&released, 1);
        }
        while (bz_load_acquire(&released) == 0)
            sched_yield();
        stress_check(bz_load_relaxed(&released) == 1);
    }
    bz_store_release(&world.over, 1);
}

/* The effects of all children that other threads ended are visible after the wait. */
static void visible(struct stress_rng *rng) {
    struct bz_a32 wake = {0}, released = {0};
    for (unsigned round = 0; round < world.rounds; round++) {
        struct parent parent = {.wake = &wake, .released = &released};
        bool away[CHILDREN] = {false};
        bz_tally_init(&parent.tally);
        for (unsigned i = 0; i < CHILDREN; i++) {
            bz_tally_add(&parent.tally);
            away[i] = give_away(&parent, i, rng);
            if (!away[i])
                bz_tally_sub(&parent.tally);
        }
        wait_for_all(&parent);
        for (unsigned i = 0; i < CHILDREN; i++)
            stress_check(parent.effects[i] == (away[i] ? i + 1 : 0));
        stress_check(parent.tally.shared.v == 0);
    }
    bz_store_release(&world.over, 1);
}

static void body(unsigned index, void *arg) {
    struct stress_rng rng = stress_rng(index);
    void (*first)(struct stress_rng *) = *(void (**)(struct stress_rng *))arg;
    if (index == 0)
        first(&rng);
    else
        helper(&world.mail[index - 1], &rng);
}

static void run(const char *what, void (*first)(struct stress_rng *), unsigned rounds) {
    stress_part(what);
    world.rounds = stress_scaled(rounds);
    bz_store_relaxed(&world.over, 0);
    bz_store_relaxed(&world.wakes, 0);
    stress_run(1 + world.helpers, body, &first);
    printf("  %s: %u times, %u wakes\n", what, world.rounds, bz_load_relaxed(&world.wakes));
}

int main(int argc, char **argv) {
    stress_begin(argc, argv);
    world.helpers = stress.threads < 2 ? 1 : stress.threads > MAX_HELPERS ? MAX_HELPERS : stress.threads - 1;
    for (unsigned i = 0; i < stress.iter; i++, stress.seed++) {
        run("ends and waits", owner, 10000);
        run("waits", visible, 5000);
    }
    return 0;
}
