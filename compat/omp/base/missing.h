/* Functions that the program, or a library of its, asks of an OpenMP runtime and that we do not have: those of a compiler
 * newer than we are. Preloaded, we would leave them to another runtime that is loaded beside us, in which every thread is
 * alone: each would run the whole of a loop. So the program ends with one line. */
#ifndef BOMP_MISSING_H
#define BOMP_MISSING_H

/* Looks at what was loaded since the last look; what is missing is fatal. Cost if nothing was: below a microsecond. Like
 * every look at what is loaded it takes a lock of the loader's, which another thread may have held at a fork. */
void bomp_missing_look(void);
#endif
