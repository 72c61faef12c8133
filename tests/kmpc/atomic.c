// The atomic constructs of icc, each a function: each row of the table that generates them in the library. Their
// results for small operands, by definition; and none loses a concurrent update of another thread.
#include "calls.h"

typedef int8_t fixed1;
typedef int16_t fixed2;
typedef int32_t fixed4;
typedef int64_t fixed8;
typedef uint8_t fixed1u;
typedef uint16_t fixed2u;
typedef uint32_t fixed4u;
typedef uint64_t fixed8u;
typedef float float4;
typedef double float8;
typedef long double float10;
typedef float _Complex cmplx4;
typedef double _Complex cmplx8;
typedef long double _Complex cmplx10;

#define WHERE &here, __kmpc_global_thread_num(&here)

/* ---- definitions ---- */

#define REF_add(x, y) ((x) + (y))
#define REF_sub(x, y) ((x) - (y))
#define REF_mul(x, y) ((x) * (y))
#define REF_div(x, y) ((x) / (y))
#define REF_max(x, y) ((x) > (y) ? (x) : (y))
#define REF_min(x, y) ((x) < (y) ? (x) : (y))
#define REF_andb(x, y) ((x) & (y))
#define REF_orb(x, y) ((x) | (y))
#define REF_xor(x, y) ((x) ^ (y))
#define REF_neqv(x, y) ((x) ^ (y))
#define REF_eqv(x, y) (~((x) ^ (y)))
#define REF_andl(x, y) ((x) && (y))
#define REF_orl(x, y) ((x) || (y))
#define REF_shl(x, y) ((x) << (y))
#define REF_shr(x, y) ((x) >> (y))

/* An operand that leaves each number as it is; logical ones leave 0 and 1. */
#define SAME_add 0
#define SAME_sub 0
#define SAME_mul 1
#define SAME_div 1
#define SAME_max (-100)
#define SAME_min 100
#define SAME_andb (-1)
#define SAME_orb 0
#define SAME_xor 0
#define SAME_neqv 0
#define SAME_eqv (-1)
#define SAME_andl 1
#define SAME_orl 0
#define SAME_shl 0
#define SAME_shr 0

enum { ROUNDS = 20000 };
static const int first_operands[] = {6, 5, 1, 4}, second_operands[] = {3, 2, 4, 4};
static int checked;

static int are_near(cmplx10 a, cmplx10 b) {
    float10 real = __real__ a - __real__ b, imaginary = __imag__ a - __imag__ b;
    return real < 1e-5L && real > -1e-5L && imaginary < 1e-5L && imaginary > -1e-5L;
}

#define EQUAL(a, b) CHECK(are_near(a, b)), checked++

/* ---- declarations, and one call for each form ---- */

#define VALUE(T, f, at, y, flag) f(WHERE, at, y, flag)
#define VALUE_cmplx4(T, f, at, y, flag)                                                                      \
    ({                                                                                                       \
        T value;                                                                                             \
        f(WHERE, at, y, &value, flag);                                                                       \
        value;                                                                                               \
    })
#define OLD(T, f, at, y) f(WHERE, at, y)
#define OLD_cmplx4(T, f, at, y)                                                                              \
    ({                                                                                                       \
        T value;                                                                                             \
        f(WHERE, at, y, &value);                                                                             \
        value;                                                                                               \
    })

#define IS_OUT_fixed1 0
#define IS_OUT_fixed2 0
#define IS_OUT_fixed4 0
#define IS_OUT_fixed8 0
#define IS_OUT_fixed1u 0
#define IS_OUT_fixed2u 0
#define IS_OUT_fixed4u 0
#define IS_OUT_fixed8u 0
#define IS_OUT_float4 0
#define IS_OUT_float8 0
#define IS_OUT_float10 0
#define IS_OUT_cmplx4 1
#define IS_OUT_cmplx8 0
#define IS_OUT_cmplx10 0
#define JOIN(a, b) a##b
#define CHOOSE(a, b) JOIN(a, b)
#define DECLARE_VALUE_0(T, f) T f(ident_t *, int32_t, T *, T, int32_t);
#define DECLARE_VALUE_1(T, f) void f(ident_t *, int32_t, T *, T, T *, int32_t);
#define GET_0 VALUE
#define GET_1 VALUE_cmplx4
#define DECLARE_OLD_0(T, f) T f(ident_t *, int32_t, T *, T);
#define DECLARE_OLD_1(T, f) void f(ident_t *, int32_t, T *, T, T *);
#define SWAP_0 OLD
#define SWAP_1 OLD_cmplx4
#define DECLARE_VALUE(T, f) CHOOSE(DECLARE_VALUE_, IS_OUT_##T)(T, f)
#define GET(T, f, at, y, flag) CHOOSE(GET_, IS_OUT_##T)(T, f, at, y, flag)
#define DECLARE_OLD(T, f) CHOOSE(DECLARE_OLD_, IS_OUT_##T)(T, f)
#define SWAP(T, f, at, y) CHOOSE(SWAP_, IS_OUT_##T)(T, f, at, y)

