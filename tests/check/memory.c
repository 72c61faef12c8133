/* The values that a load may see: for each word all stores, in modification order; for each thread a view, the lowest
 * place that it may read in the order of each word. Release and acquire pass views on, and with them the clocks of
 * race.c. */
#include "check.h"

#include <string.h>

enum { WORDS = 160, STORES = 200 };

struct view {
    uint8_t at[WORDS];
    uint32_t clock[CHECK_THREADS];
};

struct store {
    uint64_t value, id;
    bool follows; /* a read-modify-write: no store comes between the one that it read and this */
    struct view view;
};

struct word {
    uintptr_t address;
    uint64_t hash; /* of the fields below; 0: they have changed */
    size_t size;
    unsigned count;
    uint8_t order[STORES], rank[STORES]; /* the stores in modification order, and the other way round */
    struct store stores[STORES];
    struct view wakes; /* of all threads that have woken sleepers here */
};

struct thread {
    struct view now, acquired, released; /* its own; with relaxed reads; at its last release fence */
    uint8_t fresh[WORDS];                /* a spinning wait reads nothing older */
    struct round {
        uint8_t read[WORDS]; /* since its last such wait: 1 + the store */
        bool changed;        /* it has since read two stores of one word */
    } rounds[2], *waits;     /* of each check_relax; the one that waits */
    uint32_t ops;
};

static struct word words[WORDS];
static unsigned word_count;
static struct thread threads[CHECK_THREADS];
static struct view total; /* of seq_cst fences and stores */

void check_memory_reset(void) {
    word_count = 0;
    memset(threads, 0, sizeof threads);
    memset(&total, 0, sizeof total);
    for (int t = 0; t < CHECK_THREADS; t++)
        threads[t].now.clock[t] = 1;
}

const uint32_t *check_clocks(int thread) {
    return threads[thread].now.clock;
}

static unsigned later(unsigned word, unsigned a, unsigned b) {
    return words[word].rank[a] >= words[word].rank[b] ? a : b;
}

/* Most are equal, eight at a time. */
static void join_words(struct view *into, const struct view *from) {
    for (unsigned w = 0; w < word_count; w += 8) {
        if (memcmp(&into->at[w], &from->at[w], 8) == 0)
            continue;
        for (unsigned i = w; i < w + 8 && i < word_count; i++)
            into->at[i] = (uint8_t)later(i, into->at[i], from->at[i]);
    }
}

static void join(struct view *into, const struct view *from) {
    join_words(into, from);
    for (int t = 0; t < CHECK_THREADS; t++)
        if (into->clock[t] < from->clock[t])
            into->clock[t] = from->clock[t];
}

void check_memory_start(int thread) {
    join(&threads[thread].now, &threads[0].now);
    threads[thread].acquired = threads[thread].now;
    threads[0].now.clock[0]++;
}

void check_memory_join(void) {
    for (int t = 1; t < CHECK_THREADS; t++)
        join(&threads[0].now, &threads[t].now);
    threads[0].acquired = threads[0].now;
}

/* ---- words ---- */

static uint64_t value_of(const struct word *word) {
    uint64_t value = 0;
    memcpy(&value, (void *)word->address, word->size);
    return value;
}

static unsigned insert(struct word *word, unsigned rank, uint64_t value, bool follows) {
    unsigned s = word->count++;
    if (s >= STORES)
        check_fail("more than %d stores to a word", STORES);
    memmove(&word->order[rank + 1], &word->order[rank], s - rank);
    word->order[rank] = (uint8_t)s;
    for (unsigned i = rank; i <= s; i++)
        word->rank[word->order[i]] = (uint8_t)i;
    word->stores[s] = (struct store){.value = value, .follows = follows};
    word->hash = 0;
    return s;
}

/* A plain store has come between: race.c has checked that its place in the order is certain. */
static void take_plain_store(unsigned w) {
    struct word *word = &words[w];
    unsigned s = insert(word, word->count, value_of(word), false);
    word->stores[s].id = check_mix(0, word->stores[s].value);
    for (int t = 0; t < CHECK_THREADS; t++)
        threads[t].fresh[w] = (uint8_t)s;
}

static unsigned find(uintptr_t address, size_t size) {
    unsigned w = 0;
    while (w < word_count && words[w].address != address)
        w++;
    struct word *word = &words[w];
    if (w < word_count) {
        if (value_of(word) != word->stores[word->order[word->count - 1]].value)
            take_plain_store(w);
        return w;
    }
    if (word_count == WORDS)
        check_fail("more than %d words", WORDS);
    word_count++;
    word->address = address;
    word->size = size;
    word->count = 0;
    memset(&word->wakes, 0, sizeof word->wakes);
    insert(word, 0, value_of(word), false);
    return w;
}

