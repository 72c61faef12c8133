/* api_reducer_serial.c: the same reducers in plain calls. */
#define BLITZ_SERIAL
#include "api_reducer.c"
