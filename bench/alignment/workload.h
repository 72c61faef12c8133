/* alignment: the best local alignments of all pairs of some proteins, scores only: Smith and Waterman's, with Gotoh's
 * affine gaps. The proteins are random, of different lengths, in families of relatives. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include "harness.h"

enum { PROTEINS = 24, PROTEIN_FAMILIES = 4, PROTEIN_LEAST = 40, PROTEIN_MOST = 160, AMINO_ACIDS = 20 };
enum { PROTEIN_PAIRS = PROTEINS * (PROTEINS - 1) / 2 };
enum { GAP_OPEN = 11, GAP_EXTEND = 1 }; /* a gap of n costs GAP_OPEN + n GAP_EXTEND */

/* BLOSUM62 (Henikoff and Henikoff, 1992), for A R N D C Q E G H I L K M F P S T W Y V: the lower half. */
static const signed char blosum62[AMINO_ACIDS][AMINO_ACIDS] = {
    {4},
    {-1, 5},
    {-2, 0, 6},
    {-2, -2, 1, 6},
    {0, -3, -3, -3, 9},
    {-1, 1, 0, 0, -3, 5},
    {-1, 0, 0, 2, -4, 2, 5},
    {0, -2, 0, -1, -3, -2, -2, 6},
    {-2, 0, 1, -1, -3, 0, 0, -2, 8},
    {-1, -3, -3, -3, -1, -3, -3, -4, -3, 4},
    {-1, -2, -3, -4, -1, -2, -3, -4, -3, 2, 4},
    {-1, 2, 0, -1, -3, 1, 1, -2, -1, -3, -2, 5},
    {-1, -1, -2, -3, -1, 0, -2, -3, -2, 1, 2, -1, 5},
    {-2, -3, -3, -3, -2, -3, -3, -3, -1, 0, 0, -3, 0, 6},
    {-1, -2, -2, -1, -3, -1, -1, -2, -2, -3, -3, -1, -2, -4, 7},
    {1, -1, 1, 0, -1, 0, 0, 0, -1, -2, -2, 0, -1, -2, -1, 4},
    {0, -1, 0, -1, -1, -1, -1, -2, -2, -1, -1, -1, -1, -2, -1, 1, 5},
    {-3, -3, -4, -4, -2, -2, -3, -2, -2, -3, -2, -3, -1, 1, -4, -3, -2, 11},
    {-2, -2, -2, -3, -2, -1, -2, -3, 2, -1, -1, -2, -1, 3, -3, -2, -2, 2, 7},
    {0, -3, -3, -3, -1, -2, -2, -3, -3, 3, 1, -2, 1, -1, -2, -2, 0, -3, -1, 4},
};

struct protein {
    int length;
    unsigned char acid[PROTEIN_MOST];
};

/* Similar: blosum62, both halves. */
struct alignment {
    signed char similar[AMINO_ACIDS][AMINO_ACIDS];
    struct protein protein[PROTEINS];
    int scores[PROTEINS][PROTEINS]; /* of protein j with an earlier one i: [j][i] */
};

static inline int alignment_larger(int a, int b) {
    return a > b ? a : b;
}

/* Proteins a and b, row by row: best[j] is the best alignment that ends with the acids i of a and j of b; gap[j] the best
 * one that ends in a gap of b, and `across` in one of a. */
__attribute__((noinline, unused)) static int alignment_score(const struct alignment *alignment, int of,
                                                             int with) {
    const struct protein *a = &alignment->protein[of], *b = &alignment->protein[with];
    int best[PROTEIN_MOST] = {0}, gap[PROTEIN_MOST] = {0}, score = 0;
    for (int i = 0; i < a->length; i++) {
        int across = 0, diagonal = 0, left = 0;
        const signed char *similar = alignment->similar[a->acid[i]];
        for (int j = 0; j < b->length; j++) {
            gap[j] = alignment_larger(gap[j], best[j] - GAP_OPEN) - GAP_EXTEND;
            across = alignment_larger(across, left - GAP_OPEN) - GAP_EXTEND;
            left = alignment_larger(diagonal + similar[b->acid[j]], alignment_larger(gap[j], across));
            left = alignment_larger(left, 0);
            diagonal = best[j];
            best[j] = left;
            score = alignment_larger(score, left);
        }
    }
    return score;
}

static inline void alignment_serial(struct alignment *alignment) {
    for (int j = 1; j < PROTEINS; j++)
        for (int i = 0; i < j; i++)
            alignment->scores[j][i] = alignment_score(alignment, i, j);
}

/* The members of a family differ from their common ancestor in one acid of four, and in length. */
static inline void alignment_fill(struct alignment *alignment) {
    for (int i = 0; i < AMINO_ACIDS; i++)
        for (int j = 0; j < AMINO_ACIDS; j++)
            alignment->similar[i][j] = i > j ? blosum62[i][j] : blosum62[j][i];
    for (int i = 0; i < PROTEINS; i++) {
        struct protein *protein = &alignment->protein[i];
        uint64_t family = (uint64_t)(i % PROTEIN_FAMILIES), self = (uint64_t)i;
        protein->length = PROTEIN_LEAST + (int)(harness_mix(self) % (PROTEIN_MOST - PROTEIN_LEAST));
        for (int j = 0; j < protein->length; j++) {
            uint64_t own = harness_mix(self << 32 | (uint64_t)j),
                     common = harness_mix(~(family << 32 | (uint64_t)j));
            protein->acid[j] = (unsigned char)((own % 4 ? common : own / 4) % AMINO_ACIDS);
        }
    }
}

/* A protein's best alignment with itself is without gaps: the sum of its acids with themselves. */
static inline void alignment_check_serial(const struct alignment *alignment) {
    for (int i = 0; i < PROTEINS; i++) {
        const struct protein *protein = &alignment->protein[i];
        int sum = 0;
        for (int j = 0; j < protein->length; j++)
            sum += blosum62[protein->acid[j]][protein->acid[j]];
        harness_check("alignment (serial)", (uint64_t)alignment_score(alignment, i, i), (uint64_t)sum);
    }
}

static inline void alignment_prepare(void *arg) {
    struct alignment *alignment = (struct alignment *)arg;
    for (int i = 0; i < PROTEINS * PROTEINS; i++)
        alignment->scores[i / PROTEINS][i % PROTEINS] = -1;
}

static inline uint64_t alignment_result(void *arg) {
    const struct alignment *alignment = (const struct alignment *)arg;
    uint64_t sum = 0;
    for (int j = 1; j < PROTEINS; j++)
        for (int i = 0; i < j; i++)
            sum += harness_mix((uint64_t)(j * PROTEINS + i) << 32 ^ (uint64_t)alignment->scores[j][i]);
    return sum;
}

/* Prints alignment.pair, the time per pair. Arguments: MS. */
static inline int alignment_main(int argc, char **argv, uint64_t (*align_all)(void *alignment)) {
    static struct alignment alignment;
    harness_begin(argc, argv);
    alignment_fill(&alignment);
    alignment_check_serial(&alignment);
    alignment_serial(&alignment);
    const struct harness_kernel kernel = {alignment_prepare, align_all, alignment_result};
    harness_measure_kernel("alignment.pair", &kernel, &alignment, alignment_result(&alignment),
                           PROTEIN_PAIRS);
    return harness_end();
}

#endif