/* ---- hashes ---- */

/* Of the words whose view is beyond the first store. */
static uint64_t view_hash(const struct view *view) {
    uint64_t hash = 0;
    for (unsigned w = 0; w < word_count; w++)
        if (view->at[w] != 0)
            hash += check_mix(words[w].address, words[w].stores[view->at[w]].id + 1);
    return hash;
}

uint64_t check_memory_hash(void) {
    uint64_t hash = view_hash(&total);
    for (struct word *word = words; word < words + word_count; word++) {
        if (word->hash == 0) {
            word->hash = check_mix(word->address, view_hash(&word->wakes)) | 1;
            for (unsigned i = 0; i < word->count; i++)
                word->hash = check_mix(word->hash, word->stores[word->order[i]].id) | 1;
        }
        hash += word->hash;
    }
    return hash;
}

/* ---- accesses ---- */

static bool acquires(enum check_order order) {
    return order == CHECK_ACQUIRE || order >= CHECK_ACQ_REL;
}
static bool releases(enum check_order order) {
    return order >= CHECK_RELEASE;
}

static void fence(int t, enum check_order order) {
    struct thread *thread = &threads[t];
    if (acquires(order))
        join(&thread->now, &thread->acquired);
    if (order == CHECK_SEQ_CST) {
        join_words(&thread->now, &total);
        join_words(&total, &thread->now);
    }
    join(&thread->acquired, &thread->now);
    if (releases(order))
        thread->released = thread->now;
    thread->now.clock[t]++;
    check_note(t, order == CHECK_SEQ_CST ? view_hash(&thread->now) : order);
}

/* All threads execute a fence while the caller is in this call. */
void check_barrier_all(void) {
    int self = check_self();
    fence(self, CHECK_SEQ_CST);
    for (int round = 0; round < 2; round++)
        for (int t = 1; t < CHECK_THREADS; t++)
            fence(t, CHECK_SEQ_CST);
}

/* The lowest place in the order that the thread may read from or write after. */
static unsigned lowest(unsigned w, int t, enum check_order order, bool reads) {
    unsigned s = threads[t].now.at[w];
    if (reads)
        s = later(w, s, threads[t].fresh[w]);
    if (order == CHECK_SEQ_CST)
        s = later(w, s, total.at[w]);
    return words[w].rank[s];
}

static bool is_followed(const struct word *word, unsigned rank) {
    return rank + 1 < word->count && word->stores[word->order[rank + 1]].follows;
}

static void see(unsigned w, int t, unsigned s, enum check_order order) {
    struct thread *thread = &threads[t];
    const struct view *view = &words[w].stores[s].view;
    thread->now.at[w] = (uint8_t)later(w, thread->now.at[w], s);
    join(&thread->acquired, view);
    if (acquires(order))
        join(&thread->now, view);
    join(&thread->acquired, &thread->now);
    for (struct round *round = thread->rounds; round < thread->rounds + 2; round++) {
        round->changed |= round->read[w] && round->read[w] != s + 1;
        round->read[w] = (uint8_t)(s + 1);
    }
    check_note(t, check_mix(words[w].address, words[w].stores[s].id + 1));
}

/* Stores at that place; `from`: the store that a read-modify-write has read, or NULL. */
static void put(unsigned w, int t, unsigned rank, uint64_t value, enum check_order order,
                const struct store *from) {
    struct thread *thread = &threads[t];
    struct word *word = &words[w];
    unsigned s = insert(word, rank, value, from != NULL);
    struct store *store = &word->stores[s];
    thread->now.at[w] = thread->acquired.at[w] = (uint8_t)s;
    for (struct round *round = thread->rounds; round < thread->rounds + 2; round++)
        if (round->read[w])
            round->read[w] = (uint8_t)(s + 1); /* its own store is no news */
    store->id = check_mix(check_mix((uint64_t)t + 1, ++thread->ops), value);
    store->view = releases(order) ? thread->now : thread->released;
    store->view.at[w] = (uint8_t)s;
    if (from)
        join(&store->view, &from->view);
    if (order == CHECK_SEQ_CST)
        total.at[w] = (uint8_t)later(w, total.at[w], s);
    memcpy((void *)word->address, &word->stores[word->order[word->count - 1]].value, word->size);
    thread->now.clock[t]++;
    check_note(t, check_mix(word->address, store->id));
}

static uint64_t cut(uint64_t value, size_t size) {
    return size == 8 ? value : value & ((UINT64_C(1) << 8 * size) - 1);
}

static uint64_t changed(enum check_access access, uint64_t old, uint64_t operand) {
    switch (access) {
    case CHECK_ADD:
        return old + operand;
    case CHECK_AND:
        return old & operand;
    case CHECK_OR:
        return old | operand;
    default:
        return operand;
    }
}

