/* The omp_* functions of objects of foreign runtimes, C and Fortran. Without LLVM's offload library no object has a
 * property. */
#include "omp/api/omp_decl.h"

enum {
    FIRST_PROPERTY = -9,
    LAST_PROPERTY = -1,
    RC_NO_VALUE = 1,
    RC_SUCCESS = 0,
    RC_EMPTY = -1,
    RC_OUT_OF_RANGE = -2,
    RC_LAST = -5 /* another error, omp_irc_other, has no text */
};

static bool is_property(int property) {
    return property >= FIRST_PROPERTY && property <= LAST_PROPERTY;
}

/* Why there is no value. */
static void store_reason(int property, int *why) {
    if (why)
        *why = is_property(property) ? RC_EMPTY : RC_OUT_OF_RANGE;
}

BOMP_EXPORT intptr_t omp_get_interop_int(uintptr_t object, int property, int *why) {
    BOMP_OFFLOAD(omp_get_interop_int, (object, property, why));
    store_reason(property, why);
    return 0;
}

BOMP_EXPORT void *omp_get_interop_ptr(uintptr_t object, int property, int *why) {
    BOMP_OFFLOAD(omp_get_interop_ptr, (object, property, why));
    store_reason(property, why);
    return NULL;
}

BOMP_EXPORT const char *omp_get_interop_str(uintptr_t object, int property, int *why) {
    BOMP_OFFLOAD(omp_get_interop_str, (object, property, why));
    store_reason(property, why);
    return NULL;
}

BOMP_EXPORT const char *omp_get_interop_name(uintptr_t object, int property) {
    BOMP_OFFLOAD(omp_get_interop_name, (object, property));
    static const char *const names[] = {"fr_id",    "fr_name", "vendor",         "vendor_name", "device_num",
                                        "platform", "device",  "device_context", "targetsync"};
    return is_property(property) ? names[-1 - property] : NULL;
}

/* No object has a property. */
BOMP_EXPORT const char *omp_get_interop_type_desc(uintptr_t object, int property) {
    BOMP_OFFLOAD(omp_get_interop_type_desc, (object, property));
    return NULL;
}

/* As libgomp says it: programs compare the texts. */
BOMP_EXPORT const char *omp_get_interop_rc_desc(uintptr_t object, int why) {
    static const char *const texts[] = {"no meaningful value available",
                                        "successful",
                                        "provided interoperability object is equal to omp_interop_none",
                                        "property ID is out of range",
                                        "property type is integer; use omp_get_interop_int",
                                        "property type is pointer; use omp_get_interop_ptr",
                                        "property type is string; use omp_get_interop_str"};
    (void)object;
    return why <= RC_NO_VALUE && why >= RC_LAST ? texts[RC_NO_VALUE - why] : NULL;
}

/* Fortran: LLVM's names alone. */

BOMP_EXPORT intptr_t omp_get_interop_int_(const uintptr_t *object, const int32_t *property, int32_t *why) {
    return omp_get_interop_int(*object, *property, why);
}

BOMP_EXPORT void *omp_get_interop_ptr_(const uintptr_t *object, const int32_t *property, int32_t *why) {
    return omp_get_interop_ptr(*object, *property, why);
}

/* Fortran of both: the caller passes the places for the result and its length; the reason may be absent. */

BOMP_EXPORT void omp_get_interop_str_(const char **text, size_t *length, uintptr_t object, int32_t property,
                                      int32_t *why) {
    bomp_give_text(omp_get_interop_str(object, property, why), text, length);
}

BOMP_EXPORT void omp_get_interop_name_(const char **text, size_t *length, uintptr_t object,
                                       int32_t property) {
    bomp_give_text(omp_get_interop_name(object, property), text, length);
}

BOMP_EXPORT void omp_get_interop_type_desc_(const char **text, size_t *length, uintptr_t object,
                                            int32_t property) {
    bomp_give_text(omp_get_interop_type_desc(object, property), text, length);
}

BOMP_EXPORT void omp_get_interop_rc_desc_(const char **text, size_t *length, uintptr_t object, int32_t why) {
    bomp_give_text(omp_get_interop_rc_desc(object, why), text, length);
}
