/* The serial elision. */
#define BLITZ_SERIAL
#include "blitz.c"
