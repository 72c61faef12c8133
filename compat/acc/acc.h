/* acc.h: work while the library is loaded. */
#ifndef BACC_ACC_H
#define BACC_ACC_H

/* Reads the environment and loads the tools that it names, once: now, or when something needs the device in a program that
 * was not linked with the library. */
void bacc_load(void);

#endif
