/* route.h: how the library is loaded into a program. */
#ifndef RUN_ROUTE_H
#define RUN_ROUTE_H

#include "run/library.h"
#include "run/loader.h"
#include "run/program.h"

/* Beginnings of the names of OpenMP's and OpenACC's functions, of all compilers. */
extern const char *const run_openmp_names[];

/* Whether a program needs OpenMP. */
enum run_demand {
    RUN_ASKS,     /* yes, the program or one of its libraries */
    RUN_NATIVE,   /* no, but it has blitz.h, which tools serve */
    RUN_MAY_LOAD, /* not itself, but it may load or start other code */
    RUN_NEVER     /* no, and it loads and starts nothing */
};

/* Whether the file is an OpenMP runtime, ours or another. False for tools that intercept some of their functions. */
bool run_is_runtime(const char *path);

/* Whether the object is an OpenMP runtime, or has one linked into it that others cannot find. */
enum run_serves { RUN_SERVES_NOT, RUN_SERVES_INSIDE, RUN_SERVES };
enum run_serves run_serves(const struct run_object *object);

/* Of a runtime: libgomp, libomp or libblitz-omp. */
const char *run_runtime_of(const struct run_object *object);

struct run_route {
    enum run_demand demand;
    run_changes changes; /* for Blitz */
    run_changes own;     /* for the program's own runtime */
    /* By run_route_own: */
    const char *runtime; /* of the program without us: libgomp, libomp or libblitz-omp; NULL: not known */
    const char *missing; /* a library that is not found without us; NULL: none */
};

/* From what the program and its libraries import and define. */
struct run_route run_route(const struct run_program *program, const struct run_library *library);

/* Finds the runtime of the program without us. */
void run_route_own(const struct run_program *program, struct run_route *route);

#endif
