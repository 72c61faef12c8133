/* The memory part of os.h; src/README.md says why the runtime does not use malloc.
 *
 * Sizes are rounded up to a class, four for each power of two. Free blocks of a class lie in stacks and stay mapped: a
 * thread may read a block that another one has just popped. A thread frees into its own lane of stacks and takes from any.
 * New blocks are cut from a chunk, larger ones are mapped. Huge blocks are unmapped, except one.
 *
 * There is no lock: the child of a fork loses only blocks that others were freeing. Sanitizers get malloc's blocks.
 *
 * Pairing table
 *   O5 push puts a block on a stack   O6 pop takes it          the last user's accesses, and the link
 *   O7 from_chunk publishes a chunk   O8 from_chunk uses it    its count
 *   O9 huge_free leaves a block       O10 take_kept takes it   the last user's accesses, and its size */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/atomic.h"
#include "base/compiler.h"
#include "base/config.h"
#include "base/sanitizer.h"
#include "os/cpus.h"
#include "os/os.h"

/* Sets of stacks, so that threads do not contend for one line; classes of sizes in each. */
enum { LANES = 16, CLASSES = 52 };
/* Blocks up to CUT_MAX are cut from chunks. */
enum { CHUNK_SIZE = 256 << 10, CUT_MAX = 32 << 10 };

_Static_assert(BZ_MEMORY_STACKED == (size_t)128 << CLASSES / 4, "the largest class is BZ_MEMORY_STACKED");

/* The kernel maps nothing above without a hint. */
#define ADDRESS_BITS 48

/* ---- mappings ---- */

/* The head of a huge block that is kept. */
struct huge {
    size_t bytes;
};

/* A free huge block for the next request; NULL: none. Written and read by any thread. */
static struct { struct huge *v; } kept;

static void unmap(void *block, size_t bytes) {
    BZ_KEEP_ERRNO;
    if (block && bytes > 0)
        (void)munmap(block, bytes);
}

static struct huge *take_kept(void) {
    return bz_exchange_acq_rel(&kept, NULL); /* O10: pairs with O9 */
}

static void *try_map(size_t bytes) {
    BZ_KEEP_ERRNO;
    void *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return block != MAP_FAILED ? block : NULL;
}

/* Frees the kept block before it fails. */
static void *map(size_t bytes) {
    void *block = try_map(bytes);
    struct huge *unused = !block ? take_kept() : NULL;
    if (unused) {
        unmap(unused, unused->bytes);
        block = try_map(bytes);
    }
    return block;
}

/* ---- classes ---- */

/* Classes have 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20 and so on cache lines. */
static unsigned class_for(size_t size) {
    size_t last = size > 0 ? (size - 1) / BZ_LINE : 0;
    unsigned shift = last < 8 ? 0 : 61 - (unsigned)__builtin_clzl(last);
    return 4 * shift + (unsigned)(last >> shift);
}

static size_t class_bytes(unsigned class) {
    unsigned shift = class < 8 ? 0 : class / 4 - 1;
    return (size_t)((class - 4 * shift) + 1) << shift << 6;
}

/* ---- stacks of free blocks ---- */

/* The head of a free block. A pop may read it after another thread has taken the block. */
struct free_block {
    struct {
        struct free_block *v;
    } next;
};

/* A stack is the line number of its first block, and above it a count of pops, by which a swap detects a change. */
#define LINE_MASK (((uint64_t)1 << (ADDRESS_BITS - 6)) - 1)

/* Written and read by any thread. */
static struct lane { BZ_ALIGN_LINE struct bz_a64 stacks[CLASSES]; } lanes[LANES];

/* By the address of its thread-local variables. */
static unsigned lane_of_caller(void) {
    uint64_t page = (uintptr_t)&bz_cpus_own >> 12;
    return (unsigned)(page * UINT64_C(0x9e3779b97f4a7c15) >> 32) % LANES;
}

static struct free_block *first_of(uint64_t stack) {
    return (struct free_block *)(uintptr_t)((stack & LINE_MASK) << 6);
}

static uint64_t with_first(uint64_t pops, const struct free_block *first) {
    return (pops & ~LINE_MASK) | (uint64_t)(uintptr_t)first >> 6;
}

static void push(struct bz_a64 *stack, void *block) {
    struct free_block *mine = block;
    uint64_t now = bz_load_relaxed(stack); /* relaxed: checked by the swap */
    do {
        bz_store_relaxed(&mine->next, first_of(now));              /* relaxed: by O5 */
    } while (!bz_cas_release(stack, &now, with_first(now, mine))); /* O5: pairs with O6 */
}

static void *pop(struct bz_a64 *stack) {
    uint64_t now = bz_load_acquire(stack); /* O6: pairs with O5 */
    while (first_of(now)) {
        struct free_block *first = first_of(now);
        const struct free_block *next = bz_load_relaxed(&first->next); /* relaxed: O6, or the swap fails */
        uint64_t rest = with_first(now + LINE_MASK + 1, (void *)((uintptr_t)next & (LINE_MASK << 6)));
        if (bz_cas_acquire(stack, &now, rest)) /* O6: pairs with O5 */
            return first;
        now = bz_load_acquire(stack); /* O6: pairs with O5 */
    }
    return NULL;
}

/* ---- new blocks ---- */

