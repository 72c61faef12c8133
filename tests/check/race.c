/* Plain accesses, which gcc reports by the calls of -fsanitize=thread. Two accesses of different threads, at least one
 * of them a store, are a data race if neither happens before the other. So is an access concurrent with the end of its
 * memory. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS = 1 << 13, BLOCKS = 64, ARENA = 256 << 10, UNDO = 1 << 16 };
enum { STORES = 1, ATOMIC = 2 }; /* kinds of access */

/* Eight bytes of memory: the time of each thread's last access of each kind to each of them. */
typedef uint16_t lanes __attribute__((vector_size(16)));
static struct cell {
    uintptr_t address;
    uint32_t run;
    const void *where;
    lanes at[4][CHECK_THREADS];
} cells[CELLS];
static uint32_t run;

static struct block {
    uintptr_t begin, end;
    bool gone;
} blocks[BLOCKS];
static unsigned block_count;
/* One per thread, so that an address does not depend on the order of threads. */
static _Alignas(64) char arenas[CHECK_THREADS][ARENA];
static size_t arena_used[CHECK_THREADS];

/* A run's writes to variables of the sources, which are undone for the next run. */
static struct {
    char *at;
    size_t size;
    uint64_t old;
} undo[UNDO];
static unsigned undo_count;
extern char __data_start[], end[]; /* of all variables; from the linker */

static void note_old(uintptr_t address, size_t size) {
    bool variable = address >= (uintptr_t)__data_start && address < (uintptr_t)end;
    if (!variable || (address >= (uintptr_t)arenas && address < (uintptr_t)(arenas + CHECK_THREADS)))
        return;
    for (; size > 0; undo_count++) {
        if (undo_count == UNDO)
            check_fail("more than %d writes to variables", UNDO);
        undo[undo_count].at = (char *)address;
        undo[undo_count].size = size < 8 ? size : 8;
        memcpy(&undo[undo_count].old, (char *)address, undo[undo_count].size);
        address += undo[undo_count].size;
        size -= undo[undo_count].size;
    }
}

void check_race_undo(void) {
    for (; undo_count > 0; undo_count--)
        memcpy(undo[undo_count - 1].at, &undo[undo_count - 1].old, undo[undo_count - 1].size);
}

void check_race_reset(void) {
    undo_count = 0;
    run++;
    block_count = 0;
    memset(arena_used, 0, sizeof arena_used);
}

static struct cell *cell_of(uintptr_t address) {
    unsigned i = (unsigned)(check_mix(1, address) % CELLS);
    while (cells[i].run == run && cells[i].address != address)
        i = (i + 1) % CELLS;
    if (cells[i].run != run)
        cells[i] = (struct cell){.address = address, .run = run};
    return &cells[i];
}

/* Bytes whose last access by others the calling thread does not know of. */
static lanes unordered(const struct cell *cell, bool write, bool atomic, int self) {
    lanes found = {0};
    for (int t = 1; t < CHECK_THREADS; t++)
        for (unsigned way = 0; way < 4; way++)
            if (t != self && (write || way & STORES) && !(atomic && way & ATOMIC))
                found |= (lanes)(cell->at[way][t] > (lanes){0} + (uint16_t)check_clocks(self)[t]);
    return found;
}

static void touch_cell(uintptr_t begin, uintptr_t end, bool write, bool atomic, const void *where) {
    static const lanes bytes = {0, 1, 2, 3, 4, 5, 6, 7};
    struct cell *cell = cell_of(begin & ~(uintptr_t)7);
    int self = check_self();
    lanes touched = (lanes)((bytes >= (lanes){0} + (uint16_t)(begin - cell->address)) &
                            (bytes < (lanes){0} + (uint16_t)(end - cell->address)));
    lanes found = unordered(cell, write, atomic, self) & touched, *at = &cell->at[2 * atomic + write][self];
    if (memcmp(&found, &(lanes){0}, sizeof found) != 0)
        check_fail("data race at %p: thread %d at code %p, and before it code %p", (void *)begin, self, where,
                   cell->where);
    *at = (*at & ~touched) | ((lanes){0} + (uint16_t)check_clocks(self)[self] & touched);
    cell->where = where;
}

static void touch_all(uintptr_t begin, uintptr_t end, bool write, bool atomic, const void *where) {
    for (uintptr_t next; begin < end; begin = next) {
        next = (begin & ~(uintptr_t)7) + 8;
        touch_cell(begin, next < end ? next : end, write, atomic, where);
    }
}

void check_touch(uintptr_t address, size_t size, bool write, bool atomic, const void *where) {
    if (write)
        note_old(address, size);
    if (check_is_own(address))
        return;
    for (unsigned b = 0; b < block_count; b++)
        if (blocks[b].gone && address < blocks[b].end && address + size > blocks[b].begin)
            check_fail("thread %d uses memory that was given back, %p, at code %p", check_self(),
                       (void *)address, where);
    if (check_is_running()) /* `begin` precedes all, `end` follows all */
        touch_all(address, address + (atomic ? 1 : size), write, atomic, where); /* one stands for its word */
}

void *check_new(size_t size) {
    int t = check_self();
    size = (size + 127) & ~(size_t)63;
    if (block_count == BLOCKS || arena_used[t] + size > ARENA)
        check_fail("no memory for the test");
    char *memory = arenas[t] + arena_used[t];
    arena_used[t] += size;
    memset(memory, 0, size);
    blocks[block_count++] = (struct block){(uintptr_t)memory, (uintptr_t)memory + size, false};
    return memory;
}

void check_gone(void *memory) {
    for (unsigned b = 0; b < block_count; b++)
        if (blocks[b].begin == (uintptr_t)memory) {
            touch_all(blocks[b].begin, blocks[b].end, true, false, __builtin_return_address(0));
            blocks[b].gone = true;
        }
}

/* Calls that gcc emits. */
#define ACCESS(size)                                                                                         \
    void __tsan_read##size(void *p) {                                                                        \
        check_touch((uintptr_t)p, size, false, false, __builtin_return_address(0));                          \
    }                                                                                                        \
    void __tsan_write##size(void *p) {                                                                       \
        check_touch((uintptr_t)p, size, true, false, __builtin_return_address(0));                           \
    }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)
void __tsan_read_range(void *p, size_t size) {
    check_touch((uintptr_t)p, size, false, false, __builtin_return_address(0));
}
void __tsan_write_range(void *p, size_t size) {
    check_touch((uintptr_t)p, size, true, false, __builtin_return_address(0));
}
/* memcpy of the sources. */
void *check_memcpy(void *to, const void *from, size_t size) {
    check_touch((uintptr_t)from, size, false, false, __builtin_return_address(0));
    check_touch((uintptr_t)to, size, true, false, __builtin_return_address(0));
    return memcpy(to, from, size);
}
void __tsan_init(void) {
}