/* ---- no update is lost ---- */

#define ADD_fixed1u __kmpc_atomic_fixed1_add(WHERE, (void *)&x, 1)
#define ADD_fixed2u __kmpc_atomic_fixed2_add(WHERE, (void *)&x, 1)
#define ADD_fixed4u __kmpc_atomic_fixed4_add(WHERE, (void *)&x, 1)
#define ADD_fixed8u __kmpc_atomic_fixed8_add(WHERE, (void *)&x, 1)
#define ADD_fixed1 __kmpc_atomic_fixed1_add(WHERE, &x, 1)
#define ADD_fixed2 __kmpc_atomic_fixed2_add(WHERE, &x, 1)
#define ADD_fixed4 __kmpc_atomic_fixed4_add(WHERE, &x, 1)
#define ADD_fixed8 __kmpc_atomic_fixed8_add(WHERE, &x, 1)
#define ADD_float4 __kmpc_atomic_float4_add(WHERE, &x, 1)
#define ADD_float8 __kmpc_atomic_float8_add(WHERE, &x, 1)
#define ADD_float10 __kmpc_atomic_float10_add(WHERE, &x, 1)
#define ADD_cmplx4 __kmpc_atomic_cmplx4_add(WHERE, &x, 1)
#define ADD_cmplx8 __kmpc_atomic_cmplx8_add(WHERE, &x, 1)
#define ADD_cmplx10 __kmpc_atomic_cmplx10_add(WHERE, &x, 1)

/* One thread alternates x, up to a last change; another one runs operations that leave x as it is. x ends at 1. */
#define BESIDE(T, statement)                                                                                 \
    do {                                                                                                     \
        T x = 0;                                                                                             \
        _Pragma("omp parallel num_threads(2) shared(x)") for (int i = 0; i < ROUNDS; i++) {                  \
            if (omp_get_thread_num() == 1 || omp_get_num_threads() == 1)                                     \
                statement;                                                                                   \
            if (omp_get_thread_num() == 0 && i % 2 == 0)                                                     \
                ADD_##T;                                                                                     \
            else if (omp_get_thread_num() == 0)                                                              \
                SUBTRACT_##T;                                                                                \
        }                                                                                                    \
        ADD_##T;                                                                                             \
        EQUAL(x, 1);                                                                                         \
    } while (0)

#define SUBTRACT_fixed1u __kmpc_atomic_fixed1_sub(WHERE, (void *)&x, 1)
#define SUBTRACT_fixed2u __kmpc_atomic_fixed2_sub(WHERE, (void *)&x, 1)
#define SUBTRACT_fixed4u __kmpc_atomic_fixed4_sub(WHERE, (void *)&x, 1)
#define SUBTRACT_fixed8u __kmpc_atomic_fixed8_sub(WHERE, (void *)&x, 1)
#define SUBTRACT_fixed1 __kmpc_atomic_fixed1_sub(WHERE, &x, 1)
#define SUBTRACT_fixed2 __kmpc_atomic_fixed2_sub(WHERE, &x, 1)
#define SUBTRACT_fixed4 __kmpc_atomic_fixed4_sub(WHERE, &x, 1)
#define SUBTRACT_fixed8 __kmpc_atomic_fixed8_sub(WHERE, &x, 1)
#define SUBTRACT_float4 __kmpc_atomic_float4_sub(WHERE, &x, 1)
#define SUBTRACT_float8 __kmpc_atomic_float8_sub(WHERE, &x, 1)
#define SUBTRACT_float10 __kmpc_atomic_float10_sub(WHERE, &x, 1)
#define SUBTRACT_cmplx4 __kmpc_atomic_cmplx4_sub(WHERE, &x, 1)
#define SUBTRACT_cmplx8 __kmpc_atomic_cmplx8_sub(WHERE, &x, 1)
#define SUBTRACT_cmplx10 __kmpc_atomic_cmplx10_sub(WHERE, &x, 1)

/* ---- declarations ---- */

