// env: KMP_TEAMS_THREAD_LIMIT=4
// threads: 2
// beyond libomp: in the child the thread is in no team, and its regions end the program
// Concurrent forks in the teams of a league: each child has regions of its own in its team. The child of the thread
// that opened the league runs the remaining teams, and goes on after the league.
#include "calls.h"

#include <sys/wait.h>
#include <unistd.h>

enum { TEAMS = 4, MANY = 6, ROUNDS = 10 };

static int entered, parted;

static int threads_of_region(void) {
    int threads = 0;
#pragma omp parallel num_threads(2)
    count_up(&threads);
    return threads;
}

static void await(pid_t child) {
    int status = -1;
    CHECK(child > 0);
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
}

/* In functions: the compiler rejects these in teams regions. */
static void part(void) {
    int team = omp_get_team_num();
    pid_t child = fork();
    if (child == 0) {
        CHECK_EQ(omp_get_team_num(), team);
        CHECK_EQ(omp_get_num_teams(), TEAMS);
        CHECK_EQ(threads_of_region(), 2);
        _exit(check_failures != 0);
    }
    await(child);
    CHECK_EQ(threads_of_region(), 2);
}

static void part_in_first(pid_t *child) {
    count_up(&entered);
    if (omp_get_team_num() != 0)
        return;
    wait_for_count(&entered, TEAMS); /* each team has its thread before it forks */
    *child = fork();
    if (*child == 0)
        count_up(&parted);
}

static void count(void) {
    count_up(&entered);
}

/* The child has finished its league, and opens others. */
static void go_on(void) {
    entered = 0;
#pragma omp teams num_teams(TEAMS)
    count();
    CHECK_EQ(entered, TEAMS);
    CHECK_EQ(threads_of_region(), 2);
}

int main(void) {
    for (int round = 0; round < ROUNDS; round++) {
        pid_t child = -1;
#pragma omp teams num_teams(TEAMS)
        part();
        entered = 0;
#pragma omp teams num_teams(MANY) shared(child)
        part_in_first(&child);
        go_on();
        if (parted)
            _exit(check_failures != 0);
        await(child);
    }
    return check_done("leagues_fork");
}
