// beyond libomp: it takes a quarter of a minute
// Generated programs whose tasks yield: random.h.
// checks itself: its output is the verdict
// threads: 2 8
// repeat: 2000 20
#define RANDOM_YIELDS
#include "../random.h"
