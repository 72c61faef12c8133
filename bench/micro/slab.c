/* Probes of slab.h: an allocation and its release by the same worker; and of eight, last come first gone. */
#include "sched/slab.h"

#include "os/os.h"
#include "probe.h"

enum { SIZE = 100, MANY = 8 };

static struct bz_slabs slabs;

static void close_slabs(void) {
    bz_slabs_destroy(&slabs);
}

static void *one(void) {
    void *memory = bz_slabs_alloc(&slabs, SIZE);
    if (!memory)
        probe_fail("no memory for an object");
    __asm__ volatile("" : "+r"(memory));
    return memory;
}

static void alloc_free(uint64_t times) {
    for (uint64_t i = 0; i < times; i++)
        bz_slabs_free(&slabs, one());
}

static void alloc_free_8(uint64_t times) {
    void *memory[MANY];
    for (uint64_t i = 0; i < times; i++) {
        for (int k = 0; k < MANY; k++)
            memory[k] = one();
        for (int k = MANY; k-- > 0;)
            bz_slabs_free(&slabs, memory[k]);
    }
}

static const struct probe probes[] = {
    {"slab.alloc_free", NULL, alloc_free, close_slabs},
    {"slab.alloc_free_8", NULL, alloc_free_8, close_slabs},
};
const struct probe_list probe_slab = {probes, sizeof probes / sizeof *probes};