struct chunk {
    /* Bytes, this head included; more than CHUNK_SIZE after a thread found no room. Written and read by any thread. */
    BZ_ALIGN_LINE struct bz_a64 used;
};

/* Blocks are cut from it. Written and read by any thread. */
static struct { struct chunk *v; } newest;

/* A replaced chunk loses less than the largest block at its end. */
static void *from_chunk(size_t bytes) {
    for (;;) {
        struct chunk *chunk = bz_load_acquire(&newest); /* O8: pairs with O7 */
        uint64_t at =
            chunk ? bz_fetch_add_relaxed(&chunk->used, bytes) : CHUNK_SIZE; /* relaxed: the number */
        if (at + bytes <= CHUNK_SIZE)
            return (char *)chunk + at;
        struct chunk *fresh = map(CHUNK_SIZE);
        if (!fresh) {
            if (bz_load_relaxed(&newest) == chunk) /* relaxed: another one is acquired next */
                return NULL;
            continue;
        }
        bz_store_relaxed(&fresh->used, sizeof *fresh); /* relaxed: by O7 */
        if (!bz_cas_release(&newest, &chunk, fresh))   /* O7: pairs with O8 */
            unmap(fresh, CHUNK_SIZE);
    }
}

/* A block of a class. *zero: it is all zero. */
static void *take(unsigned class, bool *zero) {
    unsigned lane = lane_of_caller();
    void *block = NULL;
    *zero = false;
    for (unsigned i = 0; i < LANES && !block; i++)
        block = pop(&lanes[(lane + i) % LANES].stacks[class]);
    if (!block) {
        size_t bytes = class_bytes(class);
        *zero = true;
        block = bytes <= CUT_MAX ? from_chunk(bytes) : map(bytes);
    }
    return block;
}

/* ---- huge blocks ---- */

static size_t whole_pages(size_t size) {
    size_t page = bz_os_page_size();
    return (size + page - 1) & ~(page - 1);
}

static void *huge_take(size_t size, bool *zero) {
    size_t bytes = whole_pages(size);
    struct huge *block = take_kept();
    *zero = !block || block->bytes < bytes;
    if (!*zero) {
        unmap((char *)block + bytes, block->bytes - bytes);
        return block;
    }
    if (block)
        unmap(block, block->bytes);
    return map(bytes);
}

static void huge_free(void *memory, size_t size) {
    struct huge *block = memory;
    size_t bytes = whole_pages(size);
    if (bytes <= BZ_MEMORY_KEPT_MAX) {
        block->bytes = bytes;
        block = bz_exchange_acq_rel(&kept, block); /* O9: pairs with O9 and O10 */
        bytes = block ? block->bytes : 0;
    }
    unmap(block, bytes);
}

/* ---- blocks ---- */

/* *zero: the block is all zero. */
static void *new_block(size_t size, bool *zero) {
    if (size > SIZE_MAX / 2)
        return NULL;
    if (bz_sanitized()) {
        *zero = false;
        return aligned_alloc(BZ_LINE, size == 0 ? BZ_LINE : (size + BZ_LINE - 1) & ~(size_t)(BZ_LINE - 1));
    }
    if (size > BZ_MEMORY_STACKED)
        return huge_take(size, zero);
    return take(class_for(size), zero);
}

void *bz_os_room(size_t size) {
    bool zero;
    return new_block(size, &zero);
}

void *bz_os_alloc(size_t size) {
    bool zero;
    void *block = new_block(size, &zero);
    if (block && !zero)
        memset(block, 0, size);
    return block;
}

void bz_os_free(void *block, size_t size) {
    if (!block)
        return;
    if (bz_sanitized())
        bz_sanitized_free(block);
    else if (size > BZ_MEMORY_STACKED)
        huge_free(block, size);
    else
        push(&lanes[lane_of_caller()].stacks[class_for(size)], block);
}

/* ---- blocks that know their size ---- */

/* Before each. */
struct head {
    _Alignas(16) size_t size; /* of the block alone */
};

static void *behind(struct head *head, size_t size) {
    if (!head)
        return NULL;
    head->size = size;
    return head + 1;
}

void *bz_alloc(size_t size) {
    if (bz_sanitized())
        return malloc(size == 0 ? 1 : size);
    return size < SIZE_MAX / 2 ? behind(bz_os_room(sizeof(struct head) + size), size) : NULL;
}

void *bz_alloc_zero(size_t count, size_t size) {
    size_t bytes;
    if (bz_sanitized())
        return calloc(count, size);
    if (__builtin_mul_overflow(count, size, &bytes) || bytes >= SIZE_MAX / 2)
        return NULL;
    return behind(bz_os_alloc(sizeof(struct head) + bytes), bytes);
}

void *bz_realloc(void *block, size_t size) {
    if (bz_sanitized())
        return realloc(block, size == 0 ? 1 : size);
    void *moved = bz_alloc(size);
    if (moved && block) {
        size_t before = ((struct head *)block - 1)->size;
        memcpy(moved, block, before < size ? before : size);
        bz_free(block);
    }
    return moved;
}

void bz_free(void *block) {
    if (!block)
        return;
    if (bz_sanitized()) {
        bz_sanitized_free(block);
        return;
    }
    struct head *head = (struct head *)block - 1;
    bz_os_free(head, sizeof *head + head->size);
}

void bz_free_used(void *block) {
    if (bz_sanitized())
        free(block);
    else
        bz_free(block);
}