/* Chooses the store that is read: the newest first. A read-modify-write chooses one that no other has read. */
static unsigned choose_read(unsigned w, int t, const struct check_site *site, uint64_t expected) {
    const struct word *word = &words[w];
    unsigned ranks[STORES], n = 0, changes = site->access != CHECK_LOAD;
    unsigned least = lowest(w, t, site->weak, true);
    unsigned failing = lowest(w, t, site->failed == CHECK_SEQ_CST ? site->weak : CHECK_RELAXED, true);
    for (unsigned i = word->count; i-- > (least < failing ? least : failing);) {
        bool fails = site->access == CHECK_CAS && word->stores[word->order[i]].value != expected;
        if (i >= (fails ? failing : least) && (fails || !changes || !is_followed(word, i)))
            ranks[n++] = i;
    }
    return ranks[check_choose_value(n)];
}

static void store(unsigned w, int t, const struct check_site *site, uint64_t value) {
    const struct word *word = &words[w];
    unsigned ranks[STORES], n = 0;
    for (unsigned i = word->count; i-- > lowest(w, t, site->weak, false);)
        if (!is_followed(word, i))
            ranks[n++] = i + 1;
    put(w, t, ranks[check_choose_value(n)], value, site->weak, NULL);
}

uint64_t check_atomic(struct check_site *site, void *address, size_t size, uint64_t operand,
                      uint64_t expected) {
    if (!(site->tests & check_test_bit))
        check_keep_site(site);
    check_point(address, site->access != CHECK_LOAD);
    int t = check_self();
    if (site->access == CHECK_FENCE) {
        fence(t, site->weak);
        check_log(site, "fence", NULL, 0, 0);
        return 0;
    }
    check_touch((uintptr_t)address, size, site->access != CHECK_LOAD, true, __builtin_return_address(0));
    unsigned w = find((uintptr_t)address, size);
    operand = cut(operand, size);
    if (site->access == CHECK_STORE) {
        store(w, t, site, operand);
        check_log(site, "store", address, 0, operand);
        return 0;
    }
    expected = cut(expected, size);
    unsigned rank = choose_read(w, t, site, expected), s = words[w].order[rank];
    struct store *from = &words[w].stores[s];
    uint64_t old = from->value;
    bool fails = site->access == CHECK_CAS && old != expected;
    enum check_order failed =
        site->failed == CHECK_RELAXED || site->weak == site->order ? site->failed : site->weak;
    see(w, t, s, fails ? failed : site->weak);
    if (site->access == CHECK_LOAD || fails) {
        threads[t].now.clock[t]++;
        check_log(site, fails ? "failed swap" : "load", address, old, old);
        return old;
    }
    uint64_t new = cut(changed(site->access, old, operand), size);
    put(w, t, rank + 1, new, site->weak, from);
    check_log(site, "change", address, old, new);
    return old;
}

/* ---- waits ---- */

uint64_t check_futex_value(const uint32_t *address) {
    unsigned w = find((uintptr_t)address, sizeof *address), n = 0, stores[STORES];
    int t = check_self();
    unsigned least = later(w, threads[t].now.at[w], words[w].wakes.at[w]);
    for (unsigned i = words[w].count; i-- > words[w].rank[later(w, least, threads[t].fresh[w])];)
        stores[n++] = words[w].order[i];
    unsigned s = stores[check_choose_value(n)];
    threads[t].fresh[w] = (uint8_t)s; /* a processor's later loads of this word see nothing older */
    check_note(t, words[w].stores[s].id);
    return words[w].stores[s].value;
}

void check_futex_published(const uint32_t *address) {
    unsigned w = find((uintptr_t)address, sizeof *address);
    join_words(&words[w].wakes, &threads[check_self()].now);
    words[w].hash = 0;
}

/* Old values are not seen forever: the next round of a wait sees a newer one. A wait that yields may contain one that
 * pauses, for a lock. */
void check_relax(bool yields) {
    if (!check_is_running())
        return;
    struct thread *thread = &threads[check_self()];
    struct round *round = thread->waits = &thread->rounds[yields];
    for (unsigned w = 0; w < word_count; w++)
        if (round->read[w]) {
            unsigned rank = words[w].rank[round->read[w] - 1];
            if (rank + 1 < words[w].count)
                thread->fresh[w] = words[w].order[rank + 1];
        }
    if (!round->changed && !check_has_news(check_self()) && !check_ends_early())
        check_block(CHECK_RELAXES);
    memset(round, 0, sizeof *round);
}

bool check_has_news(int t) {
    const uint8_t *read = threads[t].waits->read;
    for (unsigned w = 0; w < word_count; w++)
        if (read[w] && words[w].rank[read[w] - 1] + 1u < words[w].count)
            return true;
    return false;
}