#define ATOMIC_UPDATE(T, op, forms)                                                                          \
    void __kmpc_atomic_##T##_##op(ident_t *, int32_t, T *, T);                                               \
    DECLARE_VALUE(T, __kmpc_atomic_##T##_##op##_cpt)                                                         \
    DECLARE_##forms(T, op)
#define DECLARE_CAPTURE(T, op)
#define DECLARE_REVERSE(T, op)                                                                               \
    void __kmpc_atomic_##T##_##op##_rev(ident_t *, int32_t, T *, T);                                         \
    DECLARE_VALUE(T, __kmpc_atomic_##T##_##op##_cpt_rev)
#define ATOMIC_MIXED(T, op, U) void __kmpc_atomic_##T##_##op##_##U(ident_t *, int32_t, T *, U);
#define ATOMIC_ACCESS(T)                                                                                     \
    T __kmpc_atomic_##T##_rd(ident_t *, int32_t, T *);                                                       \
    void __kmpc_atomic_##T##_wr(ident_t *, int32_t, T *, T);                                                 \
    DECLARE_OLD(T, __kmpc_atomic_##T##_swp)
#define ATOMIC_CAS(n)                                                                                        \
    _Bool __kmpc_atomic_bool_##n##_cas(ident_t *, int32_t, fixed##n *, fixed##n, fixed##n);                  \
    _Bool __kmpc_atomic_bool_##n##_cas_cpt(ident_t *, int32_t, fixed##n *, fixed##n, fixed##n, fixed##n *);  \
    fixed##n __kmpc_atomic_val_##n##_cas(ident_t *, int32_t, fixed##n *, fixed##n, fixed##n);                \
    fixed##n __kmpc_atomic_val_##n##_cas_cpt(ident_t *, int32_t, fixed##n *, fixed##n, fixed##n, fixed##n *);
#define ATOMIC_ANY(n)                                                                                        \
    void __kmpc_atomic_##n(ident_t *, int32_t, void *, void *, void (*)(void *, void *, void *));
#include "../../compat/kmpc/atomic.def"
#undef ATOMIC_UPDATE
#undef ATOMIC_MIXED
#undef ATOMIC_ACCESS
#undef ATOMIC_CAS
#undef ATOMIC_ANY
void __kmpc_atomic_start(void), __kmpc_atomic_end(void);

/* ---- the checks of a row ---- */

/* All forms of an operation on x and y whose result is `made`. */
#define CHECK_FORMS(T, f, f_cpt, made)                                                                       \
    for (unsigned i = 0; i < sizeof first_operands / sizeof first_operands[0]; i++) {                        \
        T x = (T)first_operands[i], y = (T)second_operands[i], at = x, want = (T)(made);                     \
        f(WHERE, &at, y);                                                                                    \
        EQUAL(at, want);                                                                                     \
        at = x;                                                                                              \
        T got = GET(T, f_cpt, &at, y, 1);                                                                    \
        EQUAL(got, want);                                                                                    \
        EQUAL(at, want);                                                                                     \
        at = x;                                                                                              \
        got = GET(T, f_cpt, &at, y, 0);                                                                      \
        EQUAL(got, x);                                                                                       \
        EQUAL(at, want);                                                                                     \
    }

#define ATOMIC_UPDATE(T, op, forms)                                                                          \
    static void update_##T##_##op(void) {                                                                    \
        CHECK_FORMS(T, __kmpc_atomic_##T##_##op, __kmpc_atomic_##T##_##op##_cpt, REF_##op(x, y))             \
        BESIDE(T, __kmpc_atomic_##T##_##op(WHERE, &x, (T)SAME_##op));                                        \
        BESIDE(T, (void)(GET(T, __kmpc_atomic_##T##_##op##_cpt, &x, (T)SAME_##op, 1)));                      \
        CHECK_##forms(T, op)                                                                                 \
    }
#define CHECK_CAPTURE(T, op)
#define CHECK_REVERSE(T, op)                                                                                 \
    CHECK_FORMS(T, __kmpc_atomic_##T##_##op##_rev, __kmpc_atomic_##T##_##op##_cpt_rev, REF_##op(y, x))
#define ATOMIC_MIXED(T, op, U)                                                                               \
    static void mixed_##T##_##op##_##U(void) {                                                               \
        for (unsigned i = 0; i < sizeof first_operands / sizeof first_operands[0]; i++) {                    \
            T x = (T)first_operands[i], at = x;                                                              \
            U y = (U)(second_operands[i] + 0.5);                                                             \
            __kmpc_atomic_##T##_##op##_##U(WHERE, &at, y);                                                   \
            EQUAL(at, (T)REF_##op(x, y));                                                                    \
        }                                                                                                    \
        BESIDE(T, __kmpc_atomic_##T##_##op##_##U(WHERE, &x, (U)SAME_##op));                                  \
    }
#define ATOMIC_ACCESS(T)                                                                                     \
    static void access_##T(void) {                                                                           \
        T at = 5;                                                                                            \
        T got = __kmpc_atomic_##T##_rd(WHERE, &at);                                                          \
        EQUAL(got, 5);                                                                                       \
        __kmpc_atomic_##T##_wr(WHERE, &at, 6);                                                               \
        EQUAL(at, 6);                                                                                        \
        got = SWAP(T, __kmpc_atomic_##T##_swp, &at, 7);                                                      \
        EQUAL(got, 6);                                                                                       \
        EQUAL(at, 7);                                                                                        \
        BESIDE(T, (void)__kmpc_atomic_##T##_rd(WHERE, &x));                                                  \
    }
#define ATOMIC_CAS(n)                                                                                        \
    static void cas_##n(void) {                                                                              \
        fixed##n at = 5, got = 1;                                                                            \
        CHECK(!__kmpc_atomic_bool_##n##_cas(WHERE, &at, 4, 6) && at == 5);                                   \
        CHECK(__kmpc_atomic_bool_##n##_cas(WHERE, &at, 5, 6) && at == 6);                                    \
        CHECK(!__kmpc_atomic_bool_##n##_cas_cpt(WHERE, &at, 5, 7, &got) && at == 6 && got == 6);             \
        got = 1;                                                                                             \
        CHECK(__kmpc_atomic_bool_##n##_cas_cpt(WHERE, &at, 6, 7, &got) && at == 7 && got == 1);              \
        CHECK(__kmpc_atomic_val_##n##_cas(WHERE, &at, 6, 8) == 7 && at == 7);                                \
        CHECK(__kmpc_atomic_val_##n##_cas(WHERE, &at, 7, 8) == 7 && at == 8);                                \
        CHECK(__kmpc_atomic_val_##n##_cas_cpt(WHERE, &at, 7, 9, &got) == 8 && at == 8 && got == 8);          \
        CHECK(__kmpc_atomic_val_##n##_cas_cpt(WHERE, &at, 8, 9, &got) == 8 && at == 9 && got == 9);          \
        checked += 8;                                                                                        \
        BESIDE(fixed##n, (void)__kmpc_atomic_val_##n##_cas(WHERE, &x, 0, 0));                                \
    }
#define ATOMIC_ANY(n)                                                                                        \
    static void combine_##n(void *made, void *old, void *operand) {                                          \
        unsigned char *to = made;                                                                            \
        const unsigned char *from = old, *more = operand;                                                    \
        for (int i = 0; i < n; i++)                                                                          \
            to[i] = (unsigned char)(from[i] + more[i]);                                                      \
    }                                                                                                        \
    static void any_##n(void) {                                                                              \
        _Alignas(32) unsigned char at[n + 1], operand[n];                                                    \
        memset(at, 0, sizeof at);                                                                            \
        memset(operand, 1, sizeof operand);                                                                  \
        at[n] = 99;                                                                                          \
        _Pragma("omp parallel num_threads(2)") for (int i = 0; i < ROUNDS; i++)                              \
            __kmpc_atomic_##n(WHERE, at, operand, combine_##n);                                              \
        for (int i = 0; i < n; i++)                                                                          \
            EQUAL(at[i], (unsigned char)(ROUNDS * team_of_two()));                                           \
        EQUAL(at[n], 99);                                                                                    \
    }

static int team_of_two(void) {
    int size = 1;
#pragma omp parallel num_threads(2)
#pragma omp single
    size = omp_get_num_threads();
    return size;
}

#include "../../compat/kmpc/atomic.def"
#undef ATOMIC_UPDATE
#undef ATOMIC_MIXED
#undef ATOMIC_ACCESS
#undef ATOMIC_CAS
#undef ATOMIC_ANY

/* Operands across word boundaries, and a region that excludes all atomics. */
static void others(void) {
    struct __attribute__((packed)) {
        char before;
        double x;
        char after;
    } odd = {1, 0, 2};
    long count = 0;
#pragma omp parallel num_threads(4)
    for (int i = 0; i < ROUNDS; i++) {
        __kmpc_atomic_float8_add(WHERE, (void *)((char *)&odd + 1), 1);
        __kmpc_atomic_start();
        count++;
        __kmpc_atomic_end();
    }
    double x = odd.x;
    CHECK(x == (double)count && count % ROUNDS == 0 && odd.before == 1 && odd.after == 2);
}

int main(void) {
#define ATOMIC_UPDATE(T, op, forms) update_##T##_##op();
#define ATOMIC_MIXED(T, op, U) mixed_##T##_##op##_##U();
#define ATOMIC_ACCESS(T) access_##T();
#define ATOMIC_CAS(n) cas_##n();
#define ATOMIC_ANY(n) any_##n();
#include "../../compat/kmpc/atomic.def"
    others();
    printf("%d\n", checked);
    return check_done("atomic");
}
