/* One reduction over the elements lo to hi - 1 of an array, and its blitz_reduce_op MAP_op. Included with
 *   MAP           its name
 *   OF(i)         the operand of element a[i], for some also of b[i]
 *   JOIN(x, y)    the operation; without it a sum
 *   LANE, LANES   the type and the number of lanes, which is that of elements in a row
 *   TOTAL         the type of the lanes' results and of *value
 *   IDENTITY      of the operation, a constant of that type
 * which it undefines.
 *
 * Lanes do not wait for each other, and the compiler can use vector instructions without reassociating floating point.
 * The elements that fill no row come first. A lane takes as many rows as a count in it can hold. It begins with its first
 * element, not with the identity alone: so gcc keeps it in a register. */
#ifndef JOIN
#    define JOIN(x, y) ((x) + (y))
#    define IDENTITY 0
#endif

static int MAP(size_t lo, size_t hi, void *value, void *ctx) {
    const T *a = ((const struct typed *)ctx)->a, *b = ((const struct typed *)ctx)->b;
    TOTAL total = *(TOTAL *)value;
    size_t i = lo;
    (void)b;
    for (size_t rest = (hi - lo) % LANES; rest > 0; rest--, i++)
        total = JOIN(total, (TOTAL)OF(i));
    while (i < hi) {
        size_t most = sizeof(LANE) == 1 ? UINT8_MAX : UINT16_MAX;
        size_t rows = (hi - i) / LANES < most ? (hi - i) / LANES : most;
        LANE lane[LANES];
        TOTAL part[LANES];
        for (size_t k = 0; k < LANES; k++)
            lane[k] = (LANE)JOIN((LANE)IDENTITY, (LANE)OF(i + k));
        for (i += LANES; --rows > 0; i += LANES)
            for (size_t k = 0; k < LANES; k++)
                lane[k] = (LANE)JOIN(lane[k], (LANE)OF(i + k));
        for (size_t k = 0; k < LANES; k++)
            part[k] = (TOTAL)lane[k];
        for (size_t k = 0; k < LANES / 2; k++)
            part[k] = JOIN(part[k], part[k + LANES / 2]);
        for (size_t k = 0; k < LANES / 4; k++)
            part[k] = JOIN(part[k], part[k + LANES / 4]);
        for (size_t k = 0; k < LANES / 8; k++)
            part[k] = JOIN(part[k], part[k + LANES / 8]);
        for (size_t k = 0; k < LANES / 8; k++)
            total = JOIN(total, part[k]);
    }
    *(TOTAL *)value = total;
    return 0;
}

static void SUFFIXED(MAP, _into)(void *left, const void *right, void *ctx) {
    (void)ctx;
    *(TOTAL *)left = JOIN(*(TOTAL *)left, *(const TOTAL *)right);
}

static const blitz_reduce_op SUFFIXED(MAP, _op) = {sizeof(TOTAL), &(const TOTAL){IDENTITY}, MAP,
                                                   SUFFIXED(MAP, _into)};

#undef MAP
#undef OF
#undef JOIN
#undef LANE
#undef LANES
#undef TOTAL
#undef IDENTITY
