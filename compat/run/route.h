/* route.h: how the library is loaded into a program. */
#ifndef RUN_ROUTE_H
#define RUN_ROUTE_H

#include "run/library.h"
#include "run/loader.h"
#include "run/program.h"

/* Beginnings of the names of OpenMP's and OpenACC's functions, of all compilers. */
extern const char *const run_openmp_names[];

/* What requires OpenMP. */
enum run_demand {
    RUN_ASKS,     /* the program or a library of its own */
    RUN_NATIVE,   /* nothing, but tools also serve its blitz.h */
    RUN_MAY_LOAD, /* nothing yet, but a library or program that it starts may */
    RUN_NEVER     /* nothing, and it loads and starts nothing */
};

/* Whether the file is an OpenMP runtime, ours or another; not a tool that has some functions of their names. */
bool run_is_runtime(const char *path);

/* Whether the object is one, or has one linked into it, which others do not find. */
enum run_serves { RUN_SERVES_NOT, RUN_SERVES_INSIDE, RUN_SERVES };
enum run_serves run_serves(const struct run_object *object);

/* Of a runtime: libgomp, libomp or libblitz-omp. */
const char *run_runtime_of(const struct run_object *object);

struct run_route {
    enum run_demand demand;
    run_changes changes; /* to the environment: with these Blitz serves it */
    run_changes own;     /* with these the program's own runtime does */
    /* By run_route_own: */
    const char *runtime; /* libgomp, libomp or libblitz-omp is what serves it without us; NULL: not known */
    const char *missing; /* a library that is not found then; NULL: none */
};

/* By what the program and its libraries import and have. */
struct run_route run_route(const struct run_program *program, const struct run_library *library);

/* Looks what serves it without us. */
void run_route_own(const struct run_program *program, struct run_route *route);

#endif
