// Programs made up from seeds, whose tasks yield: random.h.
// threads: 2 8
// repeat: 2000 20
#define RANDOM_YIELDS
#include "../random.h"
