// Constructs of a whole team: barriers, singles with copyprivate, masters, criticals, and old compilers' barriers with
// a master inside.
#include "calls.h"

enum { ROUNDS = 100 };

/* ---- copyprivate: the source may be on the stack of a thread that goes on at once ---- */

struct pair {
    int a;
    int64_t *b;
};

static void copy_pair(void *to, void *from) {
    struct pair *into = to, *source = from;
    into->a = source->a;
    *into->b = *source->b;
}

static void copies(int32_t *gtid, int32_t *btid, int *singles) {
    for (int r = 0; r < ROUNDS; r++) {
        int64_t value = -*btid - 1;
        struct pair mine = {-1, &value};
        int32_t did_it = 0;
        if (__kmpc_single(&here, *gtid)) {
            mine.a = r;
            value = r * 3;
            count_up(singles);
            __kmpc_end_single(&here, *gtid);
            did_it = 1;
        }
        __kmpc_copyprivate(&here, *gtid, sizeof mine, &mine, copy_pair, did_it);
        CHECK_EQ(mine.a, r);
        CHECK_EQ(value, r * 3);
        memset(&mine, 0x55, sizeof mine); /* the source belongs to its owner again */
        value = -100;
    }
}

static void light_copies(int32_t *gtid, int32_t *btid, int *singles) {
    (void)btid;
    for (int r = 0; r < ROUNDS; r++) {
        int value = -1;
        int *source;
        int32_t did_it = __kmpc_single(&here, *gtid);
        if (did_it) {
            value = r;
            count_up(singles);
            __kmpc_end_single(&here, *gtid);
        }
        source = __kmpc_copyprivate_light(&here, *gtid, did_it ? &value : NULL);
        CHECK_EQ(*source, r);
        value = *source;
        __kmpc_barrier(&here, *gtid);
        CHECK_EQ(value, r);
    }
}

/* ---- single nowait, many in flight ---- */

static void singles(int32_t *gtid, int32_t *btid, int *count) {
    (void)btid;
    for (int r = 0; r < ROUNDS; r++) {
        int32_t mine = __kmpc_single(&here, *gtid);
        CHECK(mine == 0 || mine == 1);
        if (mine) {
            count_up(count);
            __kmpc_end_single(&here, *gtid);
        }
    }
}

/* ---- master, masked ---- */

static void masters(int32_t *gtid, int32_t *btid, int *count) {
    int team = omp_get_num_threads();
    for (int r = 0; r < ROUNDS; r++) {
        int32_t mine = __kmpc_master(&here, *gtid);
        CHECK_EQ(mine, *btid == 0);
        if (mine) {
            count_up(count);
            __kmpc_end_master(&here, *gtid);
        }
        mine = __kmpc_masked(&here, *gtid, r % (team + 1)); /* perhaps no thread's number */
        CHECK_EQ(mine, *btid == r % (team + 1));
        if (mine) {
            count_up(count);
            __kmpc_end_masked(&here, *gtid);
        }
        CHECK_EQ(__kmpc_masked(&here, *gtid, -1), 0);
    }
}

/* ---- critical ---- */

static critical_name first, second;
static critical_name between[3]; /* neighbours stay as they are */

static void criticals(int32_t *gtid, int32_t *btid, int *counts) {
    (void)btid;
    for (int r = 0; r < ROUNDS; r++) {
        __kmpc_critical(&here, *gtid, &first);
        counts[0]++;
        __kmpc_critical_with_hint(&here, *gtid, &second, (uint32_t)(r % 5));
        counts[1]++;
        __kmpc_critical(&here, *gtid, &between[1]);
        counts[2]++;
        __kmpc_end_critical(&here, *gtid, &between[1]);
        __kmpc_end_critical(&here, *gtid, &second);
        __kmpc_end_critical(&here, *gtid, &first);
    }
}

/* ---- barriers ---- */

static void phases(int32_t *gtid, int32_t *btid, int *at) {
    int team = omp_get_num_threads();
    for (int r = 0; r < ROUNDS; r++) {
        __atomic_store_n(&at[*btid], r, __ATOMIC_RELAXED);
        if (r % 2)
            __kmpc_barrier(&here, *gtid);
        else
            CHECK_EQ(__kmpc_cancel_barrier(&here, *gtid), 0);
        for (int i = 0; i < team; i++) {
            int there = __atomic_load_n(&at[i], __ATOMIC_RELAXED);
            CHECK(there == r || there == r + 1);
        }
        __kmpc_flush(&here);
    }
}

/* The others wait for the master inside. */
static void master_phases(int32_t *gtid, int32_t *btid, int *inside) {
    for (int r = 0; r < ROUNDS; r++) {
        int32_t mine = __kmpc_barrier_master(&here, *gtid);
        CHECK_EQ(mine, *btid == 0);
        if (mine) {
            (*inside)++;
            busy_work(1, 100);
            __kmpc_end_barrier_master(&here, *gtid);
        }
        CHECK_EQ(__atomic_load_n(inside, __ATOMIC_RELAXED), r + 1);
        mine = __kmpc_barrier_master_nowait(&here, *gtid);
        CHECK_EQ(mine, *btid == 0);
    }
}

/* A barrier runs the team's tasks. */
static int32_t add_one(int32_t gtid, void *arg) {
    task *mine = arg;
    CHECK_EQ(gtid, ME);
    count_up(*(int **)mine->shareds);
    return 0;
}

static void barrier_tasks(int32_t *gtid, int32_t *btid, int *done) {
    (void)btid;
    int team = omp_get_num_threads();
    for (int r = 1; r <= 20; r++) {
        for (int i = 0; i < 10; i++) {
            task *made = __kmpc_omp_task_alloc(&here, *gtid, TIED, sizeof(task), sizeof done, add_one);
            *(int **)made->shareds = done;
            __kmpc_omp_task(&here, *gtid, made);
        }
        __kmpc_barrier(&here, *gtid);
        CHECK_EQ(count_read(done), r * 10 * team);
        __kmpc_barrier(&here, *gtid);
    }
}

int main(void) {
    omp_set_dynamic(0);
    for (int threads = 1; threads <= 8; threads = threads < 3 ? threads + 1 : threads + 5) {
        int count = 0, counts[3] = {0}, at[8] = {0}, inside = 0, done = 0;
        REGION(threads, copies, 1, &count);
        CHECK_EQ(count, ROUNDS);
        REGION(threads, light_copies, 1, &count);
        CHECK_EQ(count, 2 * ROUNDS);
        REGION(threads, singles, 1, &count);
        CHECK_EQ(count, 3 * ROUNDS);
        count = 0;
        REGION(threads, masters, 1, &count);
        int masked = 0;
        for (int r = 0; r < ROUNDS; r++)
            masked += r % (threads + 1) < threads;
        CHECK_EQ(count, ROUNDS + masked);
        REGION(threads, criticals, 1, counts);
        for (int i = 0; i < 3; i++)
            CHECK_EQ(counts[i], threads * ROUNDS);
        for (int i = 0; i < 8; i++)
            CHECK(between[0][i] == 0 && between[2][i] == 0);
        REGION(threads, phases, 1, at);
        REGION(threads, master_phases, 1, &inside);
        REGION(threads, barrier_tasks, 1, &done);
    }
    return check_done("shared");
}
