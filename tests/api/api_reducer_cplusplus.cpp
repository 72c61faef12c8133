// api_reducer_cplusplus.cpp: the header is C++17.
#include "api_reducer.c"
