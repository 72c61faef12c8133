/* The checker itself, by litmus tests: its outcomes are those of C11 (herd7, model rc11.cat), named at each test. A
 * digit for each load, in the order of threads; for stores alone, the last values of x and y. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct bz_a32 x, y;
static unsigned r[4];
static char found[256];

static void check_result(unsigned result) {
    char text[8];
    snprintf(text, sizeof text, "%04u ", result);
    if (!strstr(found, text))
        strcat(found, text);
}

static void begin(void) {
    x.v = y.v = 0;
    memset(r, 0, sizeof r);
}
static void loads(void) {
    check_result(r[0] * 1000 + r[1] * 100 + r[2] * 10 + r[3]);
}
static void last(void) {
    check_result(bz_load_relaxed(&x) * 1000 + bz_load_relaxed(&y) * 100 + r[0] * 10 + r[1]);
}

/* base/atomic.h lacks this one. */
#define check_store_seq_cst(p, x) ((void)CHECK_DO(p, CHECK_STORE, CHECK_SEQ_CST, x))

#define T(name, ...)                                                                                         \
    static void name(void) {                                                                                 \
        __VA_ARGS__;                                                                                         \
    }
#define SX(v) bz_store_relaxed(&x, v)
#define SY(v) bz_store_relaxed(&y, v)
#define RX(i) r[i] = bz_load_relaxed(&x)
#define RY(i) r[i] = bz_load_relaxed(&y)
#define SC check_fence(CHECK_SEQ_CST)
#define ACQ check_fence(CHECK_ACQUIRE)
#define REL check_fence(CHECK_RELEASE)

T(sb1, SX(1); RY(0))
T(sb2, SY(1); RX(1))
T(sb1f, SX(1); SC; RY(0))
T(sb2f, SY(1); SC; RX(1))
T(sb1s, check_store_seq_cst(&x, 1); r[0] = bz_load_seq_cst(&y))
T(sb2s, check_store_seq_cst(&y, 1); r[1] = bz_load_seq_cst(&x))
T(mp1, SX(1); SY(1))
T(mp2, RY(0); RX(1))
T(mp1r, SX(1); bz_store_release(&y, 1))
T(mp2a, r[0] = bz_load_acquire(&y); RX(1))
T(mp1f, SX(1); REL; SY(1))
T(mp2f, RY(0); ACQ; RX(1))
T(lb1, RX(0); SY(1))
T(lb2, RY(1); SX(1))
T(wrc2, r[0] = bz_load_acquire(&x); bz_store_release(&y, 1))
T(wrc2x, RX(0); SY(1))
T(wrc3, r[1] = bz_load_acquire(&y); RX(2))
T(one, bz_store_release(&x, 1))
T(ww1, SX(1); SY(2))
T(ww2, SY(1); SX(2))
T(ww1f, SX(1); SC; SY(2))
T(ww2f, SY(1); SC; SX(2))
T(co1, SX(1); SX(2))
T(co2, RX(0); RX(1))
T(r2, SY(2); RX(0))
T(r1f, SX(1); SC; SY(1))
T(r2f, SY(2); SC; RX(0))
T(s1, SX(2); SY(1))
T(s2, RY(0); SX(1))
T(s1r, SX(2); bz_store_release(&y, 1))
T(s2a, r[0] = bz_load_acquire(&y); SX(1))
T(oney, bz_store_release(&y, 1))
T(xya, r[0] = bz_load_acquire(&x); r[1] = bz_load_acquire(&y))
T(yxa, r[2] = bz_load_acquire(&y); r[3] = bz_load_acquire(&x))
T(xyf, RX(0); SC; RY(1))
T(yxf, RY(2); SC; RX(3))
T(add, (void)bz_fetch_add_relaxed(&x, 1))

struct litmus {
    struct check_test test;
    const char *outcomes; /* sorted */
};
#define L(name, end, outcomes, ...)                                                                          \
    { {name, begin, {__VA_ARGS__}, end, -1, 0}, outcomes }
static const struct litmus litmus[] = {
    L("SB", loads, "0000 0100 1000 1100 ", sb1, sb2),
    L("SB+scfences", loads, "0100 1000 1100 ", sb1f, sb2f),
    L("SB+sc", loads, "0100 1000 1100 ", sb1s, sb2s),
    L("SB+scfence+relaxed", loads, "0000 0100 1000 1100 ", sb1f, sb2),
    L("MP", loads, "0000 0100 1000 1100 ", mp1, mp2),
    L("MP+rel+acq", loads, "0000 0100 1100 ", mp1r, mp2a),
    L("MP+rel", loads, "0000 0100 1000 1100 ", mp1r, mp2),
    L("MP+fences", loads, "0000 0100 1100 ", mp1f, mp2f),
    L("LB", loads, "0000 0100 1000 ", lb1, lb2),
    L("WRC", loads, "0000 0010 0100 0110 1000 1010 1100 1110 ", one, wrc2x, wrc3),
    L("WRC+rel+acq", loads, "0000 0010 0100 0110 1000 1010 1110 ", one, wrc2, wrc3),
    L("IRIW+acq", loads, "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1010 1011 1100 1101 1110 1111 ",
      one, xya, yxa, oney),
    L("IRIW+scfences", loads, "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1011 1100 1101 1110 1111 ",
      one, xyf, yxf, oney),
    L("2+2W", last, "1100 1200 2100 2200 ", ww1, ww2),
    L("2+2W+scfences", last, "1200 2100 2200 ", ww1f, ww2f),
    L("CoRR", loads, "0000 0100 0200 1100 1200 2200 ", co1, co2),
    L("R", last, "1100 1110 1200 1210 ", mp1, r2),
    L("R+scfences", last, "1100 1110 1210 ", r1f, r2f),
    L("S", last, "1100 1110 2100 2110 ", s1, s2),
    L("S+rel+acq", last, "1100 1110 2100 ", s1r, s2a),
    L("RMW", last, "2000 ", add, add),
};

static int by_text(const void *a, const void *b) {
    return memcmp(a, b, 5);
}

int main(void) {
    int bad = 0;
    for (size_t i = 0; i < sizeof litmus / sizeof *litmus; i++) {
        struct check_search how = {.bound = -1, .most = UINT64_MAX};
        found[0] = 0;
        struct check_outcome outcome = check_search(&litmus[i].test, &how);
        qsort(found, strlen(found) / 5, 5, by_text);
        bool right = !outcome.failed && strcmp(found, litmus[i].outcomes) == 0;
        printf("%-20s %5llu runs: %s%s\n", litmus[i].test.name, (unsigned long long)outcome.runs, found,
               right ? "" : " NOT AS IN C11");
        bad += !right;
    }
    return bad != 0;
}
