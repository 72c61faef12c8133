/* Probes of cells.h: an allocation and its release by the same worker; and of eight, last come first gone. */
#include "sched/cells.h"

#include "os/os.h"
#include "probe.h"

enum { SIZE = 100, MANY = 8 };

static struct bz_cells cells;

static void open_cells(void) {
    bz_cells_init(&cells);
}
static void close_cells(void) {
    bz_cells_destroy(&cells);
}

static void *one(void) {
    void *memory = bz_cells_alloc(&cells, SIZE);
    if (!memory)
        probe_fail("no memory for a cell");
    __asm__ volatile("" : "+r"(memory));
    return memory;
}

static void alloc_free(uint64_t times) {
    for (uint64_t i = 0; i < times; i++)
        bz_cells_free(&cells, one());
}

static void alloc_free_8(uint64_t times) {
    void *memory[MANY];
    for (uint64_t i = 0; i < times; i++) {
        for (int k = 0; k < MANY; k++)
            memory[k] = one();
        for (int k = MANY; k-- > 0;)
            bz_cells_free(&cells, memory[k]);
    }
}

static const struct probe probes[] = {
    {"cells.alloc_free", open_cells, alloc_free, close_cells},
    {"cells.alloc_free_8", open_cells, alloc_free_8, close_cells},
};
const struct probe_list probe_cells = {probes, sizeof probes / sizeof *probes};
