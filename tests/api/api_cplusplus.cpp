// api_cplusplus.cpp: all headers are C++17, and the macros make C++.
#include "api_cilk.c"
#include <blitz.h>
#include <blitz/algo.h>

static_assert(BLITZ_VERSION_MAJOR * 10000 + BLITZ_VERSION_MINOR * 100 + BLITZ_VERSION_PATCH >= 100);
