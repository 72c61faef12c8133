// beyond libomp: it takes minutes
// Generated programs without taskyields: random.h.
// checks itself: its output is the verdict
// env: OMP_SCHEDULE=dynamic,2
// env: OMP_SCHEDULE=guided
// threads: 1 2 8
// repeat: 1000 20
#include "../random.h"
