// beyond libomp: memory of each generation stays
/*
 * The long-term cost of forks. A thousand of them leave nothing behind in the parent: no memory, no thread, no file. In
 * a chain of children, each leaves the data of its parent's threads unfreed, once: the same amount in each generation,
 * which does not grow.
 */
// threads: 4
// beyond libgomp: the children hang
#include <dirent.h>
#include <malloc.h>

#include "../forked.h"

static int entries(const char *path) {
    DIR *folder = opendir(path);
    int count = 0;

    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

static size_t in_use(void) {
    return mallinfo2().uordblks;
}

static void one_child(int uses) {
    int status = -1;
    pid_t child = fork();

    if (child == 0) {
        alarm(CHILD_SECONDS);
        if (uses)
            check_team(omp_get_max_threads());
        _exit(__atomic_load_n(&check_failures, __ATOMIC_RELAXED) != 0);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

/* Every hundredth uses OpenMP; so does the parent. */
static void many_children(int forks) {
    for (int i = 0; i < forks; i++) {
        one_child(i % 100 == 0);
        if (i % 10 == 0)
            check_team(omp_get_max_threads());
    }
}

static void check_parent(int forks) {
    check_all();
    many_children(2);
    size_t before = in_use();
    int threads = entries("/proc/self/task"), files = entries("/proc/self/fd");
    many_children(forks);
    CHECK_EQ(entries("/proc/self/task"), threads);
    CHECK_EQ(entries("/proc/self/fd"), files);
    if (!SANITIZED) /* their mallinfo2 reports nothing */
        CHECK_EQ(in_use(), before);
}

/* The memory in use after `depth` generations from here, reported by exit statuses. */
static void fork_on(int depth, int report) {
    int status = -1;

    check_team(omp_get_max_threads());
    if (depth == 0) {
        size_t used = in_use();
        CHECK(write(report, &used, sizeof used) == sizeof used);
        return;
    }
    pid_t child = fork();
    if (child == 0) {
        alarm(CHILD_SECONDS);
        fork_on(depth - 1, report);
        _exit(__atomic_load_n(&check_failures, __ATOMIC_RELAXED) != 0);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

static size_t used_after(int depth) {
    int ends[2];
    size_t used = 0;

    if (pipe(ends) != 0) {
        perror("pipe");
        exit(1);
    }
    fork_on(depth, ends[1]);
    CHECK(read(ends[0], &used, sizeof used) == sizeof used);
    close(ends[0]);
    close(ends[1]);
    return used;
}

/* At most one team of a parent: a queue for each worker, a description for each thread. */
#define MOST_OF_A_THREAD 16384

static void check_generations(int depth) {
    size_t none = used_after(0), some = used_after(depth / 2), all = used_after(depth / 2 * 2);

    if (SANITIZED)
        return;
    CHECK((some - none) / (size_t)(depth / 2) <= (size_t)(omp_get_max_threads() + 1) * MOST_OF_A_THREAD);
    CHECK((all - some) / 5 * 4 <= some - none);
}

int main(int argc, char **argv) {
    check_parent((int)check_arg(argc, argv, 1, SANITIZED ? 100 : 1000));
    check_generations((int)check_arg(argc, argv, 2, SANITIZED ? 10 : 50));
    return check_done("fork_many");
}
