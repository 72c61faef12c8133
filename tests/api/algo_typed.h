/* Included by api_algo_typed.c for each type, with
 *
 *   T, SUM, WRAP         the type; that of results of sums, and of sums in progress
 *   ACC                  the type of sums in scans; undefined: no scans
 *   FROM(x)              the type's number for 64 random bits
 *   LEAST, GREATEST      its ends
 *   NAME(verb)           a verb's name
 *
 * It undefines all of them. */
#define TYPED(verb) NAME(blitz_##verb)

static void NAME(check_reductions)(const T *a, const T *b, size_t count) {
    WRAP sum = 0, dot = 0;
    T least = GREATEST, most = LEAST;
    size_t equal = 0;
    for (size_t i = 0; i < count; i++) {
        sum += (WRAP)(SUM)a[i];
        dot += (WRAP)(SUM)a[i] * (WRAP)(SUM)b[i];
        least = a[i] < least ? a[i] : least;
        most = a[i] > most ? a[i] : most;
        equal += a[i] == a[count / 2];
    }
    assert_true(TYPED(sum)(a, count) == (SUM)sum);
    assert_true(TYPED(dot)(a, b, count) == (SUM)dot);
    assert_true(TYPED(min)(a, count) == least);
    assert_true(TYPED(max)(a, count) == most);
    assert_int_equal(TYPED(count)(a, count, a[count / 2]), equal);
}

#ifdef ACC
/* Into another array, and in place; nothing beyond the end. */
static void NAME(check_scans)(const T *in, T *out, T *same, size_t count) {
    ACC sum = 0;
    T total;
    memcpy(same, in, (count + 1) * sizeof *in);
    memset(out, 0x55, (count + 1) * sizeof *out);
    T beyond = out[count];
    assert_int_equal(TYPED(inclusive_sum)(in, out, count), 0);
    assert_int_equal(TYPED(inclusive_sum)(same, same, count), 0);
    for (size_t i = 0; i < count; i++) {
        sum += (ACC)in[i];
        assert_true(out[i] == (T)sum && same[i] == (T)sum);
    }
    assert_true(memcmp(&out[count], &beyond, sizeof beyond) == 0 && same[count] == in[count]);
    memcpy(same, in, (count + 1) * sizeof *in);
    assert_int_equal(TYPED(exclusive_sum)(in, out, count, &total), 0);
    assert_true(total == (T)sum);
    assert_int_equal(TYPED(exclusive_sum)(same, same, count, NULL), 0);
    sum = 0;
    for (size_t i = 0; i < count; i++) {
        assert_true(out[i] == (T)sum && same[i] == (T)sum);
        sum += (ACC)in[i];
    }
    assert_true(memcmp(&out[count], &beyond, sizeof beyond) == 0 && same[count] == in[count]);
}

#else
static void NAME(check_scans)(const T *in, T *out, T *same, size_t count) {
    (void)in, (void)out, (void)same, (void)count;
}
#endif

static void NAME(check_missing_arrays)(void) {
    const T one = FROM(1);
    assert_true(TYPED(sum)(NULL, 5) == 0 && TYPED(sum)(NULL, MOST) == 0);
    assert_true(TYPED(dot)(NULL, &one, 1) == 0 && TYPED(dot)(&one, NULL, 1) == 0);
    assert_true(TYPED(min)(NULL, 5) == GREATEST && TYPED(max)(NULL, 5) == LEAST);
    assert_int_equal(TYPED(count)(NULL, 5, 0), 0);
    assert_true(TYPED(sum)(&one, SIZE_MAX) == 0 && TYPED(dot)(&one, &one, SIZE_MAX / 2 + 1) == 0);
    assert_true(TYPED(min)(&one, SIZE_MAX) == GREATEST && TYPED(max)(&one, SIZE_MAX) == LEAST);
    assert_int_equal(TYPED(count)(&one, SIZE_MAX, 1), 0);
#ifdef ACC
    T out = FROM(3), total = FROM(3);
    assert_int_equal(TYPED(inclusive_sum)(NULL, NULL, 5), EINVAL);
    assert_int_equal(TYPED(inclusive_sum)(&one, NULL, 1), EINVAL);
    assert_int_equal(TYPED(inclusive_sum)(NULL, &out, 1), EINVAL);
    assert_int_equal(TYPED(exclusive_sum)(&one, NULL, 1, &total), EINVAL);
    assert_int_equal(TYPED(exclusive_sum)(NULL, &out, 1, &total), EINVAL);
    assert_int_equal(TYPED(inclusive_sum)(&one, &out, SIZE_MAX), EINVAL);
    assert_int_equal(TYPED(exclusive_sum)(&one, &out, SIZE_MAX / sizeof(T), &total), EINVAL);
    assert_true(out == (T)FROM(3) && total == (T)FROM(3));
    assert_int_equal(TYPED(inclusive_sum)(NULL, NULL, 0), 0);
    assert_int_equal(TYPED(exclusive_sum)(NULL, NULL, 0, &total), 0);
    assert_true(total == 0);
#endif
}

static void NAME(test)(void) {
    T *a = memory((MOST + 1) * sizeof *a), *b = memory((MOST + 1) * sizeof *b);
    T *out = memory((MOST + 1) * sizeof *out), *same = memory((MOST + 1) * sizeof *same);
    uint64_t seed = 1;
    for (size_t i = 0; i <= MOST; i++) {
        a[i] = FROM(random_next(&seed));
        b[i] = FROM(random_next(&seed));
    }
    for (size_t i = 0; i < SIZES; i += NEXT_SIZE) {
        NAME(check_reductions)(a, b, sizes[i]);
        NAME(check_scans)(b, out, same, sizes[i]);
    }
    free(a), free(b), free(out), free(same);
}

#undef TYPED
#undef T
#undef SUM
#undef WRAP
#undef ACC
#undef FROM
#undef LEAST
#undef GREATEST
#undef NAME
