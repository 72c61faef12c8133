/* atomic.c: atomic constructs as functions, for code of icc; atomic.def lists them. Up to 8 bytes, at an address that is
 * a multiple of their number, are exchanged as one word; the rest is changed under the lock that stands for atomic
 * instructions, GCC's code included. Each update is a function that combines the old value and an operand, as compilers
 * pass one to __kmpc_atomic_4. */
#include <complex.h>
#include <string.h>

#include "kmpc.h"

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

#define INLINE static inline __attribute__((always_inline))

/* Makes a value of an old one and an operand. */
typedef void combine_fn(void *made, void *old, void *operand);

/* ---- words and what lies across them ---- */

INLINE bool is_word(const void *at, size_t size) {
    return size <= 8 && (uintptr_t)at % size == 0;
}

/* The memory orders are those of the strictest construct that calls these functions. */
#define UPDATE_WORD(word)                                                                                    \
    case sizeof(word): {                                                                                     \
        word next, seen = __atomic_load_n((word *)at, __ATOMIC_RELAXED);                                     \
        do {                                                                                                 \
            memcpy(old, &seen, sizeof seen);                                                                 \
            combine(made, old, operand);                                                                     \
            memcpy(&next, made, sizeof next);                                                                \
        } while (!__atomic_compare_exchange_n((word *)at, &seen, next, false, __ATOMIC_SEQ_CST,              \
                                              __ATOMIC_RELAXED));                                            \
        break;                                                                                               \
    }

static void update_locked(void *at, size_t size, void *old, void *made, combine_fn *combine, void *operand) {
    bomp_atomic_start();
    memcpy(old, at, size);
    combine(made, old, operand);
    memcpy(at, made, size);
    bomp_atomic_end();
}

/* Changes `size` bytes; gives what they were and what they are. */
INLINE void update(void *at, size_t size, void *old, void *made, combine_fn *combine, void *operand) {
    switch (is_word(at, size) ? size : 0) {
        UPDATE_WORD(uint8_t)
        UPDATE_WORD(uint16_t)
        UPDATE_WORD(uint32_t)
        UPDATE_WORD(uint64_t)
    default:
        update_locked(at, size, old, made, combine, operand);
    }
}

#define READ_WORD(word)                                                                                      \
    case sizeof(word): {                                                                                     \
        word seen = __atomic_load_n((word *)at, __ATOMIC_SEQ_CST);                                           \
        memcpy(value, &seen, sizeof seen);                                                                   \
        break;                                                                                               \
    }

INLINE void read(void *at, size_t size, void *value) {
    switch (is_word(at, size) ? size : 0) {
        READ_WORD(uint8_t)
        READ_WORD(uint16_t)
        READ_WORD(uint32_t)
        READ_WORD(uint64_t)
    default:
        bomp_atomic_start();
        memcpy(value, at, size);
        bomp_atomic_end();
    }
}

/* ---- operations ---- */

/* What a type's sums and products are made in: integers wrap around. */
#define WORK_fixed1 uint64_t
#define WORK_fixed2 uint64_t
#define WORK_fixed4 uint64_t
#define WORK_fixed8 uint64_t
#define WORK_float4 float4
#define WORK_float8 float8
#define WORK_float10 float10
#define WORK_cmplx4 cmplx4
#define WORK_cmplx8 cmplx8
#define WORK_cmplx10 cmplx10

#define MADE_add(type, x, y) (type)((WORK_##type)(x) + (WORK_##type)(y))
#define MADE_sub(type, x, y) (type)((WORK_##type)(x) - (WORK_##type)(y))
#define MADE_mul(type, x, y) (type)((WORK_##type)(x) * (WORK_##type)(y))
#define MADE_div(type, x, y) (type)((x) / (y))
#define MADE_max(type, x, y) (x) < (y) ? (y) : (x)
#define MADE_min(type, x, y) (x) > (y) ? (y) : (x)
#define MADE_andb(type, x, y) (type)((x) & (y))
#define MADE_orb(type, x, y) (type)((x) | (y))
#define MADE_xor(type, x, y) (type)((x) ^ (y))
#define MADE_eqv(type, x, y) (type)((x) ^ ~(y))
#define MADE_neqv(type, x, y) (type)((x) ^ (y))
#define MADE_andl(type, x, y) (type)((x) && (y))
#define MADE_orl(type, x, y) (type)((x) || (y))
#define MADE_shl(type, x, y) (type)((WORK_##type)(x) << (y))
#define MADE_shr(type, x, y) (type)((x) >> (y))

/* Those of two types are done in the wider one. */
#define MIXED_add(x, y) (x) + (y)
#define MIXED_sub(x, y) (x) - (y)
#define MIXED_mul(x, y) (x) * (y)
#define MIXED_div(x, y) (x) / (y)

#define COMBINE(name, type, operand_type, expression)                                                        \
    static void name(void *made, void *old, void *operand) {                                                 \
        type x = *(type *)old;                                                                               \
        operand_type y = *(operand_type *)operand;                                                           \
        *(type *)made = (expression);                                                                        \
    }

/* ---- entry points ---- */

