/* memory.c: atomic accesses of every kind, and blocks of memory that go from task to task. */
#include "soak.h"

/* Tickets: no two threads draw the same one. */
static void tickets(struct scene in, struct node n, int size) {
    enum { TICKETS = 64 };
    unsigned next = 0, most = 0, seen[TICKETS] = {0}, swaps = 0;
#pragma omp parallel num_threads(size) firstprivate(in, n)
    {
        for (;;) {
            unsigned mine, now;
#pragma omp atomic capture seq_cst
            mine = next++;
            if (mine >= TICKETS)
                break;
#pragma omp atomic update
            seen[mine]++;
#pragma omp atomic read acquire
            now = most;
            soak_check(now <= TICKETS, n);
#pragma omp atomic compare
            if (most < mine) {
                most = mine;
            }
#pragma omp atomic compare capture
            {
                now = swaps;
                if (swaps == now) {
                    swaps = mine;
                }
            }
            if (mine < node_count(n) && mine < TICKETS)
                solo(in, node_child(n, mine));
        }
#pragma omp single nowait
        for (unsigned i = TICKETS; i < node_count(n); i++)
            solo(in, node_child(n, i));
    }
    for (unsigned i = 0; i < TICKETS; i++)
        soak_check(seen[i] == 1, n);
    soak_check(most == TICKETS - 1, n);
}

void memory_atomics(struct scene s, struct node n) {
    scene_region(s, n, "atomics", tickets);
}

/* One task allocates a block, a second writes it, a third frees it. */
void memory_blocks(struct scene s, struct node n) {
    static const omp_allocator_handle_t allocators[] = {omp_default_mem_alloc, omp_large_cap_mem_alloc,
                                                        omp_low_lat_mem_alloc, omp_null_allocator};
    struct scene in = s;
    in.outside = 0;
    for (unsigned i = 0; i < node_count(n); i++) {
        struct node c = node_child(n, i);
        size_t words = 1 + pick(c, PICK_SIZE, 300);
        omp_allocator_handle_t from = allocators[pick(c, PICK_VARIANT, 4)];
        uint64_t **block = malloc(sizeof *block);
        if (!block)
            soak_refused("memory");
#pragma omp task depend(out : block[0]) firstprivate(c, words, from, block)
        *block = omp_calloc(words, sizeof **block, from);
#pragma omp task depend(inout : block[0]) firstprivate(in, c, words, block)
        {
            for (size_t j = 0; j < words; j++)
                (*block)[j] += c.seed + j;
            solo(in, c);
        }
#pragma omp task depend(in : block[0]) firstprivate(c, words, block)
        {
            for (size_t j = 0; j < words; j++)
                soak_check((*block)[j] == c.seed + j, c);
            omp_free(*block, omp_null_allocator);
            free(block);
        }
    }
}
