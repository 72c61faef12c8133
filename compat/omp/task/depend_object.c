/* Depend objects, omp_depend_t: an address and a kind, two words that compiled code writes. */
#include "omp/bomp.h"

/* 1 in, 2 out, 3 inout, 4 mutexinoutset, 5 inoutset. omp_all_memory has no address. */
struct bomp_depend bomp_depend_of_object(const struct bomp_depend_object *object) {
    switch (object->kind) {
    case 1:
        return (struct bomp_depend){object->address, BOMP_DEPEND_IN};
    case 4:
        return (struct bomp_depend){object->address, BOMP_DEPEND_MUTEX};
    case 5:
        return (struct bomp_depend){object->address, BOMP_DEPEND_INOUTSET};
    default:
        bomp_bad_depend_object((long)object->kind);
        break;
    case 2:
    case 3:
        break;
    }
    return bomp_depend_out(object->address);
}