/* NAME(location, thread, at, ...) updates *at with `argument`, then does `end`, which may use `old` and `made`. */
#define ENTRY(result, name, type, combine, argument, end, ...)                                               \
    BOMP_EXPORT result name(const struct kmpc_ident *ident, int32_t id, type *at, __VA_ARGS__) {             \
        type old, made;                                                                                      \
        update(at, sizeof *at, &old, &made, combine, argument);                                              \
        end;                                                                                                 \
    }

#define PLAIN(name, type, operand_type, combine)                                                             \
    ENTRY(void, name, type, combine, &operand, (void)0, operand_type operand)

/* Returns the new value or the old one; _OUT, which cmplx4 has, through a pointer. */
#define CAPTURED(name, type, combine)                                                                        \
    ENTRY(type, name, type, combine, &operand, return gives_new ? made : old, type operand, int32_t gives_new)
#define CAPTURED_OUT(name, type, combine)                                                                    \
    ENTRY(void, name, type, combine, &operand, *value = gives_new ? made : old, type operand, type * value,  \
          int32_t gives_new)
#define SWAPPED(name, type) ENTRY(type, name, type, take_##type, &operand, return old, type operand)
#define SWAPPED_OUT(name, type)                                                                              \
    ENTRY(void, name, type, take_##type, &operand, *value = old, type operand, type * value)

/* CAPTURED or SWAPPED as the type has it: FORM(SWAPPED, fixed1) is SWAPPED, and of a type with an end here SWAPPED_OUT. */
#define END_cmplx4 , _OUT
#define FORM_BY_END(form, none, end, ...) form##end
#define FORM_BY(...) FORM_BY_END(__VA_ARGS__)
#define FORM(form, type) FORM_BY(form, END_##type, , )

#define FORMS_CAPTURE(type, operation)                                                                       \
    COMBINE(type##_##operation, type, type, MADE_##operation(type, x, y))                                    \
    PLAIN(__kmpc_atomic_##type##_##operation, type, type, type##_##operation)                                \
    FORM(CAPTURED, type)(__kmpc_atomic_##type##_##operation##_cpt, type, type##_##operation)

#define FORMS_REVERSE(type, operation)                                                                       \
    FORMS_CAPTURE(type, operation)                                                                           \
    COMBINE(type##_##operation##_rev, type, type, MADE_##operation(type, y, x))                              \
    PLAIN(__kmpc_atomic_##type##_##operation##_rev, type, type, type##_##operation##_rev)                    \
    FORM(CAPTURED, type)(__kmpc_atomic_##type##_##operation##_cpt_rev, type, type##_##operation##_rev)

#define ATOMIC_UPDATE(type, operation, forms) FORMS_##forms(type, operation)

#define ATOMIC_MIXED(type, operation, operand_type)                                                          \
    COMBINE(type##_##operation##_##operand_type, type, operand_type, (type)(MIXED_##operation(x, y)))        \
    PLAIN(__kmpc_atomic_##type##_##operation##_##operand_type, type, operand_type,                           \
          type##_##operation##_##operand_type)

#define ATOMIC_ACCESS(type)                                                                                  \
    COMBINE(take_##type, type, type, ((void)x, y))                                                           \
    PLAIN(__kmpc_atomic_##type##_wr, type, type, take_##type)                                                \
    FORM(SWAPPED, type)                                                                                      \
    (__kmpc_atomic_##type##_swp, type)                                                                       \
        BOMP_EXPORT type __kmpc_atomic_##type##_rd(const struct kmpc_ident *ident, int32_t id, type *at) {   \
        type value;                                                                                          \
        read(at, sizeof *at, &value);                                                                        \
        return value;                                                                                        \
    }

/* Compares and swaps. bool: whether they were equal, and _cpt stores the old value if not; val: the old value, and _cpt
 * stores the new one. */
#define CAS(result, name, bytes, end)                                                                        \
    ENTRY(result, __kmpc_atomic_##name, fixed##bytes, cas##bytes,                                            \
          (&(struct swap##bytes){expected, desired}), end, fixed##bytes expected, fixed##bytes desired)
#define CAS_OUT(result, name, bytes, end)                                                                    \
    ENTRY(result, __kmpc_atomic_##name, fixed##bytes, cas##bytes,                                            \
          (&(struct swap##bytes){expected, desired}), end, fixed##bytes expected, fixed##bytes desired,      \
          fixed##bytes *value)
#define ATOMIC_CAS(bytes)                                                                                    \
    struct swap##bytes {                                                                                     \
        fixed##bytes expected, desired;                                                                      \
    };                                                                                                       \
    COMBINE(cas##bytes, fixed##bytes, struct swap##bytes, x == y.expected ? y.desired : x)                   \
    CAS(fixed##bytes, val_##bytes##_cas, bytes, return old)                                                  \
    CAS(bool, bool_##bytes##_cas, bytes, return old == expected)                                             \
    CAS_OUT(fixed##bytes, val_##bytes##_cas_cpt, bytes, *value = made; return old)                           \
    CAS_OUT(bool, bool_##bytes##_cas_cpt, bytes, if (old != expected) *value = old; return old == expected)

#define ATOMIC_ANY(bytes)                                                                                    \
    BOMP_EXPORT void __kmpc_atomic_##bytes(const struct kmpc_ident *ident, int32_t id, void *at,             \
                                           void *operand, combine_fn *combine) {                             \
        _Alignas(32) char old[32], made[32];                                                                 \
        update(at, bytes, old, made, combine, operand);                                                      \
    }

#include "atomic.def"
