/* One reduction over the elements lo to hi - 1 of an array; included by typed.h and scan_typed.h with
 *   MAP           its name
 *   OF(i)         what the element a[i] comes to, of some with b[i]
 *   JOIN(x, y)    how two of these are put together
 *   FIRST(x)      what the first one of a lane begins it with
 *   LANE, LANES   what that is done in, and how many at a time: the rows of elements
 *   ROWS          rows that a lane has room for
 *   TOTAL         what the lanes' results and *value are
 * All of which it undefines.
 *
 * A lane's next operation need not wait for that of another one, and the compiler can use vector instructions, for floating
 * point, too, without being allowed to rebracket. What does not fill a row comes first, and lanes begin with their first
 * element rather than with an identity: so gcc keeps them in registers, and they are put together by halves as vectors. */
static int MAP(size_t lo, size_t hi, void *value, void *ctx) {
    const T *a = ((const struct typed *)ctx)->a, *b = ((const struct typed *)ctx)->b;
    TOTAL total = *(TOTAL *)value;
    size_t i = lo;
    (void)b;
    for (size_t rest = (hi - lo) % LANES; rest > 0; rest--, i++)
        total = JOIN(total, (TOTAL)OF(i));
    while (i < hi) {
        size_t rows = (hi - i) / LANES < ROWS ? (hi - i) / LANES : ROWS;
        LANE lane[LANES];
        TOTAL part[LANES];
        for (size_t k = 0; k < LANES; k++)
            lane[k] = (LANE)FIRST(OF(i + k));
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

#undef MAP
#undef OF
#undef JOIN
#undef FIRST
#undef LANE
#undef LANES
#undef ROWS
#undef TOTAL
