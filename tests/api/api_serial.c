/* api_serial.c: the same tasks as plain calls. */
#define BLITZ_SERIAL
#include "api_cilk.c"
